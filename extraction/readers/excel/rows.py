"""Cells as they come -> segments of whole rows, so that a long sheet meets the text limit before it fills memory."""

from collections.abc import Iterator

from core.records import Segment
from extraction.readers.text.table import WIDEST_ROW, one_line

SEGMENT_CHARS = 1 << 18


WIDEST_GAP = 30


class RowLines:
    """Cells of the rows of one sheet -> lines with tabs, each value in the place of its column.

    An empty cell keeps its place, unless very many follow each other: a sparse row may claim sixteen thousand of them.
    """

    def __init__(self) -> None:
        self._first = 0
        self._width = 0

    def line(self, cells: list[tuple[int, str]]) -> str:
        """Columns count from 0 and come in order; the first row of several cells sets the width of the table."""
        filled = [(column, one_line(text)) for column, text in cells if text]
        if not filled:
            return ""
        if not self._width and len(filled) > 1:
            self._first = filled[0][0]
            self._width = min(filled[-1][0] - self._first + 1, WIDEST_ROW)
        after = min(self._first, filled[0][0])
        if filled[-1][0] - after + 1 == len(filled):
            pieces = [text for _, text in filled]
        else:
            pieces = _with_empty_cells(filled, after)
        if not self._width:
            return filled[0][1]
        pieces += [""] * min(self._width - len(pieces), WIDEST_GAP)
        return "\t".join(pieces)


def _with_empty_cells(filled: list[tuple[int, str]], after: int) -> list[str]:
    pieces: list[str] = []
    for column, text in filled:
        gap = column - after
        if 0 < gap <= WIDEST_GAP and len(pieces) + gap < WIDEST_ROW:
            pieces += [""] * gap
        pieces.append(text)
        after = column + 1
    return pieces


class SheetRows:
    def __init__(self) -> None:
        self._shape = RowLines()
        self._where = ""
        self._row = -1
        self._cells: list[tuple[int, str]] = []
        self._lines: list[str] = []
        self._chars = 0
        self.damaged = False

    def start(self, where: str) -> Iterator[Segment]:
        yield from self.flush()
        self._where = where
        self._shape = RowLines()

    def add(self, row: int, column: int, text: str) -> None:
        if not text:
            return
        if row != self._row:
            self._end_row()
            self._row = row
        self._cells.append((column, text))
        self._chars += len(text) + 1

    def _end_row(self) -> None:
        if self._cells:
            self._lines.append(self._shape.line(self._cells))
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
