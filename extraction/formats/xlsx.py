"""Spreadsheet -> its cells row by row, sheet names, comments, drawings, hidden caches and properties."""

import io
import re
from collections.abc import Iterator

from lxml import etree

from core.records import Segment
from extraction.content import Content
from extraction.format import Member, fault_of
from extraction.limits.budget import Budget
from extraction.media_types import XLSX
from extraction.readers.excel.cells import CellReader, MergedCells, date_styles
from extraction.readers.excel.rows import RowLines
from extraction.readers.ooxml.package import Package, free, links, numbered, paragraphs, properties
from extraction.readers.ooxml.said_in_attributes import said_by
from extraction.readers.xml.parse import local_name, safe_events

MEDIA_TYPES = frozenset({XLSX})
IS_ARCHIVE = False

SEGMENT_CHARS = 1 << 18
_SHEETS = re.compile(r"xl/(?:worksheets|chartsheets|macrosheets|dialogsheets)/[^/]+\.xml", re.I)
_SHARED = re.compile(r"xl/sharedStrings\d*\.xml", re.I)
_STYLES = re.compile(r"xl/styles\d*\.xml", re.I)
_WORKBOOK = re.compile(r"xl/workbook\d*\.xml", re.I)
_WORKBOOK_RELATIONS = re.compile(r"xl/_rels/workbook\d*\.xml\.rels", re.I)
_PIVOT = re.compile(r"xl/pivotCache/pivotCache(?:Definition|Records)\d*\.xml", re.I)
_PARTS = (
    (re.compile(r"xl/(?:comments|threadedComments)/?[^/]*\.xml", re.I), "comments"),
    (re.compile(r"xl/persons/[^/]+\.xml", re.I), "comments"),
    (re.compile(r"xl/drawings/drawing\d*\.xml", re.I), "drawing"),
    (re.compile(r"xl/charts/chart\d*\.xml", re.I), "chart"),
    (re.compile(r"xl/diagrams/data\d*\.xml", re.I), "diagram"),
)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    package = Package(content, budget)
    epoch_1904, sheet_names, hidden = _workbook(package)
    if sheet_names:
        yield Segment("sheet names", "\n".join(sheet_names))
    dates = frozenset(number for name in package.matching(_STYLES) for number in date_styles(package.tree(name)))
    cells = CellReader(_shared_strings(package), dates, epoch_1904)
    for name in package.matching(_SHEETS):
        yield from _sheet(package, name, cells, "hidden sheet" if name.lower() in hidden else "sheet")
    if unused := cells.unused():
        yield Segment("strings in no cell", "\n".join(unused))
    for pattern, where in _PARTS:
        for name in package.matching(pattern):
            yield Segment(where + numbered(name), paragraphs(package.tree(name)))
    for name in package.matching(_PIVOT):
        yield Segment("pivot cache" + numbered(name), _cached_values(package.tree(name)))
    yield from properties(package)
    yield from links(package)
    yield from package.embedded()
    yield from package.rest()
    package.finish()


def _workbook(package: Package) -> tuple[bool, list[str], set[str]]:
    """Whether dates count from 1904, the names of sheets and ranges, and the parts of sheets that Excel hides."""
    names: list[str] = []
    epoch_1904 = False
    hidden: set[str] = set()
    for part in package.matching(_WORKBOOK):
        root = package.tree(part)
        for element in root.iter() if root is not None else ():
            tag = local_name(element)
            if tag == "sheet":
                names.append(element.get("name") or "")
                if (element.get("state") or "").lower() in ("hidden", "veryhidden"):
                    hidden.update(value for key, value in element.attrib.items() if key.endswith("}id"))
            elif tag == "definedName" and element.text:
                names.append(f"{element.get('name') or ''} {element.text}")
            elif tag == "workbookPr":
                epoch_1904 = element.get("date1904") in ("1", "true")
    return epoch_1904, names, _parts_of(package, hidden) if hidden else hidden


def _parts_of(package: Package, relations: set[str]) -> set[str]:
    roots = [package.tree(name) for name in package.matching(_WORKBOOK_RELATIONS)]
    targets = [
        entry.get("Target") or ""
        for root in roots
        for entry in (root if root is not None else ())
        if entry.get("Id") in relations
    ]
    return {(target.lstrip("/") if target.startswith("/") else f"xl/{target}").lower() for target in targets}


def _shared_strings(package: Package) -> list[str]:
    strings: list[str] = []
    for name in package.matching(_SHARED):
        try:
            for _, element in safe_events(io.BytesIO(package.read(name)), ["{*}si"]):
                strings.append(_string_item(element))
                element.clear()
        except etree.XMLSyntaxError as error:
            package.fault = package.fault or fault_of(error)
    return strings


def _string_item(element: etree._Element) -> str:
    return "".join(entry.text or "" for entry in element.iter("{*}t"))


def _sheet(package: Package, name: str, cells: CellReader, title: str) -> Iterator[Segment]:
    """Yields a segment every few rows, so that a repeated long string meets the text limit before it fills memory."""
    where = title + numbered(name)
    rows: list[str] = []
    chars = number = 0
    data = package.read(name)
    lines, merged = RowLines(), MergedCells(data)
    try:
        for _, element in safe_events(io.BytesIO(data), ["{*}row", *_HEADINGS, *_MESSAGES]):
            if local_name(element) == "row":
                stated = element.get("r") or ""
                number = int(stated) if stated.isdecimal() and len(stated) < 9 else number + 1
                line = lines.line(merged.fill(number, cells.row(element)))
            else:
                line = "\n".join(filter(None, (*said_by(element), *(str(text).strip() for text in element.itertext()))))
            free(element)
            if not line:
                continue
            rows.append(line)
            chars += len(line) + 1
            if chars >= SEGMENT_CHARS:
                yield Segment(where, "\n".join(rows))
                rows, chars = [], 0
    except etree.XMLSyntaxError as error:
        package.fault = package.fault or fault_of(error)
    if rows:
        yield Segment(where, "\n".join(rows))


_MESSAGES = ["{*}dataValidation", "{*}hyperlink"]
_HEADINGS = [f"{{*}}{place}{kind}" for place in ("odd", "even", "first") for kind in ("Header", "Footer")]


def _cached_values(root: etree._Element | None) -> str:
    if root is None:
        return ""
    return "\n".join(entry.get("v") for entry in root.iter("{*}s", "{*}d", "{*}n") if entry.get("v"))
