"""Rows of a table -> passages of a few rows each, with the heading that says what the columns hold."""

import re
from collections.abc import Iterator, Sequence

from core.records import Passage

_MOST_ROWS = 6  # few enough that one telling row is not lost among others
_MOST_CHARS = 700
_HEADING_CHARS = 600
DELIMITERS = (("\t", 1), ("|", 2), (";", 2), (",", 2))  # and how many of them make a row
_QUOTED = re.compile(r'"[^"]*"')
_LONG_NUMBER = re.compile(r"\d{3}")
_LONGEST_HEADING_CELL = 40
_LONGEST_ROW = 5_000
_PROSE_CELL = 60  # characters a cell beyond which lines with commas are sentences
# Names of fields that a form has in its first column.
_FIELD = re.compile(
    r"\b(?:name|born|birth|dob|sex|gender|age|address|phone|telephone|tel|e-?mail|allerg\w*|diagnos\w*|medic\w*|mrn)\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    r"\b(?:\w{0,2}names?|nm|patients?|pts?|pat|clients?|members?|mbr|employees?|residents?|students?|child|who|person"
    r"|surname|first|last|nom|nombre|nachname|vorname|paciente|worker|donor|insured|claimant|doctors?|physicians?"
    r"|providers?|consultants?|nurses?|staff|authors?|contacts?|speakers?)\b",
    re.IGNORECASE,
)
_LEAST_FIELDS = 3
_MOST_FIELDS = 80  # rows; a longer table is a list
_FORM_CHARS = 1_800
Stretch = tuple[int, int]


def grouped(rows: Sequence[Stretch], first: int, carried: tuple[Stretch, ...]) -> Iterator[Passage]:
    """Neighbouring rows together, numbered from `first`."""
    low = 0
    while low < len(rows):
        high = low + 1
        while high < len(rows) and high - low < _MOST_ROWS and rows[high][1] - rows[low][0] <= _MOST_CHARS:
            high += 1
        number = first + low
        place = f"row {number:,}" if high == low + 1 else f"rows {number:,} to {first + high - 1:,}"
        yield Passage(rows[low][0], rows[high - 1][1], place, carried)
        low = high


def table_passages(text: str, rows: Sequence[Stretch], delimiter: str, first: int) -> Iterator[Passage]:
    """The first row is the heading where it reads like one; it is carried to all others. A form is one record."""
    if _is_form(text, rows, delimiter):
        yield from _form(rows, first)
        return
    heading = text[slice(*rows[0])]
    if len(rows) > 1 and is_heading(heading, delimiter):
        carried = ((rows[0][0], min(rows[0][1], rows[0][0] + _HEADING_CHARS)),)
        yield from grouped(rows[1:], first + 1, carried)
    else:
        yield from grouped(rows, first, ())


def _is_form(text: str, rows: Sequence[Stretch], delimiter: str) -> bool:
    """Two columns of which the first holds names of fields: its rows are about one person, not one each."""
    cells = [text[slice(*row)].strip("| \r").split(delimiter) for row in rows[: _MOST_FIELDS + 1]]
    return all(len(cell) == 2 for cell in cells) and names_fields([cell[0] for cell in cells])


def names_fields(labels: Sequence[str]) -> bool:
    """Whether the cells of a first column are the fields of a form."""
    fields = {label.strip().lower() for label in labels if _FIELD.search(label)}
    return len(labels) <= _MOST_FIELDS and len(fields) >= _LEAST_FIELDS


def _form(rows: Sequence[Stretch], first: int) -> Iterator[Passage]:
    """As few passages as possible; the fields at the top, which say who it is, are carried to the others."""
    low = 0
    while low < len(rows):
        high = low + 1
        while high < len(rows) and rows[high][1] - rows[low][0] <= _FORM_CHARS:
            high += 1
        carried = ((rows[0][0], min(rows[low - 1][1], rows[0][0] + _HEADING_CHARS)),) if low else ()
        yield Passage(rows[low][0], rows[high - 1][1], f"fields {first + low:,} to {first + high - 1:,}", carried)
        low = high


def lists_people(text: str, rows: Sequence[Stretch], delimiter: str) -> bool:
    """Whether the heading names a column of people: each row is then about somebody else."""
    heading = text[slice(*rows[0])]
    return is_heading(heading, delimiter) and _PEOPLE.search(heading.replace("_", " ")) is not None


def is_heading(line: str, delimiter: str) -> bool:
    """Short cells of words: a row with a number of three figures is data."""
    cells = [cell for cell in (piece.strip().strip('"') for piece in line.strip("| \r").split(delimiter)) if cell]
    worded = sum(any(map(str.isalpha, cell)) for cell in cells)
    return (
        bool(cells)
        and all(len(cell) <= _LONGEST_HEADING_CELL and _LONG_NUMBER.search(cell) is None for cell in cells)
        and worded == len(cells)
    )


def shape_of(line: str, delimiters: Sequence[tuple[str, int]] = DELIMITERS) -> tuple[str, int]:
    """What parts the cells of a line, and how many parts there are; nothing for a line that is no row."""
    if len(line) > _LONGEST_ROW:
        return "", 0
    plain = _QUOTED.sub("", line) if '"' in line else line
    if plain.startswith("\t") and "\t" not in plain.lstrip("\t"):
        return "", 0  # an indented line
    for delimiter, least in delimiters:
        count = plain.count(delimiter)
        if count >= least:
            return delimiter, count
    return "", 0


def is_table(text: str, rows: Sequence[Stretch], shape: tuple[str, int]) -> bool:
    """Lines of one shape that are no sentences with commas."""
    delimiter, count = shape
    if delimiter in ("\t", "|"):
        return len(rows) > 1
    wordy = sum(end - start > _PROSE_CELL * (count + 1) for start, end in rows)
    return (len(rows) > 2 or (len(rows) > 1 and count > 2)) and 2 * wordy < len(rows)
