"""Rows under a heading -> the cells of columns that the heading says hold names."""

import re
from collections.abc import Iterator, Sequence

from core.records import Span
from screening.entities.word_groups import words_of

COLUMN_SCORE = 0.9
_DELIMITERS = ("\t", ";", "|", ",")
_FULL = words_of("columns_of_full_names")
_LAST = words_of("columns_of_last_names")
_FIRST = words_of("columns_of_first_names")
_INITIALS = words_of("columns_of_initials")
_NAME = re.compile(
    r"(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?"
    r"([^\W\d_]+(?:[ .'’-]{1,3}[^\W\d_]+){0,4}(?:, ?(?!(?:MD|M\.D|RN)\b)[^\W\d_]+(?:[ '’-][^\W\d_]+\.?){0,2})?)"
    r"\.?(?:,? (?:MD|M\.D\.|RN))?"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NOT_LETTERS = re.compile(r"[\W\d_]+")
_HEADING = re.compile(
    r"(?:nam|patient|nom|last|first|doctor|physician|consultant|manager|nurse|apellido|supervisor|advisor|student|client|employee)",
    re.IGNORECASE,
)
_FEWEST_ROWS = 2
# A line of short cells; prose fails early. A cell ends only at its delimiter, so nothing is ever tried twice.
_ROW = re.compile(
    r"^[^\t;|,\n]{0,42}+"
    r"(?:(?:\t[^\t\n]{0,42}+){1,60}+|(?:;[^;\n]{0,42}+){1,60}+|(?:\|[^|\n]{0,42}+){1,60}+|(?:,[^,\n]{0,42}+){1,60}+)$",
    re.MULTILINE,
)


def rows_in(text: str) -> list[re.Match[str]]:
    """The lines that look like rows of a table; text without such lines costs one look at each line's beginning."""
    return list(_ROW.finditer(text))


def name_cells(text: str, lines: Sequence[re.Match[str]]) -> list[Span]:
    """Spans of names in columns whose heading, one of the lines, says so."""
    spans: list[Span] = []
    looked = 0
    for line in lines:
        if line.start() < looked or _HEADING.search(text, line.start(), line.end()) is None:
            continue
        kinds, delimiter = _columns(line.group().rstrip("\r"))
        if any(kind not in ("", "initials") for kind in kinds):
            below, looked = _below(text, line.end() + 1, kinds, delimiter)
            spans += below
    return spans


def delimiter_of(line: str) -> str:
    return max(_DELIMITERS, key=line.count)


def _columns(line: str) -> tuple[list[str], str]:
    """What kind of name each column holds, and what parts the columns."""
    delimiter = delimiter_of(line)
    cells = [cell.strip().strip('"') for cell in line.split(delimiter)]
    if len(cells) < 2 or any(len(cell) > 40 or cell.count(" ") > 3 for cell in cells):
        return [], delimiter
    return [heading_kind(cell) for cell in cells], delimiter


def heading_kind(cell: str) -> str:
    """The kind of name below a heading, or an empty text."""
    plain = _NOT_LETTERS.sub("", cell).lower()
    if plain in _LAST:
        return "last_name"
    if plain in _FIRST:
        return "first_name"
    if plain in _INITIALS:
        return "initials"
    return "full" if plain in _FULL else ""


def _below(text: str, start: int, kinds: list[str], delimiter: str) -> tuple[list[Span], int]:
    """Spans of all rows that have as many cells as the heading, and where they end."""
    spans: list[Span] = []
    rows = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        cells = cells_of(text, start, end, delimiter)
        if len(cells) != len(kinds):
            break
        rows += 1
        for (low, high), kind in zip(cells, kinds, strict=True):
            if kind:
                spans += cell_spans(text, low, high, kind, COLUMN_SCORE)
        start = end + 1
    return (spans if rows >= _FEWEST_ROWS else []), start


def cells_of(text: str, start: int, end: int, delimiter: str) -> list[tuple[int, int]]:
    """Cells of a row; a delimiter between quotes is none."""
    cells: list[tuple[int, int]] = []
    begin = at = start
    quoted = False
    for piece in text[start:end].split(delimiter):
        quoted ^= piece.count('"') % 2 == 1
        at += len(piece) + 1
        if not quoted:
            cells.append((begin, at - 1))
            begin = at
    return cells


def cell_name(text: str, low: int, high: int) -> tuple[int, int] | None:
    """Where the name is in a cell that may hold one, without titles and degrees."""
    match = _NAME.fullmatch(text[low:high].strip().strip('"'))
    if match is None:
        return None
    low = text.index(match.group(1), low, high)
    return low, low + len(match.group(1))


def cell_spans(text: str, low: int, high: int, kind: str, score: float) -> Iterator[Span]:
    name = cell_name(text, low, high)
    if name is None:
        return
    low, high = name
    words = [(word.start(), word.end()) for word in _WORD.finditer(text, low, high)]
    comma = text.find(",", low, high)
    for number, (start, end) in enumerate(words):
        if end - start == 1:
            characteristic = "initials"
        elif kind != "full":
            characteristic = kind
        elif comma >= 0:
            characteristic = "last_name" if start < comma else "first_name"
        else:
            characteristic = "last_name" if number == len(words) - 1 else "first_name"
        yield Span(start, end, characteristic, score)
