"""The drawings of old Office files -> their pictures as members."""

import re
import struct
import zlib
from collections.abc import Iterator

from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.ole.embedded import file_member
from extraction.readers.pictures.bitmaps import bitmap_file

MOST_PICTURES = 2_000
_METAFILES = (0xF01A, 0xF01B)
_BITMAP = 0xF01F
_HEADER = re.compile(rb"[\0-\xff]{2}[\x1a\x1b\x1d\x1e\x1f\x29\x2a]\xf0")
_FILE_STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
_IDENTIFIER = 16
_TWO_IDENTIFIERS = frozenset({0x3D5, 0x217, 0x7A9})  # instances of EMF, WMF, DIB that carry a second one
_METAFILE_HEADER = 34
_LOOK = 80


def office_pictures(drawings: bytes, budget: Budget) -> Iterator[Member]:
    """Looks for the records of pictures anywhere: some streams are lists of them, others are heaps."""
    place = number = 0
    while number < MOST_PICTURES and (match := _HEADER.search(drawings, place)) is not None:
        place = start = match.start() + 1
        if start + 7 > len(drawings):
            return
        first, kind, size = struct.unpack_from("<HHI", drawings, start - 1)
        end = start + 7 + size
        begin = start + 7 + _begin(kind, first >> 4, drawings[start + 7 : start + 7 + _LOOK])
        if first & 0xF or end > len(drawings) or begin >= end or begin == start + 7:
            continue
        data = _data(kind, drawings[begin:end], budget)
        if data:
            number += 1
            place = end
            yield file_member(f"picture {number}", data, budget)


def _begin(kind: int, instance: int, head: bytes) -> int:
    """Where the picture itself begins; 0 if there is none."""
    start = _IDENTIFIER * (2 if instance in _TWO_IDENTIFIERS else 1)
    if kind in _METAFILES:
        is_packed = head[start + 32 : start + 33] == b"\0" and head[start + _METAFILE_HEADER :][:1] == b"\x78"
        return start + _METAFILE_HEADER if is_packed else 0
    if kind == _BITMAP:
        return start + 1 if head[start + 1 : start + 2] in (b"\x28", b"\x0c") else 0
    return max(0, *(head.find(mark) for mark in _FILE_STARTS))


def _data(kind: int, data: bytes, budget: Budget) -> bytes:
    if kind in _METAFILES:
        return _unpacked(data, budget)
    return bitmap_file(data) if kind == _BITMAP else data


def _unpacked(data: bytes, budget: Budget) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, budget.limits.member_bytes)
    except zlib.error:
        return b""
