"""Names found in a text -> the same, as the columns of its tables agree: what fills most cells of a column fills the rest of it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from core.records import Span
from screening.columns import cell_name, cell_spans, cells_of, delimiter_of

NAMES = frozenset({"first_name", "last_name", "initials", "health_professional_name"})
AGREED_SCORE = 0.7
_FEWEST_ROWS = 4
_MOST_ASKED = 300  # rows of a table that vote
_MOST = 0.6  # share of a column's cells that makes the rest names
_FEW = 0.2  # share up to which single ones are none
_FEW_ALIKE = 0.8  # the same where the column says the same over and over
_ALIKE = 3  # cells to one value
_LIKE = 0.8  # share of a column of names that could be names

Cells = list[tuple[int, int]]


@dataclass(slots=True)
class _Column:
    """The votes of one column: how many cells have letters or figures, could be names, and are taken for names."""

    filled: int = 0
    like: int = 0
    taken: int = 0
    figures: int = 0
    values: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def names(self) -> bool:
        return not self.no_names and self.taken >= _MOST * self.filled and self.like >= _LIKE * self.filled and self.taken > 1

    @property
    def no_names(self) -> bool:
        alike = self.filled >= _ALIKE * len(self.values)
        return self.taken <= (_FEW_ALIKE if alike else _FEW) * self.filled


def agreed(text: str, lines: Sequence[re.Match[str]], spans: Sequence[Span]) -> list[Span]:
    """`lines` are those that look like rows of a table; `spans` come in the order of the text."""
    names = [span for span in spans if span.characteristic in NAMES]
    if not names:
        return list(spans)
    dropped: set[Span] = set()
    added: list[Span] = []
    for rows in _tables(text, lines):
        low, high = rows[0][0][0], rows[-1][-1][1]
        mine = [span for span in names if low <= span.start < high]
        if mine:
            more, fewer = _settled(text, rows, mine)
            added += more
            dropped |= fewer
    if not added and not dropped:
        return list(spans)
    kept = [span for span in spans if span not in dropped]
    return sorted([*kept, *added], key=lambda span: span.start)


def _tables(text: str, lines: Sequence[re.Match[str]]) -> Iterator[list[Cells]]:
    """Rows that follow each other and have the same number of cells."""
    rows: list[tuple[tuple[str, int], Cells]] = []
    end = -1
    for line in lines:
        delimiter = delimiter_of(line.group())
        cells = cells_of(text, line.start(), line.end(), delimiter)
        if line.start() != end + 1:
            yield from _alike(rows)
            rows = []
        rows.append(((delimiter, len(cells)), cells))
        end = line.end()
    yield from _alike(rows)


def _alike(rows: Sequence[tuple[tuple[str, int], Cells]]) -> Iterator[list[Cells]]:
    for _, group in groupby(rows, key=lambda row: row[0]):
        table = [cells for _, cells in group]
        if len(table) >= _FEWEST_ROWS:
            yield table


def _settled(text: str, rows: Sequence[Cells], names: Sequence[Span]) -> tuple[list[Span], set[Span]]:
    """Spans that the columns add, and those they drop."""
    offset = rows[0][0][0]
    covered = bytearray(rows[-1][-1][1] - offset)
    for span in names:
        covered[span.start - offset : span.end - offset] = b"\1" * (span.end - span.start)
    kinds = {span.start: span.characteristic for span in names}
    columns = [_votes(text, [row[number] for row in rows[1:_MOST_ASKED]], covered, offset, kinds) for number in range(len(rows[0]))]
    headed = _is_heading(text, rows[0], columns)
    settled = bytearray(len(covered))
    added: list[Span] = []
    if headed:
        settled[: rows[0][-1][1] - offset] = b"\1" * (rows[0][-1][1] - offset)
    for number, column in enumerate(columns):
        if not column.names and not column.no_names:
            continue
        for row in rows[headed:]:
            low, high = row[number]
            name = cell_name(text, low, high) if column.names or covered.count(1, low - offset, high - offset) else None
            if name is not None and _is_taken(name, covered, offset) != column.names:
                settled[low - offset : high - offset] = b"\1" * (high - low)
                added += _as_the_others(text, (low, high), column) if column.names else ()
    return added, {span for span in names if settled[span.start - offset]}


def _votes(text: str, cells: Cells, covered: bytearray, offset: int, kinds: dict[int, str]) -> _Column:
    column = _Column()
    for low, high in cells:
        value = text[low:high]
        if not value.strip():
            continue
        column.filled += 1
        column.values.add(value)
        column.figures += any(map(str.isdigit, value))
        name = cell_name(text, low, high)
        if name is not None:
            column.like += 1
            if _is_taken(name, covered, offset):
                column.taken += 1
                column.kinds[kinds.get(name[0], "")] += 1
    return column


def _is_taken(name: tuple[int, int], covered: bytearray, offset: int) -> bool:
    low, high = name
    return 2 * covered.count(1, low - offset, high - offset) > high - low


def _is_heading(text: str, first: Cells, columns: Sequence[_Column]) -> bool:
    """A first row without figures where a column below has them."""
    if any(map(str.isdigit, "".join(text[low:high] for low, high in first))):
        return False
    return any(column.filled and column.figures >= _MOST * column.filled for column in columns)


def _as_the_others(text: str, cell: tuple[int, int], column: _Column) -> Iterator[Span]:
    (kind, _), *_ = column.kinds.most_common(1)
    single = " " not in text[slice(*cell)].strip()
    yield from cell_spans(text, *cell, kind if single and kind in ("first_name", "last_name") else "full", AGREED_SCORE)
