"""Word and Excel 2003 XML, and packages flattened into one file -> text, while it is parsed."""

from collections.abc import Iterator, Mapping

from core.records import Segment
from extraction.readers.text.buffer import FlowingText

_NO_TEXT = frozenset(
    {
        "binData",
        "docOleData",
        "docSuppData",
        "binaryData",
        "fonts",
        "styles",
        "Styles",
        "OfficeDocumentSettings",
        "ExcelWorkbook",
    }
    | {
        "WorksheetOptions",
        "Pages",
        "Words",
        "Characters",
        "CharactersWithSpaces",
        "Lines",
        "Paragraphs",
        "Version",
        "TotalTime",
        "Revision",
    }
)
_RUNS = frozenset({"t", "delText"})
_LINE_ENDS = frozenset({"p", "Row", "br", "tr"})
_CELL_ENDS = frozenset({"Cell", "tc"})


class MicrosoftXmlText:
    """A target for lxml's parser: joins the text of runs, separates the text of other elements."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._text = FlowingText()
        self._skipped_from = 0
        self._has_words = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = tag.rpartition("}")[2]
        self._open.append(name)
        if name in _NO_TEXT and not self._skipped_from:
            self._skipped_from = len(self._open)
        self._has_words = False
        if self._skipped_from:
            return
        if name == "tab" and self._open[-2:-1] != ["tabs"]:
            self._text.add("", "\t")
        for key, value in attributes.items():
            local = key.rpartition("}")[2]
            if local in ("Author", "author") or (name == "Worksheet" and local == "Name"):
                self._text.add("", f"{value}\n")
            elif local in ("HRef", "dest") and value.lower().startswith(("mailto:", "tel:")):
                self._text.add("", f" {value} ")

    def data(self, text: str) -> None:
        if not self._skipped_from and (self._open[-1] in _RUNS or text.strip()):
            self._text.add("", text)
            self._has_words = True

    def end(self, tag: str) -> None:
        name = self._open[-1]
        if self._skipped_from:
            if len(self._open) == self._skipped_from:
                self._skipped_from = 0
        elif name in _LINE_ENDS:
            self._text.add("", "\n")
        elif name in _CELL_ENDS:
            self._end_cell()
        elif self._has_words and name not in _RUNS and "Cell" not in self._open[-2:-1]:
            self._text.add("", "\n")
        self._has_words = False
        self._open.pop()

    def _end_cell(self) -> None:
        """The last paragraph of a cell ends no line, so that a row of a table is one."""
        pieces = self._text.of("")
        if pieces and pieces[-1] == "\n":
            pieces.pop()
        self._text.add("", "\t")

    def close(self) -> None:
        """Required by the parser; the text stays here."""

    def full(self) -> Iterator[Segment]:
        yield from self._text.full()

    def rest(self) -> Iterator[Segment]:
        yield from self._text.rest()
