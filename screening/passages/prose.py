"""A stretch of plain text -> paragraphs, joined or cut to a fair size, and the rows of the tables between them."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from core.records import Passage
from screening.passages.alike_lines import ends_of_alike_lines
from screening.passages.rows import DELIMITERS, Stretch, is_table, lists_people, shape_of, table_passages

_LEAST_CHARS = 350
_MOST_CHARS = 1_400
_LONG = 10_000  # characters from which arrays are faster
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_BLANK_LINES_OR_PAGES = re.compile(r"\n[^\S\n]*\n\s*|\f\s*")  # takes ten times as long
_PAGE_END = "\f"


def prose_passages(text: str, start: int, end: int, whole: int) -> Iterator[Passage]:
    """A stretch of at most `whole` characters stays together, but for tables of people."""
    blocks = list(_blocks(text, start, end))
    most = whole if end - start <= whole else _MOST_CHARS
    if most == whole and not any(isinstance(block, _Table) and _stands_alone(text, block) for block in blocks):
        if blocks:
            yield Passage(_ends(blocks[0])[0], _ends(blocks[-1])[1], "paragraph 1")
        return
    waiting: Stretch | None = None
    number = 0
    rows_before = 0
    for block in blocks:
        if isinstance(block, _Table):
            if waiting is not None:
                number += 1
                yield from _cut(text, waiting, number, most)
                waiting = None
            yield from table_passages(text, block.rows, block.delimiter, rows_before + 1)
            rows_before += len(block.rows)
        elif waiting is not None and block[1] - waiting[0] <= most and _PAGE_END not in text[waiting[1] : block[0]]:
            waiting = (waiting[0], block[1])
        else:
            if waiting is not None:
                number += 1
                yield from _cut(text, waiting, number, most)
            waiting = block
    if waiting is not None:
        yield from _cut(text, waiting, number + 1, most)


class _Table:
    __slots__ = ("delimiter", "rows")

    def __init__(self, rows: list[Stretch], delimiter: str) -> None:
        self.rows, self.delimiter = rows, delimiter


def _stands_alone(text: str, table: _Table) -> bool:
    return lists_people(text, table.rows, table.delimiter)


def _ends(block: Stretch | _Table) -> Stretch:
    return (block.rows[0][0], block.rows[-1][1]) if isinstance(block, _Table) else block


def _blocks(text: str, start: int, end: int) -> Iterator[Stretch | _Table]:
    """Paragraphs, which end at a blank line, and tables."""
    by_arrays = end - start >= _LONG and text.find(_PAGE_END, start, end) < 0  # which may be amid a line
    alike = ends_of_alike_lines(text, start, end) if by_arrays else None
    delimiters = [each for each in DELIMITERS if text.find(each[0], start, end) >= 0]
    before = start
    for low, high in _paragraphs(text, start, end):
        if alike is None or text.find("\t", before, low) >= 0:  # that of its first line was passed over
            may_have_table = text.find("\n", low, high) > 0 and _has_delimiters(text, low, high, delimiters)
            groups = [_lines(text, low, high)] if may_have_table else []
        else:
            groups = list(_groups(text, low, high, alike))
        if groups:
            yield from _with_tables(text, low, high, groups)
        else:
            yield low, high
        before = high


def _has_delimiters(text: str, low: int, high: int, delimiters: Sequence[tuple[str, int]]) -> bool:
    """As many as two rows have."""
    for delimiter, least in delimiters:  # noqa: SIM110 - `any` takes twice as long
        if text.count(delimiter, low, high) >= 2 * least:
            return True
    return False


def _groups(text: str, low: int, high: int, alike: Sequence[int]) -> Iterator[list[Stretch]]:
    """Lines behind each other that may be rows of one table; a line and the next are alike at these ends of lines."""
    end = low - 1  # of the last line that is in a group
    group: list[Stretch] = []
    for meeting in alike[bisect_left(alike, low) : bisect_left(alike, high)]:
        if meeting != end:
            if group:
                yield group
            group = [(text.rfind("\n", low, meeting) + 1 or low, meeting)]
        end = text.find("\n", meeting + 1, high)
        end = high if end < 0 else end
        group.append((meeting + 1, end))
    if group:
        yield group


def _paragraphs(text: str, start: int, end: int) -> Iterator[Stretch]:
    at = start
    blanks = _BLANK_LINES if text.find(_PAGE_END, start, end) < 0 else _BLANK_LINES_OR_PAGES
    for blank in blanks.finditer(text, start, end):
        if at < blank.start():
            yield at, blank.start()
        at = blank.end()
    if at < end and not text[at:end].isspace():
        yield at, end - (text[end - 1] == "\n")


def _with_tables(text: str, low: int, high: int, groups: Iterable[Sequence[Stretch]]) -> Iterator[Stretch | _Table]:
    """The tables among these lines, and the paragraphs between them."""
    for table in (table for lines in groups for table in _tables(text, lines)):
        first, last = _ends(table)
        if low < first - 1:  # not the blank line that opens a page
            yield low, first - 1
        yield table
        low = last + 1
    if low < high:
        yield low, high


def _tables(text: str, lines: Sequence[Stretch]) -> Iterator[_Table]:
    """Lines of one shape that follow each other."""
    rows = [text[low:high] for low, high in lines]
    delimiters = [each for each in DELIMITERS if any(each[0] in row for row in rows)]
    shapes = [shape_of(row, delimiters) for row in rows]
    at = 0
    while at < len(lines):
        shape, after = shapes[at], at + 1
        if shape[1]:
            while after < len(lines) and shapes[after] == shape:
                after += 1
            if is_table(text, lines[at:after], shape):
                yield _Table(list(lines[at:after]), shape[0])
        at = after


def _lines(text: str, start: int, end: int) -> list[Stretch]:
    lines: list[Stretch] = []
    for row in text[start:end].split("\n"):
        lines.append((start, start + len(row)))
        start += len(row) + 1
    return lines


def _cut(text: str, stretch: Stretch, number: int, most: int) -> Iterator[Passage]:
    """A long paragraph is cut at line ends or sentences."""
    start, end = stretch
    while end - start > most + _LEAST_CHARS:
        cut = max(
            text.rfind("\n", start + _LEAST_CHARS, start + most), text.rfind(". ", start + _LEAST_CHARS, start + most)
        )
        cut = start + most if cut < 0 else cut + 1
        yield Passage(start, cut, f"paragraph {number:,}")
        start = cut
    yield Passage(start, end, f"paragraph {number:,}")
