"""Cells as they come -> segments of whole rows, so that a long sheet meets the text limit before it fills memory."""

from collections.abc import Iterator

from core.records import Segment

SEGMENT_CHARS = 1 << 18


class SheetRows:
    def __init__(self) -> None:
        self._where = ""
        self._row = -1
        self._cells: list[tuple[int, str]] = []
        self._lines: list[str] = []
        self._chars = 0
        self.damaged = False

    def start(self, where: str) -> Iterator[Segment]:
        yield from self.flush()
        self._where = where

    def add(self, row: int, column: int, text: str) -> None:
        """Empty cells are left out: a sparse row may claim thousands of them."""
        if not text:
            return
        if row != self._row:
            self._end_row()
            self._row = row
        self._cells.append((column, text))
        self._chars += len(text) + 1

    def _end_row(self) -> None:
        if self._cells:
            self._lines.append("\t".join(text for _, text in self._cells))
            self._cells = []

    def full(self) -> Iterator[Segment]:
        if self._chars >= SEGMENT_CHARS:
            yield from self.flush()

    def flush(self) -> Iterator[Segment]:
        self._end_row()
        if self._lines:
            yield Segment(self._where, "\n".join(self._lines))
        self._lines = []
        self._row = -1
        self._chars = 0
