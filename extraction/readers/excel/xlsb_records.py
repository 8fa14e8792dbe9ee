"""Records of a binary workbook part -> their kinds and payloads, and the values within."""

import struct
from collections.abc import Iterator


def records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Kind in one or two bytes, length in one to four, seven bits each."""
    place, size = 0, len(data)
    while place < size:
        kind = data[place]
        place += 1
        if kind & 0x80 and place < size:
            kind = kind & 0x7F | (data[place] & 0x7F) << 7
            place += 1
        length = shift = 0
        while place < size and shift < 28:
            byte = data[place]
            place += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        yield kind, data[place : place + length]
        place += length


def wide_string(data: bytes, place: int) -> str:
    if place + 4 > len(data):
        return ""
    (count,) = struct.unpack_from("<I", data, place)
    if count == 0xFFFFFFFF:
        return ""
    return data[place + 4 : place + 4 + count * 2].decode("utf-16-le", "replace")
