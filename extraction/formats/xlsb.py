"""Binary Office Open XML workbook -> its cells row by row, sheet names, comments, drawings and properties."""

import re
import struct
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.media_types import XLSB
from extraction.readers.excel.biff import unpacked_number
from extraction.readers.excel.cells import is_date_format, number_text
from extraction.readers.excel.rows import SheetRows
from extraction.readers.excel.xlsb_records import records, wide_string
from extraction.readers.ooxml.package import Package, links, numbered, paragraphs, properties
from extraction.readers.text.strings import wide_runs

MEDIA_TYPES = frozenset({XLSB})
IS_ARCHIVE = False

_WORKBOOK = re.compile(r"xl/workbook\d*\.bin", re.I)
_SHARED = re.compile(r"xl/sharedStrings\d*\.bin", re.I)
_STYLES = re.compile(r"xl/styles\d*\.bin", re.I)
_SHEETS = re.compile(r"xl/(?:worksheets|chartsheets|macrosheets|dialogsheets)/[^/]+\.bin", re.I)
_COMMENTS = re.compile(r"xl/(?:comments/)?comments?\d*\.bin", re.I)
_CACHES = re.compile(r"xl/(?:externalLinks|pivotCache|tables|queryTables|connections|revisions)/?[^/]*\.bin", re.I)
_RECORDS = re.compile(r"xl/.+\.bin", re.I)
_DRAWINGS = (
    (re.compile(r"xl/drawings/drawing\d*\.xml", re.I), "drawing"),
    (re.compile(r"xl/charts/chart\d*\.xml", re.I), "chart"),
    (re.compile(r"xl/threadedComments/[^/]*\.xml|xl/persons/[^/]+\.xml", re.I), "comments"),
)
_ROW, _RK, _REAL, _INLINE, _SHARED_STRING, _FORMULA_STRING, _FORMULA_NUMBER, _INLINE_RICH = 0, 2, 5, 6, 7, 8, 9, 62
_STRING_ITEM, _FORMAT, _CELL_STYLE, _CELL_STYLES_BEGIN, _CELL_STYLES_END = 19, 44, 47, 617, 618
_SHEET_NAME, _BOOK_PROPERTIES, _COMMENT_AUTHOR, _COMMENT_TEXT, _HEADING = 156, 153, 632, 637, 479


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    package = Package(content, budget)
    names, epoch_1904 = _workbook(package)
    if names:
        yield Segment("sheet names", "\n".join(names))
    strings = [
        wide_string(data, 1)
        for name in package.matching(_SHARED)
        for kind, data in records(package.read(name))
        if kind == _STRING_ITEM
    ]
    cells = _Cells(strings, _date_styles(package), epoch_1904)
    for number, name in enumerate(package.matching(_SHEETS), 1):
        yield from cells.segments(package.read(name), f"sheet {number}")
    for name in package.matching(_COMMENTS):
        yield Segment("comments" + numbered(name), "\n".join(_comments(package.read(name))))
    for pattern, where in _DRAWINGS:
        for name in package.matching(pattern):
            yield Segment(where + numbered(name), paragraphs(package.tree(name)))
    for name in package.matching(_CACHES):
        yield Segment(name, wide_runs(package.read(name)))
    yield from properties(package)
    yield from links(package)
    yield from package.embedded()
    yield from package.rest(_RECORDS)
    package.finish()
    if cells.damaged:
        raise StoppedError(Status.PARTIAL, "corrupt (broken records)")


def _workbook(package: Package) -> tuple[list[str], bool]:
    names: list[str] = []
    epoch_1904 = False
    for part in package.matching(_WORKBOOK):
        for kind, data in records(package.read(part)):
            if kind == _SHEET_NAME:
                relation = int.from_bytes(data[8:12], "little")
                names.append(wide_string(data, 12 + (0 if relation == 0xFFFFFFFF else relation * 2)))
            elif kind == _BOOK_PROPERTIES:
                epoch_1904 = bool(data[:1] and data[0] & 1)
    return names, epoch_1904


def _date_styles(package: Package) -> frozenset[int]:
    codes: dict[int, str] = {}
    styles: list[int] = []
    counting = False
    for part in package.matching(_STYLES):
        for kind, data in records(package.read(part)):
            if kind == _FORMAT:
                codes[int.from_bytes(data[:2], "little")] = wide_string(data, 2)
            elif kind in (_CELL_STYLES_BEGIN, _CELL_STYLES_END):
                counting = kind == _CELL_STYLES_BEGIN
            elif kind == _CELL_STYLE and counting:
                styles.append(int.from_bytes(data[2:4], "little"))
    return frozenset(number for number, form in enumerate(styles) if is_date_format(form, codes.get(form)))


def _comments(data: bytes) -> Iterator[str]:
    for kind, payload in records(data):
        if kind == _COMMENT_AUTHOR:
            yield wide_string(payload, 0)
        elif kind == _COMMENT_TEXT:
            yield wide_string(payload, 1)


class _Cells:
    def __init__(self, strings: list[str], dates: frozenset[int], epoch_1904: bool) -> None:
        self._strings = strings
        self._dates = dates
        self._epoch_1904 = epoch_1904
        self.damaged = False

    def segments(self, data: bytes, where: str) -> Iterator[Segment]:
        rows = SheetRows()
        yield from rows.start(where)
        row = 0
        for kind, payload in records(data):
            if kind == _ROW and len(payload) >= 4:
                row = int.from_bytes(payload[:4], "little")
            else:
                try:
                    rows.add(row, 0, self._text(kind, payload))
                except struct.error:
                    self.damaged = True
                yield from rows.full()
        yield from rows.flush()

    def _text(self, kind: int, data: bytes) -> str:
        if kind in (_INLINE, _FORMULA_STRING):
            return wide_string(data, 8)
        if kind == _INLINE_RICH:
            return wide_string(data, 9)
        if kind == _SHARED_STRING:
            (number,) = struct.unpack_from("<I", data, 8)
            return self._strings[number] if number < len(self._strings) else ""
        if kind == _RK:
            return self._number(data, unpacked_number(struct.unpack_from("<I", data, 8)[0]))
        if kind in (_REAL, _FORMULA_NUMBER):
            return self._number(data, struct.unpack_from("<d", data, 8)[0])
        if kind == _HEADING:
            return _headings(data)
        return ""

    def _number(self, data: bytes, value: float) -> str:
        style = int.from_bytes(data[4:7], "little")
        return number_text(value, style in self._dates, self._epoch_1904) if value == value else ""


def _headings(data: bytes) -> str:
    place = 2
    texts: list[str] = []
    while place + 4 <= len(data):
        text = wide_string(data, place)
        texts.append(text)
        place += 4 + len(text) * 2
    return " ".join(filter(None, texts))
