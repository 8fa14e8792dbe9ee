"""The raw bytes of a stream of a PDF and its dictionary -> what the stream holds, if its filters are common ones."""

import base64
import binascii
import re
import zlib

_FILTERS = re.compile(rb"/Filter\s*(\[[^\]]*\]|/[^\s/<>\[\]()]+|\d)")
_NAME = re.compile(rb"/([^\s/<>\[\]()]+)")
_SPACE = re.compile(rb"\s+")


def unfiltered(raw: bytes, head: bytes, most: int) -> bytes | None:
    """One byte more than `most` if it is longer; None if a filter is not known here or the data is broken."""
    match = _FILTERS.search(head)
    names = _NAME.findall(match[1]) if match else []
    if b"/Predictor" in head or (match and not names):
        return None
    data: bytes | None = raw
    for name in names:
        data = _without(name, data, most) if data is not None else None
    return None if data is None else data[: most + 1]


def _without(name: bytes, data: bytes, most: int) -> bytes | None:
    try:
        if name in (b"FlateDecode", b"Fl"):
            return zlib.decompressobj().decompress(data.lstrip(b"\r\n"), most + 1)
        if len(data) > most:
            return None
        if name in (b"ASCII85Decode", b"A85"):
            return base64.a85decode(data.strip().removeprefix(b"<~").partition(b"~>")[0])
        if name in (b"ASCIIHexDecode", b"AHx"):
            digits = _SPACE.sub(b"", data.partition(b">")[0])
            return binascii.unhexlify(digits + b"0" * (len(digits) % 2))
    except (zlib.error, ValueError):
        return None
    return None
