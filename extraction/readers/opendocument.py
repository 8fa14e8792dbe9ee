"""OpenDocument XML -> text by place, while it is parsed: no tree is built, and a repeated cell is read once."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.records import Segment
from extraction.readers.text.buffer import FlowingText

_MOST_SPACES = 100
_MOST_EMPTY_CELLS = 30
_PARAGRAPHS = frozenset({"p", "h"})
_TEXT_ELEMENTS = frozenset(
    {
        "creator",
        "initial-creator",
        "title",
        "subject",
        "description",
        "keyword",
        "user-defined",
        "printed-by",
        "desc",
        "sender-initials",
    }
)
_PLACES = {
    "annotation": "comments",
    "note": "notes",
    "tracked-changes": "changes",
    "header": "headers",
    "header-left": "headers",
    "header-first": "headers",
    "footer": "footers",
    "footer-left": "footers",
    "footer-first": "footers",
    "meta": "properties",
    "master-styles": "master",
}
_NO_TEXT = frozenset({"binary-data", "note-citation", "page-number"})
_WHEN = "{http://purl.org/dc/elements/1.1/}date"
_CELLS = frozenset({"table-cell", "covered-table-cell"})
_TEXT_ATTRIBUTES = frozenset({"string-value", "current-value", "label", "author"})
_AUTOMATIC_NAME = re.compile(r"page\d+|Slide ?\d+", re.I)
_NUMBERED = {"table": "sheet", "page": "slide"}
_LONG_NUMBER = 7


@dataclass(slots=True)
class _Row:
    """The open row of a table: where its text goes, and how many cells came before."""

    place: str
    cells: int = 0
    empty: int = 0  # cells since the last one with a text
    repeated: int = 1  # how often the open cell is there
    in_cell: bool = False
    has_text: bool = False  # the open cell


class OpenDocumentText:
    """A target for lxml's parser; places nest, and text goes to the innermost."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._places: list[tuple[int, str]] = [(0, "body")]
        self._text = FlowingText()
        self._depth = 0
        self._open_paragraphs = 0
        self._skipped_from = 0
        self._open_text_elements = 0
        self._counts = {"sheet": 0, "slide": 0}
        self._cell_value: list[str] = []
        self._row = _Row("")
        self._width = 0  # cells of the first row of the table that has several
        self._names: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._skipped_from:
            return
        name = tag.rpartition("}")[2]
        if name in _NO_TEXT or tag == _WHEN:
            self._skipped_from = self._depth
            return
        self._enter(name, attributes)
        if name == "table":
            self._width = 0
        elif name == "table-row":
            self._row = _Row(self._places[-1][1])
        elif name in _CELLS:
            self._row.repeated = _number(attributes, "number-columns-repeated", 1)
            self._row.in_cell, self._row.has_text = True, False
        if name in _PARAGRAPHS:
            self._open_paragraphs += 1
        elif name in _TEXT_ELEMENTS:
            self._open_text_elements += 1
        elif name == "tab":
            self._add("\t")
        elif name == "line-break":
            self._add("\n")
        elif name == "s":
            self._add(" " * min(_number(attributes, "c", 1), _MOST_SPACES))
        self._read_attributes(name, attributes)

    def _enter(self, name: str, attributes: Mapping[str, str]) -> None:
        place = _PLACES.get(name, "")
        if name == "notes" and len(self._places) > 1:
            place = f"{self._places[-1][1]} notes"
        elif name in _NUMBERED and len(self._places) == 1 and self._kind in (_NUMBERED[name], ""):
            kind = _NUMBERED[name]
            self._counts[kind] += 1
            place = f"{kind} {self._counts[kind]}"
            stated_name = _attribute(attributes, "name")
            self._names += [] if _AUTOMATIC_NAME.fullmatch(stated_name) else [stated_name]
        if place:
            self._places.append((self._depth, place))

    def _read_attributes(self, name: str, attributes: Mapping[str, str]) -> None:
        if not attributes:
            return
        if name in _CELLS:
            values = (_attribute(attributes, key) for key in ("value", "date-value", "string-value"))
            self._cell_value = [next(filter(None, values), "")]
            return
        for key, value in attributes.items():
            local = key.rpartition("}")[2]
            if local in _TEXT_ATTRIBUTES or (local == "href" and _is_contact(value)):
                self._add(f" {value.removeprefix('mailto:').removeprefix('tel:')} ")

    def data(self, text: str) -> None:
        if not self._skipped_from and (self._open_paragraphs or self._open_text_elements):
            self._add(text)
            if self._cell_value:
                self._cell_value.append(text)

    def _add(self, text: str) -> None:
        place, row = self._places[-1][1], self._row
        if row.in_cell and place == row.place and not row.has_text:
            if not text.strip():
                return
            row.has_text = True
            if 0 < row.empty <= _MOST_EMPTY_CELLS:
                self._text.add(place, "\t" * row.empty)
                row.cells += row.empty
            row.empty = 0
        self._text.add(place, text)

    def end(self, tag: str) -> None:
        depth = self._depth
        self._depth -= 1
        if self._skipped_from:
            if depth == self._skipped_from:
                self._skipped_from = 0
            return
        name = tag.rpartition("}")[2]
        if name in _PARAGRAPHS:
            self._open_paragraphs -= 1
            self._add("\n")
        elif name in _TEXT_ELEMENTS:
            self._open_text_elements -= 1
            self._add("\n")
        elif name in _CELLS:
            self._end_cell()
        elif name == "table-row":
            self._end_line()
        if self._places[-1][0] == depth:
            self._places.pop()

    def _end_cell(self) -> None:
        """Adds the stored value if the displayed text hides digits of it: 4.17E+09 may be a telephone number."""
        pieces, row = self._text.of(self._places[-1][1]), self._row
        if row.has_text and pieces and pieces[-1] == "\n":
            pieces.pop()
        if self._cell_value:
            value, shown = self._cell_value[0], "".join(self._cell_value[1:])
            if _is_hidden(value, shown):
                self._add(f" {value}" if shown else value)
        if row.has_text:
            self._add("\t")
            row.cells += 1
        else:
            row.empty += row.repeated
        row.in_cell = row.has_text = False
        self._cell_value = []

    def _end_line(self) -> None:
        pieces = self._text.of(self._places[-1][1])
        if pieces and pieces[-1] == "\t":
            cells, self._row = self._row.cells, _Row("")
            if cells > 1 and not self._width:
                self._width = cells
            # Empty cells at the end of a row keep their place, so that all rows look alike.
            pieces[-1] = "\t" * min(max(self._width - cells, 0), _MOST_EMPTY_CELLS)
            self._add("\n")

    def close(self) -> None:
        """Required by the parser; the text stays here."""

    def full(self) -> Iterator[Segment]:
        yield from self._text.full()

    def rest(self) -> Iterator[Segment]:
        if any(self._names):
            yield Segment("sheet names" if self._counts["sheet"] else "slide names", "\n".join(self._names))
        yield from self._text.rest()


def _attribute(attributes: Mapping[str, str], name: str) -> str:
    return next((value for key, value in attributes.items() if key.rpartition("}")[2] == name), "")


def _number(attributes: Mapping[str, str], name: str, default: int) -> int:
    text = _attribute(attributes, name)
    return int(text) if text.isdecimal() and len(text) < 6 else default


def _is_hidden(value: str, shown: str) -> bool:
    digits = _digits(value)
    if len(digits) < _LONG_NUMBER:
        return not shown
    return digits not in _digits(shown)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _is_contact(target: str) -> bool:
    return target.lower().startswith(("mailto:", "tel:"))
