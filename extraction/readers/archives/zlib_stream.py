"""Bytes -> whether they are a zlib stream without a file format around it."""

import zlib

_LOOK = 2048


def is_zlib(data: bytes) -> bool:
    """By a header that is right and a beginning that can be unpacked."""
    if len(data) < 8 or data[0] != 0x78 or int.from_bytes(data[:2], "big") % 31 or data[1] & 0x20:
        return False
    try:
        return bool(zlib.decompressobj().decompress(data[:_LOOK], 64))
    except zlib.error:
        return False
