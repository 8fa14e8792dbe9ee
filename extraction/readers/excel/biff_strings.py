"""Strings of Excel's binary records -> text, even if a string continues in the next record."""

import struct
from collections.abc import Iterator, Sequence

_WIDE, _PHONETIC, _RICH = 0x01, 0x04, 0x08


def unicode_string(data: bytes, place: int, count: int) -> str:
    """`count` characters after one byte of flags; the formatting that follows is ignored."""
    if place >= len(data):
        return ""
    flags = data[place]
    place += 1 + (2 if flags & _RICH else 0) + (4 if flags & _PHONETIC else 0)
    if flags & _WIDE:
        return data[place : place + count * 2].decode("utf-16-le", "replace")
    return data[place : place + count].decode("latin-1")


def short_string(data: bytes, place: int, code_page: str | None) -> str:
    """Length in one byte; `code_page` is None since Excel 97."""
    if place >= len(data):
        return ""
    return _text(data, place + 1, data[place], code_page)


def long_string(data: bytes, place: int, code_page: str | None) -> str:
    """Length in two bytes."""
    if place + 2 > len(data):
        return ""
    return _text(data, place + 2, int.from_bytes(data[place : place + 2], "little"), code_page)


def _text(data: bytes, place: int, count: int, code_page: str | None) -> str:
    if code_page is None:
        return unicode_string(data, place, count)
    return data[place : place + count].decode(code_page, "replace")


def shared_strings(chunks: Sequence[bytes]) -> Iterator[str]:
    """The string table: if characters continue in another record, that record begins with its own flags."""
    if not chunks or len(chunks[0]) < 8:
        return
    reader = _Continued(chunks, 8)
    for _ in range(int.from_bytes(chunks[0][4:8], "little")):
        head = reader.take(3)
        if len(head) < 3:
            return
        count, flags = struct.unpack("<HB", head)
        runs = int.from_bytes(reader.take(2), "little") if flags & _RICH else 0
        extra = int.from_bytes(reader.take(4), "little") if flags & _PHONETIC else 0
        yield reader.characters(count, bool(flags & _WIDE))
        reader.skip(runs * 4 + extra)


class _Continued:
    def __init__(self, chunks: Sequence[bytes], place: int) -> None:
        self._chunks = chunks
        self._number = 0
        self._chunk = chunks[0]
        self._place = place

    def _next(self) -> bool:
        self._number += 1
        self._place = 0
        if self._number >= len(self._chunks):
            self._chunk = b""
            return False
        self._chunk = self._chunks[self._number]
        return True

    def take(self, count: int) -> bytes:
        piece = self._chunk[self._place : self._place + count]
        self._place += len(piece)
        while len(piece) < count and self._next():
            more = self._chunk[: count - len(piece)]
            self._place = len(more)
            piece += more
        return piece

    def skip(self, count: int) -> None:
        left = len(self._chunk) - self._place
        while count > left:
            count -= left
            if not self._next():
                return
            left = len(self._chunk)
        self._place += count

    def characters(self, count: int, wide: bool) -> str:
        pieces: list[str] = []
        while count > 0:
            width = 2 if wide else 1
            raw = self._chunk[self._place : self._place + count * width]
            self._place += len(raw)
            pieces.append(raw.decode("utf-16-le", "replace") if wide else raw.decode("latin-1"))
            count -= max(1, len(raw) // width) if raw else 0
            if count <= 0 or not self._next() or not self._chunk:
                break
            wide = bool(self._chunk[0] & _WIDE)
            self._place = 1
        return "".join(pieces)
