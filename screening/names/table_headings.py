"""Rows under a heading -> the cells of columns that the heading says hold names, birth dates or numbers of a person."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from core.records import Span
from screening.entities.word_groups import words_of
from screening.names.row_lines import DELIMITERS, Stretch
from screening.patterns.validators import VALIDATORS

COLUMN_SCORE = 0.9
_FULL = words_of("columns_of_full_names")
_LAST = words_of("columns_of_last_names")
_FIRST = words_of("columns_of_first_names")
_INITIALS = words_of("columns_of_initials")
_BIRTH_DATE = "birth_date"
_NUMBERS = {
    _BIRTH_DATE: words_of("columns_of_birth_dates"),
    "medical_record_number": words_of("columns_of_record_numbers"),
    "health_plan_number": words_of("columns_of_plan_numbers"),
    "ssn": words_of("columns_of_social_security_numbers"),
    "nhs_number": words_of("columns_of_nhs_numbers"),
}
_KINDS = {
    **{word: kind for kind, words in _NUMBERS.items() for word in words},
    **dict.fromkeys(_FULL, "full"),
    **dict.fromkeys(_INITIALS, "initials"),
    **dict.fromkeys(_FIRST, "first_name"),
    **dict.fromkeys(_LAST, "last_name"),
}
_OWNERS = words_of("owners_of_columns")
_HEADING_PARTS = re.compile(r"[A-ZÀ-Þ]?[a-zà-ÿ]+|[A-ZÀ-Þ]+(?![a-zà-ÿ])")
_DATE = re.compile(
    r"(?:\d{4}[-/.]?\d{1,2}[-/.]?\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{8}"
    r"|[^\W\d_]{3,9}\.? \d{1,2},? \d{4}|\d{1,2}[ -][^\W\d_]{3,9}\.?[ -]\d{2,4})"
    r"(?=(?:[T ]\d\d:\d\d[\d:.Z+-]*)?$)"
)
_NUMBER = re.compile(r"#?([A-Z]{0,5}[ -]?\d[\dA-Z ./-]{2,22})", re.IGNORECASE)
_SSN = re.compile(r"\d{3}[- ]?\d{2}[- ]?\d{4}")
_NAME = re.compile(
    r"(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?"
    r"([^\W\d_]+(?:[ .'’-]{1,3}[^\W\d_]+){0,4}(?:, ?(?!(?:MD|M\.D|RN)\b)[^\W\d_]+(?:[ '’-][^\W\d_]+\.?){0,2})?)"
    r"\.?(?:,? (?:MD|M\.D\.|RN))?"
)
_TITLES = frozenset(("Dr", "Mr", "Mrs", "Ms"))  # of the names above
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NOT_LETTERS = re.compile(r"[\W\d_]+")
_FIGURES = re.compile(r"(?:[^\d\n]*+\d){5}")  # a heading has fewer, most rows have more
# What headings have in them; the exact words decide afterwards.
_HEADING = re.compile(
    r"nam|nm|nom|patient|last|first|doctor|physician|consultant|manager|nurse|apellido|supervisor|advisor|"
    r"student|client|employee|dob|birth|brth|bday|bdate|born|ddn|naiss|geb|nac|mrn|medrec|chart|ssn|nhs"
    r"|member|medica|surn|paci|donor|resident|child"
)
_REMEMBERED = 4_096  # cells: columns say the same over and over
_FEWEST_ROWS = 2  # one is enough where the heading says of several columns what they hold
_LONGEST_HEADING = 32
_MOST_ASKED = 200  # words of a column that are looked up
_LIKE_NAMES = 0.6  # share of them that must be possible names
_span = partial(tuple.__new__, Span)  # half the time of Span(...)


def name_cells(text: str, lines: Sequence[Stretch], could_be_name: Callable[[str], bool] = bool) -> list[Span]:
    """Spans of names in columns whose heading, one of the lines, says so.

    A column of words that `could_be_name` denies holds no people, whatever its heading: `Name` is above anything.
    """
    spans: list[Span] = []
    looked = 0
    for start, end in lines:
        if start < looked or _FIGURES.match(text, start, end) is not None:
            continue
        line = text[start:end]
        if _HEADING.search(line.lower()) is None:
            continue
        kinds, delimiter = _columns(line.rstrip("\r"))
        if any(kind in ("full", "first_name", "last_name", _BIRTH_DATE) for kind in kinds):
            below, looked = _below(text, end + 1, kinds, delimiter, could_be_name)
            spans += below
    return spans


def delimiter_of(line: str) -> str:
    return max(DELIMITERS, key=line.count)


def _columns(line: str) -> tuple[list[str], str]:
    """What kind of name each column holds, and what parts the columns."""
    delimiter = delimiter_of(line)
    cells = [cell.strip().strip('"') for cell in line.split(delimiter)]
    if len(cells) < 2 or any(len(cell) > 40 or cell.count(" ") > 3 for cell in cells):
        return [], delimiter
    return [heading_kind(cell) for cell in cells], delimiter


def heading_kind(cell: str) -> str:
    """What is below a heading: a kind of name, or the characteristic of a date or number; empty if neither."""
    plain = _NOT_LETTERS.sub("", cell).lower()
    kind = _KINDS.get(plain)
    if kind is None and len(plain) < _LONGEST_HEADING:
        parts = [part.lower() for part in _HEADING_PARTS.findall(cell)]
        while parts and parts[0] in _OWNERS:
            del parts[0]
        kind = _KINDS.get("".join(parts))
    return kind or ""


def _below(
    text: str, start: int, kinds: list[str], delimiter: str, could_be_name: Callable[[str], bool]
) -> tuple[list[Span], int]:
    """Spans of all rows that have as many cells as the heading, and where they end."""
    columns: list[list[Span]] = [[] for _ in kinds]
    rows = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        cells = cell_texts(text[start:end], delimiter)
        if len(cells) != len(kinds):
            break
        rows += 1
        low = start
        for cell, kind, column in zip(cells, kinds, columns, strict=True):
            if kind:
                for first, last, characteristic in _values_in(cell, kind):
                    column.append(_span((low + first, low + last, characteristic, COLUMN_SCORE)))
            low += len(cell) + 1
        start = end + 1
    if rows < (1 if sum(map(bool, kinds)) > 1 else _FEWEST_ROWS):
        return [], start
    own = (
        column
        for column, kind in zip(columns, kinds, strict=True)
        if is_number(kind) or holds_people(text, column, could_be_name)
    )
    return sorted((span for column in own for span in column), key=lambda span: span.start), start


def is_number(kind: str) -> bool:
    """Whether a heading of this kind is above dates or numbers."""
    return kind in _NUMBERS


def holds_people(text: str, column: Sequence[Span], could_be_name: Callable[[str], bool]) -> bool:
    asked = column[:_MOST_ASKED]
    return sum(could_be_name(text[span.start : span.end]) for span in asked) >= _LIKE_NAMES * len(asked)


def cells_of(text: str, start: int, end: int, delimiter: str) -> list[tuple[int, int]]:
    """Where the cells of a row are."""
    cells: list[tuple[int, int]] = []
    for cell in cell_texts(text[start:end], delimiter):
        end = start + len(cell)
        cells.append((start, end))
        start = end + 1
    return cells


def cell_texts(row: str, delimiter: str) -> list[str]:
    """Cells of a row, at least one; a delimiter between quotes is none. A quote that never closes ends with the row."""
    pieces = row.split(delimiter)
    if '"' not in row:
        return pieces
    cells: list[str] = []
    waiting: list[str] = []
    quoted = False
    for piece in pieces:
        waiting.append(piece)
        quoted ^= piece.count('"') % 2 == 1
        if not quoted:
            cells.append(delimiter.join(waiting))
            waiting = []
    if quoted:
        cells.append(delimiter.join(waiting))
    return cells


def cell_name(text: str, low: int, high: int) -> tuple[int, int] | None:
    """Where the name is in a cell that may hold one, without titles and degrees."""
    name = _name_in(text[low:high])
    return None if name is None else (low + name[0], low + name[1])


def _name_in(cell: str) -> tuple[int, int] | None:
    return (0, len(cell)) if _plain_words(cell) else _any_name_in(cell)


def _plain_words(cell: str) -> tuple[str, ...]:
    """One or two words of letters that fill a cell, as most names do; nothing where there may be a title or a mark."""
    one, gap, two = cell.partition(" ")
    if not one.isalpha() or (gap and (one in _TITLES or not two.isalpha())):
        return ()
    return (one, two) if gap else (one,)


@lru_cache(maxsize=_REMEMBERED)
def _any_name_in(cell: str) -> tuple[int, int] | None:
    match = _NAME.fullmatch(cell.strip().strip('"'))
    if match is None:
        return None
    low = cell.index(match.group(1))
    return low, low + len(match.group(1))


def cell_spans(text: str, low: int, high: int, kind: str, score: float) -> Iterator[Span]:
    """What a cell of this kind of column holds."""
    for start, end, characteristic in _values_in(text[low:high], kind):
        yield Span(low + start, low + end, characteristic, score)


def _values_in(cell: str, kind: str) -> tuple[tuple[int, int, str], ...]:
    """Numbers hardly recur, so they are not remembered; names of plain words are taken apart in as little time."""
    if kind in _NUMBERS:
        return _number_in(cell, kind) if cell else ()
    words = _plain_words(cell)
    if not words:
        return _parts_of_any(cell, kind)
    whole, full = len(cell), kind == "full"
    last = "initials" if len(words[-1]) == 1 else "last_name" if full else kind
    if len(words) == 1:
        return ((0, whole, last),)
    first = "initials" if len(words[0]) == 1 else "first_name" if full else kind
    return (0, len(words[0]), first), (whole - len(words[1]), whole, last)


@lru_cache(maxsize=_REMEMBERED)
def _parts_of_any(cell: str, kind: str) -> tuple[tuple[int, int, str], ...]:
    return tuple(_parts_in(cell, kind))


def _parts_in(cell: str, kind: str) -> Iterator[tuple[int, int, str]]:
    name = _name_in(cell)
    if name is None:
        return
    words = [word.span() for word in _WORD.finditer(cell, *name)]
    comma = cell.find(",", *name)
    for number, (start, end) in enumerate(words):
        if end - start == 1:
            characteristic = "initials"
        elif kind != "full":
            characteristic = kind
        elif comma >= 0:
            characteristic = "last_name" if start < comma else "first_name"
        else:
            characteristic = "last_name" if number == len(words) - 1 else "first_name"
        yield start, end, characteristic


def _number_in(cell: str, kind: str) -> tuple[tuple[int, int, str], ...]:
    """The date or number of a cell, if it has the form of one."""
    value = cell.strip().strip("\"'")
    if kind == _BIRTH_DATE:
        match = _DATE.match(value)
        valid = match is not None and VALIDATORS["calendar-date"](match.group())
    elif kind == "ssn":
        match = _SSN.fullmatch(value)
        valid = match is not None
    else:
        match = _NUMBER.fullmatch(value)
        valid = match is not None and VALIDATORS["mixed-code"](match.group())
    if match is None or not valid:
        return ()
    start = 0 if len(value) == len(cell) else cell.index(value)
    return ((start, start + match.end(), kind),)
