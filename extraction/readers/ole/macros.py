"""A stream of a macro project -> the source of its module, which is stored compressed behind the compiled code."""

import re

_SOURCE = re.compile(rb"\x01.[\xb0-\xbf]\x00Attribut", re.S)  # every module begins with the attribute of its name
_CHUNK = 4096
_COMPRESSED = 0x8000
_SHORTEST_COPY = 3


def macro_source(stream: bytes) -> str:
    """Empty if there is none."""
    match = _SOURCE.search(stream)
    return _decompressed(stream, match.start() + 1).decode("cp1252", "replace") if match else ""


def _decompressed(data: bytes, place: int) -> bytes:
    out = bytearray()
    while place + 2 <= len(data):
        header = int.from_bytes(data[place : place + 2], "little")
        end = min(len(data), place + (header & 0xFFF) + 3)
        if header & _COMPRESSED:
            _expand(data, place + 2, end, out)
        else:
            out += data[place + 2 : place + 2 + _CHUNK]
        place = end
    return bytes(out)


def _expand(data: bytes, place: int, end: int, out: bytearray) -> None:
    """One chunk: flags say which of the next eight tokens are letters and which copy from what came before."""
    start = len(out)
    while place < end:
        flags, place = data[place], place + 1
        for bit in range(8):
            if place >= end:
                return
            if not flags >> bit & 1:
                out.append(data[place])
                place += 1
                continue
            token, place = int.from_bytes(data[place : place + 2], "little"), place + 2
            written = len(out) - start
            if not written:
                return
            width = max(4, (written - 1).bit_length())
            offset, length = (token >> (16 - width)) + 1, (token & (0xFFFF >> width)) + _SHORTEST_COPY
            if offset > written:
                return
            for _ in range(min(length, _CHUNK - written)):
                out.append(out[-offset])
