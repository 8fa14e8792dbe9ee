"""Cells of a sheet -> text, numbers with a date format as dates."""

import functools
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from lxml import etree

from extraction.readers.xml.parse import local_name

_BUILT_IN_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')
_WORDS_IN_FORMULA = re.compile(r'"([^"]+)"')
_DATE_LETTERS = re.compile(r"[ymdhs]", re.I)
_MERGED = re.compile(rb'<(?:\w{1,20}:)?mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
MOST_MERGED = 5_000
MOST_ROWS_MERGED = 200
LONGEST_REPEATED = 200
MOST_REPEATED_CHARS = 1_000_000
_LAST_SERIAL = 2_958_466.0  # the day after 9999-12-31


def date_styles(styles: etree._Element | None) -> Iterator[int]:
    """The style numbers whose number format is a date or a time."""
    if styles is None:
        return
    custom = {entry.get("numFmtId"): entry.get("formatCode") or "" for entry in styles.iter("{*}numFmt")}
    cell_formats = next(styles.iter("{*}cellXfs"), None)
    for number, entry in enumerate(cell_formats if cell_formats is not None else ()):
        identifier = entry.get("numFmtId") or "0"
        code = custom.get(identifier)
        if is_date_format(int(identifier) if identifier.isdecimal() else 0, code):
            yield number


def is_date_format(identifier: int, code: str | None) -> bool:
    """Whether a number format, built in or with a code of its own, shows a date or a time."""
    if code is None:
        return identifier in _BUILT_IN_DATES
    return code.lower() != "general" and _DATE_LETTERS.search(_QUOTED.sub("", code)) is not None


def number_text(value: float, is_date: bool, epoch_1904: bool) -> str:
    """A binary cell value as it was typed."""
    if is_date:
        shown = date_text(value, epoch_1904)
        if shown:
            return shown
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


def date_text(serial: float, epoch_1904: bool) -> str:
    """Empty for a number outside the spreadsheet's calendar."""
    if not 0 <= serial < _LAST_SERIAL:
        return ""
    epoch = datetime(1904, 1, 1) if epoch_1904 else datetime(1899, 12, 30)
    moment = epoch + timedelta(seconds=round(serial * 86_400))
    if serial < 1:
        return moment.time().isoformat()
    return moment.date().isoformat() if moment.time() == datetime.min.time() else moment.isoformat(" ")


def column_number(address: str) -> int:
    """`C7` -> 2; -1 for what is no address."""
    return _number_of_letters(address.rstrip("0123456789"))


@functools.lru_cache(maxsize=20_000)
def _number_of_letters(letters: str) -> int:
    number = 0
    for letter in letters[:4]:
        if not "A" <= letter <= "Z":
            return -1
        number = number * 26 + ord(letter) - 64
    return number - 1


class MergedCells:
    """Repeats the value of cells that are merged down a column, so that each row of a patient has the name."""

    def __init__(self, sheet: bytes) -> None:
        self._last_rows: dict[tuple[int, int], int] = {}
        self._open: dict[int, tuple[str, int]] = {}
        self._chars_left = MOST_REPEATED_CHARS
        for match in islice(_MERGED.finditer(sheet), MOST_MERGED):
            first, last = int(match[2]), int(match[4])
            if first < last <= first + MOST_ROWS_MERGED:
                self._last_rows[first, column_number(match[1].decode())] = last

    def fill(self, row: int, cells: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Rows come in order."""
        if not self._last_rows or not cells:
            return cells
        for column, text in cells:
            last = self._last_rows.get((row, column))
            if last is not None and len(text) <= LONGEST_REPEATED:
                self._open[column] = (text, last)
        self._open = {column: entry for column, entry in self._open.items() if entry[1] >= row}
        taken = {column for column, _ in cells}
        repeated = [(column, text) for column, (text, _) in self._open.items() if column not in taken]
        self._chars_left -= sum(len(text) + 1 for _, text in repeated)
        return sorted([*cells, *repeated]) if repeated and self._chars_left > 0 else cells


class CellReader:
    def __init__(self, shared: Sequence[str], dates: frozenset[int], epoch_1904: bool) -> None:
        self._shared = shared
        self._dates = frozenset(str(number) for number in dates)
        self._epoch_1904 = epoch_1904
        self._used = bytearray(len(shared))

    def unused(self) -> list[str]:
        """Shared strings that no cell shows any more."""
        return [text for text, used in zip(self._shared, self._used, strict=True) if text and not used]

    def row(self, row: etree._Element) -> list[tuple[int, str]]:
        """The column and text of each cell that has a text; a cell without an address follows the one before."""
        cells: list[tuple[int, str]] = []
        column = -1
        for cell in row:
            if local_name(cell) != "c":
                continue
            stated = column_number(cell.get("r") or "")
            column = stated if stated > column else column + 1
            text = self._cell(cell)
            if text:
                cells.append((column, text))
        return cells

    def _cell(self, cell: etree._Element) -> str:
        kind = cell.get("t") or "n"
        if kind == "inlineStr":
            return "".join(entry.text or "" for entry in cell.iter("{*}t"))
        value = next((entry.text or "" for entry in cell if local_name(entry) == "v"), "")
        if kind == "s":
            return self._string(int(value)) if value.isdecimal() else ""
        if not value and (formula := next((entry.text or "" for entry in cell if local_name(entry) == "f"), "")):
            return " ".join(_WORDS_IN_FORMULA.findall(formula))  # it was never computed
        if kind == "n" and value and cell.get("s") in self._dates:
            return self._date(value)
        return value if kind != "n" else _plain_number(value)

    def _string(self, number: int) -> str:
        if number >= len(self._shared):
            return ""
        self._used[number] = 1
        return self._shared[number]

    def _date(self, value: str) -> str:
        try:
            serial = float(value)
        except ValueError:
            return value
        return date_text(serial, self._epoch_1904) or value


def _plain_number(value: str) -> str:
    """4.165550123E9 was typed as the telephone number 4165550123."""
    if "E" not in value and "e" not in value:
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else value
