"""Names found in a text -> the same, corrected by columns: what fills most cells of a column fills the rest of it."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.records import Span
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
_PARTS = {"first_name", "last_name"}
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
        return {self.kind, own} == _PARTS and text.find(" ", *name) < 0

    @property
    def share_of_first_names(self) -> float:
        return self.kinds["first_name"] / max(1, self.taken)

    @property
    def no_names(self) -> bool:
        alike = self.filled >= _ALIKE * len(self.values)
        return self.others > self.taken or self.taken <= (_FEW_ALIKE if alike else _FEW) * self.filled


def agreed(text: str, lines: Sequence[re.Match[str]], spans: Sequence[Span]) -> list[Span]:
    """`lines` are those that look like rows of a table; `spans` come in the order of the text."""
    if not any(span.characteristic in NAMES for span in spans):
        return list(spans)
    starts = [span.start for span in spans]
    dropped: set[Span] = set()
    added: list[Span] = []
    for rows in _tables(text, lines):
        low, high = rows[0][0][0], rows[-1][-1][1]
        mine = spans[bisect_left(starts, low) : bisect_left(starts, high)]
        if any(span.characteristic in NAMES for span in mine) and not _is_form(text, rows):
            more, fewer = _settled(text, rows, mine)
            added += more
            dropped |= fewer
    added.sort(key=lambda span: span.start)
    if not added and not dropped:
        return list(spans)
    kept = [span for span in spans if span not in dropped and not _is_within(span, added)]
    return sorted([*kept, *added], key=lambda span: span.start)


def _is_within(span: Span, added: Sequence[Span]) -> bool:
    """Whether the columns made something else of it: a place, say, in a column of names."""
    at = bisect_left(added, span.end, key=lambda each: each.start) - 1
    return at >= 0 and added[at].end > span.start


def _is_form(text: str, rows: Sequence[Cells]) -> bool:
    """The values of a form have nothing in common: its one name must not be voted down."""
    return len(rows[0]) == 2 and names_fields([text[low:high] for (low, high), _ in rows])


def _tables(text: str, lines: Sequence[re.Match[str]]) -> Iterator[list[Cells]]:
    """Rows of lines that follow each other and have the same number of cells."""
    tables: dict[tuple[str, int], list[Cells]] = defaultdict(list)
    end = -1
    for line in lines:
        delimiter = delimiter_of(line.group())
        cells = cells_of(text, line.start(), line.end(), delimiter)
        if line.start() != end + 1:
            yield from (rows for rows in tables.values() if len(rows) >= _FEWEST_ROWS)
            tables.clear()
        tables[delimiter, len(cells)].append(cells)
        end = line.end()
    yield from (rows for rows in tables.values() if len(rows) >= _FEWEST_ROWS)


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
    for number, column in enumerate(columns):
        if not column.names and not column.no_names:
            continue
        for row in rows[headed:]:
            low, high = row[number]
            name = cell_name(text, low, high) if column.names or names.touches(low, high) else None
            if name is not None and (names.fills(*name) != column.names or column.differs(text, name, names)):
                settled.add(low, high)
                added += _as_the_others(text, (low, high), column) if column.names else ()
    return added, {span for span in names.spans if settled.touches(span.start, span.start + 1)}


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
        for span in spans:
            self.add(span.start, span.end)

    def add(self, low: int, high: int) -> None:
        self._covered[low - self._offset : high - self._offset] = b"\1" * (high - low)

    def touches(self, low: int, high: int) -> bool:
        return self._covered.find(1, low - self._offset, high - self._offset) >= 0

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
        column.figures += any(map(str.isdigit, value))
        column.others += others.fills(low, high)
        name = cell_name(text, low, high)
        if name is not None:
            column.like += 1
            if names.fills(*name):
                column.taken += 1
                column.kinds[names.kinds.get(name[0], "")] += 1
    return column


def _is_heading(text: str, first: Cells, columns: Sequence[_Column]) -> bool:
    """A first row that says what is below: by known words, or without figures where a column below has them."""
    cells = [text[low:high] for low, high in first]
    if any(column.names and heading_kind(cell) for cell, column in zip(cells, columns, strict=True)):
        return True
    figures = any(column.filled and column.figures >= _MOST * column.filled for column in columns)
    return figures and not any(map(str.isdigit, "".join(cells)))


def _as_the_others(text: str, cell: tuple[int, int], column: _Column) -> Iterator[Span]:
    single = " " not in text[slice(*cell)].strip()
    yield from cell_spans(text, *cell, column.kind if single and column.kind in _PARTS else "full", AGREED_SCORE)


def birth_dates(text: str, lines: Sequence[re.Match[str]], spans: Sequence[Span], names: Sequence[Span]) -> list[Span]:
    """The spans, with dates made birth dates in tables of names without heading, where they lie decades apart.

    Dates of visits and orders lie close together; only those of birth are spread over the years.
    """
    if not names or not any(span.characteristic == "date" for span in spans):
        return list(spans)
    dates = {span.start: span for span in spans if span.characteristic == "date"}
    starts = [span.start for span in names]
    changed: set[Span] = set()
    for rows in _tables(text, lines):
        low, high = rows[0][0][0], rows[-1][-1][1]
        if bisect_left(starts, high) - bisect_left(starts, low) < len(rows):
            continue
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
