"""PNG file -> the texts and the EXIF block in its chunks, even after the pixels, without decoding a pixel."""

import zlib
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LONGEST = 100_000
MOST_CHUNKS = 10_000
_PROFILE = "Raw profile type "


def png_texts(data: bytes) -> Iterator[tuple[str, str]]:
    """Keyword and text of each text chunk."""
    for kind, body in _chunks(data):
        keyword, _, rest = body.partition(b"\0")
        name = keyword.decode("latin-1")
        if kind == b"tEXt":
            yield name, rest[:LONGEST].decode("latin-1")
        elif kind == b"zTXt":
            yield name, _inflated(rest[1:]).decode("latin-1")
        elif kind == b"iTXt":
            text = rest[2:].partition(b"\0")[2].partition(b"\0")[2]
            yield name, (_inflated(text) if rest[:1] == b"\1" else text[:LONGEST]).decode("utf-8", "replace")


def png_exif(data: bytes) -> bytes:
    """The EXIF block, which older programs write as hexadecimal text."""
    for kind, body in _chunks(data):
        if kind == b"eXIf":
            return body
    for name, text in png_texts(data):
        if name in (f"{_PROFILE}exif", f"{_PROFILE}APP1"):
            return _from_profile(text)
    return b""


def is_profile(name: str) -> bool:
    return name.startswith(_PROFILE)


def _from_profile(text: str) -> bytes:
    """A line with the kind, a line with the length, then lines of digits."""
    try:
        return bytes.fromhex("".join(text.split("\n")[3:]))
    except ValueError:
        return b""


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(SIGNATURE)
    for _ in range(MOST_CHUNKS):
        if place + 8 > len(data):
            return
        length = int.from_bytes(data[place : place + 4], "big")
        kind = data[place + 4 : place + 8]
        if kind != b"IDAT":
            yield kind, data[place + 8 : place + 8 + length]
        place += length + 12


def _inflated(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, LONGEST)
    except zlib.error:
        return b""
