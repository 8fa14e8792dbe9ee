"""A stretch of plain text -> paragraphs, joined or cut to a fair size, and the rows of the tables between them."""

import re
from collections.abc import Iterator

from core.records import Passage
from screening.passages.rows import DELIMITERS, Stretch, is_table, lists_people, shape_of, table_passages

_LEAST_CHARS = 350
_MOST_CHARS = 1_400
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
    for low, high in _paragraphs(text, start, end):
        if text.find("\n", low, high) > 0 and any(
            text.count(delimiter, low, high) >= 2 * least for delimiter, least in DELIMITERS
        ):
            yield from _with_tables(text, low, high)
        else:
            yield low, high


def _paragraphs(text: str, start: int, end: int) -> Iterator[Stretch]:
    at = start
    blanks = _BLANK_LINES if text.find(_PAGE_END, start, end) < 0 else _BLANK_LINES_OR_PAGES
    for blank in blanks.finditer(text, start, end):
        if at < blank.start():
            yield at, blank.start()
        at = blank.end()
    if at < end and not text[at:end].isspace():
        yield at, end - (text[end - 1] == "\n")


def _with_tables(text: str, start: int, end: int) -> Iterator[Stretch | _Table]:
    lines = list(_lines(text, start, end))
    delimiters = [each for each in DELIMITERS if text.find(each[0], start, end) >= 0]
    shapes = [shape_of(text[low:high], delimiters) for low, high in lines]
    paragraph: Stretch | None = None
    at = 0
    while at < len(lines):
        shape = shapes[at]
        after = at + 1
        if shape[1]:
            while after < len(lines) and shapes[after] == shape:
                after += 1
            if is_table(text, lines[at:after], shape):
                if paragraph is not None and paragraph[0] < paragraph[1]:  # not the blank line that opens a page
                    yield paragraph
                paragraph = None
                yield _Table(lines[at:after], shape[0])
                at = after
                continue
        paragraph = (lines[at][0] if paragraph is None else paragraph[0], lines[after - 1][1])
        at = after
    if paragraph is not None:
        yield paragraph


def _lines(text: str, start: int, end: int) -> Iterator[Stretch]:
    at = start
    while at < end:
        high = text.find("\n", at, end)
        high = end if high < 0 else high
        yield at, high
        at = high + 1


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
