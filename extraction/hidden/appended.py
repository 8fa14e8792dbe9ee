"""A picture, PDF or zip file -> what lies behind its end, where every other reader stops."""

import re
from collections.abc import Callable

from extraction.media_types import PDF

LEAST = 8  # bytes besides padding; less than that says nothing
_PADDING = b"\0\r\n\t \x1a\xff"
_MARKER = re.compile(rb"\xff+([\x01-\xcf\xd8-\xfe])")
_EOI, _SOS = 0xD9, 0xDA
_ALONE = frozenset({0x01, 0xD8})
_STARTXREF = re.compile(rb"startxref\s{1,20}(\d{1,12})\s{1,20}%%EOF")
_XREF = re.compile(rb"\s{0,8}(?:xref\b|\d{1,10}\s+\d{1,5}\s+obj\b)")
_ZIP_END, _ZIP64_LOCATOR = b"PK\x05\x06", b"PK\x06\x07"


def behind_the_end(media_type: str, data: bytes) -> bytes:
    """Empty if there is nothing but padding, or if the end cannot be found."""
    find = _ENDS.get(media_type) or (_end_of_zip if data.startswith(b"PK\x03\x04") else None)
    end = find(data) if find is not None else None
    if end is None or len(data) - end < LEAST:
        return b""
    rest = data[end:].lstrip(_PADDING)
    return rest if len(rest.rstrip(_PADDING)) >= LEAST else b""


def _end_of_jpeg(data: bytes) -> int | None:
    """Marker by marker: a thumbnail within a segment has an end of its own."""
    place = 0
    while (match := _MARKER.search(data, place)) is not None:
        marker, place = match[1][0], match.end()
        if marker == _EOI:
            return place
        if marker not in _ALONE:
            place += max(2, int.from_bytes(data[place : place + 2], "big"))
    return None


def _end_of_png(data: bytes) -> int | None:
    place = 8
    while place + 12 <= len(data):
        following = place + 12 + int.from_bytes(data[place : place + 4], "big")
        if data[place + 4 : place + 8] == b"IEND":
            return following
        place = following
    return None


def _end_of_gif(data: bytes) -> int | None:
    if len(data) < 13:
        return None
    place = 13 + _colours(data[10])
    while place < len(data):
        block = data[place]
        if block == 0x3B:
            return place + 1
        if block == 0x21:
            place += 2
        elif block == 0x2C and place + 10 <= len(data):
            place += 11 + _colours(data[place + 9])
        else:
            return None
        while place < len(data) and data[place]:
            place += 1 + data[place]
        place += 1
    return None


def _colours(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _end_of_riff(data: bytes) -> int | None:
    return 8 + int.from_bytes(data[4:8], "little") if data[:4] == b"RIFF" else None


def _end_of_pdf(data: bytes) -> int | None:
    """The last end whose table lies where it says: a PDF behind this one counts from its own beginning."""
    first = max(0, data.find(b"%PDF-", 0, 1024))
    end = None
    for match in _STARTXREF.finditer(data):
        if any(_XREF.match(data, int(match[1]) + shift) for shift in {0, first}):
            end = match.end()
    return end


def _end_of_zip(data: bytes) -> int | None:
    """Behind the directory lies a comment, which no reader of archives shows. A stored archive within has its own."""
    place = data.rfind(_ZIP_END)
    if place < 0 or place + 22 > len(data):
        return None
    size, offset = (int.from_bytes(data[place + start : place + start + 4], "little") for start in (12, 16))
    is_its_own = offset + size == place or data[place - 20 : place - 16] == _ZIP64_LOCATOR
    return place + 22 if is_its_own else None


_ENDS: dict[str, Callable[[bytes], int | None]] = {
    "image/jpeg": _end_of_jpeg,
    "image/png": _end_of_png,
    "image/gif": _end_of_gif,
    "image/webp": _end_of_riff,
    PDF: _end_of_pdf,
}
