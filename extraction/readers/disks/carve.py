"""Free space of a volume -> files that are recognised in it by their content alone: documents, pictures, mail, text.

A file begins at a sector. Free ranges are read as if they were one, so that a file around which another one was written
is still whole.
"""

import re
import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from extraction.limits.budget import LimitError
from extraction.readers.disks.layout import SECTOR

LARGEST = 64_000_000
_AT_ONCE = 1 << 20
_FIRST_LOOK = 1 << 14
_FEW_LETTERS = 64  # a text with fewer is not worth a record
_NOT_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f\xff]")
_MOST_SEARCHED = 20  # times the free space: a disk may be made of nothing but beginnings
_PART = 4_000_000  # of a document whose end is gone
_MAIL = re.compile(
    rb"(?:received|return-path|message-id|delivered-to|mime-version|x-[\w-]{2,30}|from|to|subject|date): ", re.I
)
_LETTER = re.compile(rb"[A-Za-z]|[\xc3-\xf4][\x80-\xbf]")
_PNG_CHUNK = struct.Struct(">I4s")
_PDF_END = re.compile(rb"%%EOF(?:\r\n|\r|\n)?")
_END_OF_ZIP = struct.Struct("<4s4H2IH")


@dataclass(frozen=True, slots=True, repr=False)
class Carved:
    """A file that was recognised; `offset` counts in the volume."""

    offset: int
    ending: str
    data: bytes


class FreeSpace:
    """Ranges of a volume as one run of bytes, in which places can be looked up."""

    def __init__(self, volume: BinaryIO, ranges: Sequence[tuple[int, int]]) -> None:
        self._volume = volume
        self._ranges = [(start, length) for start, length in ranges if length > 0]
        self._places: list[int] = []
        self._searched = 0
        self.size = 0
        for _, length in self._ranges:
            self._places.append(self.size)
            self.size += length

    def read(self, at: int, count: int) -> bytes:
        pieces = []
        number = bisect_right(self._places, at) - 1
        while count > 0 and 0 <= number < len(self._ranges):
            start, length = self._ranges[number]
            within = at - self._places[number]
            self._volume.seek(start + within)
            wanted = min(count, length - within)
            piece = self._volume.read(wanted)
            pieces.append(piece)
            if len(piece) < wanted:
                break
            at, count, number = at + wanted, count - wanted, number + 1
        return b"".join(pieces)

    def search(self, at: int, count: int) -> bytes:
        """Reads for somebody who looks for the end of a file; there is an end to that, too."""
        data = self.read(at, count)
        self._searched += len(data)
        if self._searched > _MOST_SEARCHED * self.size + LARGEST:
            raise LimitError(f"carving limit ({_MOST_SEARCHED} times the free space)")
        return data

    def offset(self, at: int) -> int:
        number = bisect_right(self._places, at) - 1
        return self._ranges[number][0] + at - self._places[number]


def carved_files(space: FreeSpace) -> Iterator[Carved]:
    """In the order of their offsets; what is inside a file that was recognised is not looked at again."""
    at = 0
    while at < space.size:
        block = space.read(at, _AT_ONCE)
        if not block:
            return
        if not block.strip(b"\0"):
            at += len(block)
            continue
        following = at + len(block)
        for within in range(0, len(block), SECTOR):
            if block[within : within + 1] == b"\0":
                continue
            found = _recognised(space, at + within, block[within : within + SECTOR])
            if found is not None:
                yield Carved(space.offset(at + within), *found)
                following = at + within + -(-len(found[1]) // SECTOR) * SECTOR
                break
        at = max(following, at + SECTOR)


def _recognised(space: FreeSpace, at: int, sector: bytes) -> tuple[str, bytes] | None:
    for signature, ending, cut in _CUTTERS:
        if sector.startswith(signature):
            data = _cut_out(space, at, cut)
            return (ending, data) if data else None
    if _NOT_TEXT.search(sector.rstrip(b"\0")) or len(sector.rstrip(b"\0")) < _FEW_LETTERS:
        return None
    text = _text(space, at)
    return None if text is None else ("eml" if _MAIL.match(text) else "txt", text)


def _cut_out(space: FreeSpace, at: int, cut: "_Cut") -> bytes:
    """Looks at more and more of what follows, until the end of the file is in it."""
    count = _FIRST_LOOK
    while True:
        count = min(4 * count, LARGEST)
        data = space.search(at, count)
        is_last = len(data) < count or count == LARGEST
        found = cut(data, is_last)
        if found or is_last:
            return found


def _text(space: FreeSpace, at: int) -> bytes | None:
    """As many sectors as are text; a file's last one is filled with zeros."""
    pieces: list[bytes] = []
    for place in range(at, min(space.size, at + LARGEST), SECTOR):
        sector = space.read(place, SECTOR)
        words = sector.rstrip(b"\0")
        if not words or _NOT_TEXT.search(words) or (pieces and words.startswith(_SIGNATURES)):
            break
        pieces.append(words)
        if len(words) < len(sector):
            break
    text = b"".join(pieces)
    start = text[:4096]
    letters = len(_LETTER.findall(start))
    return text if letters >= _FEW_LETTERS // 2 and 3 * letters > len(start) else None


def _pdf(data: bytes, is_last: bool) -> bytes:
    """Up to an end mark behind which its sector is empty; revisions of one document have a mark each."""
    following = _next_start(data, b"%PDF-")
    last = b""
    for mark in _PDF_END.finditer(data, 0, following):
        last = data[: mark.end()]
        rest = -len(last) % SECTOR
        if not data[mark.end() : mark.end() + rest].strip(b"\0") and mark.end() + rest <= len(data):
            return last
    if not is_last and following == len(data):
        return b""
    return last or _beginning(data[:following])


def _beginning(data: bytes) -> bytes:
    """Of a document whose end was overwritten: up to an empty sector, or the beginning of something else."""
    for at in range(SECTOR, min(len(data), _PART), SECTOR):
        sector = data[at : at + SECTOR]
        if sector.startswith(_SIGNATURES) or not sector.strip(b"\0"):
            return data[:at]
    return data[:_PART]


def _next_start(data: bytes, signature: bytes) -> int:
    """Where the next file of a kind begins: at a sector."""
    at = data.find(signature, SECTOR)
    while at > 0 and at % SECTOR:
        at = data.find(signature, at + 1)
    return at if at > 0 else len(data)


def _zip(data: bytes, is_last: bool) -> bytes:
    """Up to the end record whose offsets lead back to this beginning."""
    at = data.find(b"PK\5\6")
    while 0 <= at <= len(data) - _END_OF_ZIP.size:
        *_, size, offset, comment = _END_OF_ZIP.unpack_from(data, at)
        if size + offset == at and data[offset : offset + 4] == b"PK\1\2":
            return data[: at + _END_OF_ZIP.size + comment]
        at = data.find(b"PK\5\6", at + 4)
    return b""


def _ole(data: bytes, is_last: bool) -> bytes:
    """As many sectors as the allocation table in its header can name; the rest of the last one does no harm."""
    if len(data) < SECTOR:
        return b""
    shift, tables = struct.unpack_from("<H", data, 30)[0], struct.unpack_from("<I", data, 44)[0]
    if shift not in (9, 12) or not 0 < tables < 10_000:
        return b""
    most = (1 << shift) * (1 + tables * (1 << shift) // 4)
    end = min(most, _next_start(data, data[:8]))
    return data[:end] if is_last or end < len(data) else b""


def _jpeg(data: bytes, is_last: bool) -> bytes:
    """Segment by segment to the picture, then to its end mark; thumbnails inside segments are passed over."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind, (length,) = data[at + 1], struct.unpack_from(">H", data, at + 2)
        at += 2 + length
        if kind == 0xDA:
            end = data.find(b"\xff\xd9", at)
            while end > 0 and data[end + 2 : end + 3] == b"\xff" and data[end + 3 : end + 4] in b"\xda\xc4\xdb":
                end = data.find(b"\xff\xd9", end + 2)
            return data[: end + 2] if end > 0 else b""
    return b""


def _png(data: bytes, is_last: bool) -> bytes:
    at = 8
    while at + 12 <= len(data):
        length, kind = _PNG_CHUNK.unpack_from(data, at)
        at += 12 + length
        if kind == b"IEND":
            return data[:at]
        if not kind.isalpha():
            return b""
    return b""


_Cut = Callable[[bytes, bool], bytes]  # bytes from the beginning of a file on, and whether there are no more
_CUTTERS: tuple[tuple[bytes, str, _Cut], ...] = (
    (b"%PDF-", "pdf", _pdf),
    (b"PK\x03\x04", "zip", _zip),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole", _ole),
    (b"\xff\xd8\xff", "jpg", _jpeg),
    (b"\x89PNG\r\n\x1a\n", "png", _png),
)
_SIGNATURES = tuple(signature for signature, _, _ in _CUTTERS)
