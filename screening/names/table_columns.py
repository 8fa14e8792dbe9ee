"""Names found in a text -> the same, corrected by columns: what fills most cells of a column fills the rest of it."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from core.records import Span
from screening.names.row_lines import Stretch
from screening.names.table_headings import cell_name, cell_spans, cells_of, delimiter_of, heading_kind
from screening.passages.rows import names_fields

NAMES = frozenset({"first_name", "last_name", "initials", "health_professional_name"})
AGREED_SCORE = 0.7
_OTHERS = frozenset({"city", "place", "organization_name", "street_address"})
_FEWEST_ROWS = 4
_MOST_ASKED = 300  # rows of a table that vote
_MOST = 0.6  # share of a column's cells that makes the rest names
_FEW = 0.2  # share up to which single ones are none
_FEW_ALIKE = 0.8  # the same where the column says the same over and over
_ALIKE = 3  # cells to one value
_DECADES = 25  # years between the first and the last date from which they are birth dates
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_APART = 0.3  # difference of two columns in their shares of first names
_PARTS = frozenset({"first_name", "last_name"})
_DIGIT = re.compile(r"[0-9]")
_LIKE = 0.8  # share of a column of names that could be names

Cells = list[tuple[int, int]]


@dataclass(slots=True)
class _Column:
    """The votes of one column: how many cells have letters or figures, could be names, and are taken for names."""

    filled: int = 0
    like: int = 0
    taken: int = 0
    others: int = 0  # taken for places or organizations
    figures: int = 0
    kind: str = ""  # what most of the names are
    values: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def names(self) -> bool:
        return (
            not self.no_names
            and self.taken >= _MOST * self.filled
            and self.like >= _LIKE * self.filled
            and self.taken > 1
        )

    def differs(self, text: str, name: tuple[int, int], names: "_Cover") -> bool:
        """Whether a single word is a first name in a column of last names, or the other way round."""
        own = names.kinds.get(name[0], self.kind)
        return own != self.kind and own in _PARTS and self.kind in _PARTS and text.find(" ", *name) < 0

    @property
    def share_of_first_names(self) -> float:
        return self.kinds["first_name"] / max(1, self.taken)

    @property
    def no_names(self) -> bool:
        alike = self.filled >= _ALIKE * len(self.values)
        return self.others > self.taken or self.taken <= (_FEW_ALIKE if alike else _FEW) * self.filled


class Table:
    """Lines that follow each other and have the same number of cells, which are cut only where they are asked for."""

    def __init__(self, text: str, delimiter: str) -> None:
        self._text, self._delimiter = text, delimiter
        self.lines: list[tuple[int, int]] = []

    @property
    def ends(self) -> tuple[int, int]:
        return self.lines[0][0], self.lines[-1][1]

    @cached_property
    def rows(self) -> list[Cells]:
        return [cells_of(self._text, start, end, self._delimiter) for start, end in self.lines]


def tables_in(text: str, lines: Sequence[Stretch]) -> list[Table]:
    """`lines` are those that look like rows."""
    tables: list[Table] = []
    group: dict[tuple[str, int], Table] = {}
    after = -1
    for start, end in lines:
        row = text[start:end]
        delimiter = delimiter_of(row)
        shape = delimiter, len(cells_of(row, 0, len(row), delimiter)) if '"' in row else row.count(delimiter) + 1
        if start != after:
            tables += (table for table in group.values() if len(table.lines) >= _FEWEST_ROWS)
            group = {}
        if shape not in group:
            group[shape] = Table(text, delimiter)
        group[shape].lines.append((start, end))
        after = end + 1
    tables += (table for table in group.values() if len(table.lines) >= _FEWEST_ROWS)
    return tables


def agreed(text: str, tables: Sequence[Table], spans: Sequence[Span]) -> list[Span]:
    """`spans` come in the order of the text."""
    if not any(span.characteristic in NAMES for span in spans):
        return list(spans)
    starts = [span.start for span in spans]
    dropped: set[Span] = set()
    added: list[Span] = []
    for table in tables:
        low, high = table.ends
        mine = spans[bisect_left(starts, low) : bisect_left(starts, high)]
        if any(span.characteristic in NAMES for span in mine) and not _is_form(text, table.rows):
            more, fewer = _settled(text, table.rows, mine)
            added += more
            dropped |= fewer
    added.sort(key=lambda span: span.start)
    if not added and not dropped:
        return list(spans)
    kept = [span for span in spans if span not in dropped] if dropped else spans
    return sorted([*_apart_from(kept, added), *added], key=lambda span: span[0])


def _apart_from(spans: Sequence[Span], added: Sequence[Span]) -> Iterator[Span]:
    """Those of which the columns made nothing else: a place, say, in a column of names."""
    starts = [each[0] for each in added]
    for span in spans:
        at = bisect_left(starts, span[1]) - 1
        if at < 0 or added[at][1] <= span[0]:
            yield span


def _is_form(text: str, rows: Sequence[Cells]) -> bool:
    """The values of a form have nothing in common: its one name must not be voted down."""
    return len(rows[0]) == 2 and names_fields([text[low:high] for (low, high), _ in rows])


def _settled(text: str, rows: Sequence[Cells], spans: Sequence[Span]) -> tuple[list[Span], set[Span]]:
    """Spans that the columns add, and those they drop."""
    names = _Cover(rows, [span for span in spans if span.characteristic in NAMES])
    others = _Cover(rows, [span for span in spans if span.characteristic in _OTHERS])
    columns = [
        _votes(text, [row[number] for row in rows[1:_MOST_ASKED]], names, others) for number in range(len(rows[0]))
    ]
    _decide_kinds(columns)
    headed = _is_heading(text, rows[0], columns)
    settled = _Cover(rows, [])
    added: list[Span] = []
    if headed:
        settled.add(rows[0][0][0], rows[0][-1][1])
    nameless = [number for number, column in enumerate(columns) if column.no_names]
    touched = _touched(rows, names.spans, nameless)
    for number, column in enumerate(columns):
        holds_names = column.names
        if holds_names:
            cells: Iterable[tuple[int, int]] = (row[number] for row in rows[headed:])
        elif column.no_names:
            cells = (rows[row][number] for row in touched[number] if row >= headed)
        else:
            continue
        for low, high in cells:
            name = cell_name(text, low, high)
            if name is not None and (names.fills(*name) != holds_names or column.differs(text, name, names)):
                settled.add(low, high)
                added += _as_the_others(text, (low, high), column) if holds_names else ()
    return added, {span for span in names.spans if settled.holds(span[0])}


def _touched(rows: Sequence[Cells], spans: Sequence[Span], numbers: Sequence[int]) -> Mapping[int, list[int]]:
    """By column, of these alone, the rows, each once and in order, in which a span covers some of the cell."""
    touched: dict[int, list[int]] = {number: [] for number in numbers}
    if not touched:
        return touched
    at, count, width = 0, len(rows), len(rows[0])
    for start, end, _, _ in spans:
        while at + 1 < count and rows[at + 1][0][0] <= start:
            at += 1
        here = at
        while here < count and rows[here][0][0] < end:
            row = rows[here]
            for number in range(width):
                if row[number][0] >= end:
                    break
                if start < row[number][1] and number in touched and touched[number][-1:] != [here]:
                    touched[number].append(here)
            here += 1
    return touched


def _decide_kinds(columns: Sequence[_Column]) -> None:
    """The kind of most names of a column; of two side by side, the one with fewer first names has the last names."""
    for column in columns:
        (kind, count), *_ = column.kinds.most_common(1) or [("", 0)]
        column.kind = kind if count >= _MOST * column.taken else ""
    for left, right in pairwise(columns):
        apart = left.share_of_first_names - right.share_of_first_names
        if left.names and right.names and abs(apart) >= _APART:
            left.kind, right.kind = ("first_name", "last_name") if apart > 0 else ("last_name", "first_name")


class _Cover:
    """Which letters of a table some spans cover."""

    def __init__(self, rows: Sequence[Cells], spans: Sequence[Span]) -> None:
        self.spans = spans
        self.kinds = {span.start: span.characteristic for span in spans}
        self._offset = rows[0][0][0]
        self._covered = bytearray(rows[-1][-1][1] - self._offset)
        for start, end, _, _ in spans:
            self.add(start, end)

    def add(self, low: int, high: int) -> None:
        self._covered[low - self._offset : high - self._offset] = b"\1" * (high - low)

    def holds(self, place: int) -> bool:
        return self._covered[place - self._offset] == 1

    def fills(self, low: int, high: int) -> bool:
        return 2 * self._covered.count(1, low - self._offset, high - self._offset) > high - low


def _votes(text: str, cells: Cells, names: _Cover, others: _Cover) -> _Column:
    column = _Column()
    for low, high in cells:
        value = text[low:high]
        if not value.strip():
            continue
        column.filled += 1
        column.values.add(value)
        column.figures += _has_figure(value)
        if others.spans:
            column.others += others.fills(low, high)
        name = cell_name(text, low, high)
        if name is not None:
            column.like += 1
            if names.fills(*name):
                column.taken += 1
                column.kinds[names.kinds.get(name[0], "")] += 1
    return column


def _has_figure(value: str) -> bool:
    return _DIGIT.search(value) is not None if value.isascii() else any(map(str.isdigit, value))


def _is_heading(text: str, first: Cells, columns: Sequence[_Column]) -> bool:
    """A first row that says what is below: by known words, or without figures where a column below has them."""
    cells = [text[low:high] for low, high in first]
    if any(column.names and heading_kind(cell) for cell, column in zip(cells, columns, strict=True)):
        return True
    figures = any(column.filled and column.figures >= _MOST * column.filled for column in columns)
    return figures and not _has_figure("".join(cells))


def _as_the_others(text: str, cell: tuple[int, int], column: _Column) -> Iterator[Span]:
    single = " " not in text[slice(*cell)].strip()
    yield from cell_spans(text, *cell, column.kind if single and column.kind in _PARTS else "full", AGREED_SCORE)


def birth_dates(text: str, tables: Sequence[Table], spans: Sequence[Span], names: Sequence[Span]) -> list[Span]:
    """The spans, with dates made birth dates in tables of names without heading, where they lie decades apart.

    Dates of visits and orders lie close together; only those of birth are spread over the years.
    """
    if not names or not any(span.characteristic == "date" for span in spans):
        return list(spans)
    dates = {span.start: span for span in spans if span.characteristic == "date"}
    starts = [span.start for span in names]
    changed: set[Span] = set()
    firsts = sorted(dates)
    for table in tables:
        low, high = table.ends
        if bisect_left(starts, high) - bisect_left(starts, low) < len(table.lines):
            continue
        if bisect_left(firsts, high) - bisect_left(firsts, low) < _LIKE * len(table.lines):
            continue
        rows = table.rows
        columns = [
            [dates[start] for low, high in column if (start := _first_mark(text, low, high)) in dates]
            for column in zip(*rows, strict=True)
        ]
        full = [column for column in columns if len(column) >= _LIKE * len(rows)]
        if len(full) == 1 and full[0][0].start < rows[0][-1][1]:  # the first row has one: it is no heading
            years = [year for span in full[0] if (year := _year(text[span.start : span.end]))]
            if years and max(years) - min(years) >= _DECADES:
                changed.update(full[0])
    return [span._replace(characteristic="birth_date") if span in changed else span for span in spans]


def _first_mark(text: str, low: int, high: int) -> int:
    """Where a cell's value begins, past spaces and quotes."""
    while low < high and text[low] in " \"'":
        low += 1
    return low


def _year(date: str) -> int:
    match = _YEAR.search(date)
    return int(match.group()) if match is not None else 0
