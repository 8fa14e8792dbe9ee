"""Office Open XML package -> the text of any of its parts, embedded files and pictures as members."""

import io
import re
from collections.abc import Iterable, Iterator

from lxml import etree
from PIL import Image

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError, fault_of
from extraction.limits.budget import Budget, LimitError
from extraction.ocr.reader import Reading
from extraction.readers.archives.zip import open_entry, opened, outside_directory
from extraction.readers.ole.other_streams import sentences
from extraction.readers.ooxml.said_in_attributes import all_said, may_hold_long_prose, said, said_by, said_by_address
from extraction.readers.pictures.letters import segments_of
from extraction.readers.xml.parse import local_name, safe_events, safe_parser

_TEXT = frozenset({"t", "delText", "instrText", "delInstrText", "v", "text", "author"})
_LINE_ENDS = frozenset({"p", "tr", "si", "br", "cr", "pt", "comment", "row"})
_TAB_ENDS = frozenset({"tab", "tc", "c"})
_ENDS = {**dict.fromkeys(_LINE_ENDS, "\n"), **dict.fromkeys(_TAB_ENDS, "\t")}
_TABLE_PARTS = frozenset({"tr", "tc"})
LONGEST_CELL = 500  # characters of a cell that is said in one line
MOST_CELL_LINES = 6
_AUTHORED = frozenset({"comment", "ins", "del"})
LARGE_PART = 8_000_000
STRETCH_CHARS = 1 << 18
_EMBEDDED = re.compile(r"(?:word|xl|ppt|visio)/embeddings/[^/]+", re.I)
_PICTURES = re.compile(r"(?:word|xl|ppt|visio)/media/[^/]+", re.I)
_PREVIEWS = re.compile(r"docProps/thumbnail\.[^/]+|Thumbnails/[^/]+", re.I)
_PIXELS = ("JPEG", "PNG", "GIF", "BMP", "TIFF", "WEBP")
_PROPERTIES = re.compile(r"docProps/(?:core|app|custom)\.xml", re.I)
_RELATIONS = re.compile(r"(?:word|xl|ppt)/(?:.+/)?_rels/[^/]+\.rels", re.I)
_XML = re.compile(r".+\.(?:xml|vml)", re.I)
_NAMES_OF_STYLES = re.compile(
    r".*/(?:theme/.+|styles\w*\.xml|stylesWithEffects\.xml|fontTable\.xml|numbering\.xml|webSettings\.xml"
    r"|tableStyles\.xml|(?:pres|view)Props\.xml)",
    re.I,
)
_NOT_FOR_PEOPLE = re.compile(
    r"\[Content_Types\]\.xml|(?:.*/)?_rels/[^/]*\.rels|.*/printerSettings[^/]*|.*/fonts/[^/]+"
    r"|xl/calcChain\.xml|.*vbaProjectSignature\w*\.bin|_xmlsignatures/.+",
    re.I,
)
_OF_GOOGLE = "ppt/metadata"  # numbers by which Google finds its slides again
_IGNORED_NAMES = (
    "Application AppVersion Template TotalTime Pages Words Characters CharactersWithSpaces Lines Paragraphs "
    "DocSecurity ScaleCrop LinksUpToDate SharedDoc HyperlinksChanged Slides Notes HiddenSlides MMClips "
    "PresentationFormat HeadingPairs revision i4"
)
_IGNORED_PROPERTIES = frozenset(_IGNORED_NAMES.split())


class ParagraphLines:
    """Gathers text between the starts and ends of elements: one line a paragraph, and one a row of a table.

    A cell that is as long as a letter keeps its lines: its table is there for the layout.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._chars = 0
        self._open: list[int] = []  # where the open rows and cells begin

    def start(self) -> None:
        """Of a row or cell."""
        self._open.append(len(self._pieces))

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self._chars += len(text)

    def end(self, name: str) -> None:
        """Of a row, a cell, or another element that ends a line or a column."""
        if name in _TABLE_PARTS and self._open:
            start = self._open.pop()
            if name == "tc":
                self._end_cell(start)
            else:
                self._end_row(start)
        else:
            self.add(_ENDS[name])

    def _end_cell(self, start: int) -> None:
        text = "".join(self._pieces[start:]).strip(" \n")
        if len(text) <= LONGEST_CELL and text.count("\n") < MOST_CELL_LINES and "\t" not in text:
            text = " ".join(text.split())
        self._pieces[start:] = [text, "\t"]

    def _end_row(self, start: int) -> None:
        """Empty cells keep their place, so that each value stays below its heading."""
        text = "".join(self._pieces[start:]).removesuffix("\t")
        self._pieces[start:] = [text, "\n"] if text.strip() else []

    def is_full(self) -> bool:
        return self._chars >= STRETCH_CHARS and not self._open

    def take(self) -> str:
        text = "".join(self._pieces).strip("\n")
        self._pieces, self._chars, self._open = [], 0, []
        return text


class Package:
    """Reads parts within the budget and remembers the first fault, so that one bad part does not hide the others."""

    def __init__(self, content: Content, budget: Budget) -> None:
        self._archive, self.fault = opened(content)
        self._budget = budget
        self._outside = list(outside_directory(self._archive, self.fault, content, budget))
        self._entries = {
            info.filename.replace("\\", "/").lstrip("/"): info for info in self._archive.infolist() if not info.is_dir()
        }
        self._taken: set[str] = set()

    @property
    def names(self) -> list[str]:
        return sorted(self._entries, key=_natural_order)

    def matching(self, pattern: re.Pattern[str]) -> list[str]:
        return [name for name in self.names if pattern.fullmatch(name)]

    def has(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        self._taken.add(name)
        info = self._entries.get(name)
        if info is None:
            return b""
        content = open_entry(self._archive, info, self._budget)
        if content.fault:
            self.fault = self.fault or content.fault
            if self._budget.expanded_left < 0:
                raise LimitError(content.fault)
        return content.data

    def tree(self, name: str) -> etree._Element | None:
        """A truncated or malformed part still yields what comes before the fault."""
        return self.tree_of(self.read(name))

    def tree_of(self, data: bytes) -> etree._Element | None:
        if not data:
            return None
        try:
            return etree.fromstring(data, safe_parser())
        except etree.XMLSyntaxError as error:
            self.fault = self.fault or fault_of(error)
        return etree.fromstring(data, safe_parser(recover=True))

    def stretches(self, data: bytes, people: dict[str, None]) -> Iterator[str]:
        """The paragraphs of a part that is too large for a tree, a stretch at a time; adds authors to `people`."""
        events = safe_events(io.BytesIO(data), events=("start", "end"), recover=True)
        lines = ParagraphLines()
        skipping = 0
        for event, element in events:
            name = local_name(element)
            if name == "Fallback":  # repeats the text of mc:Choice
                skipping += 1 if event == "start" else -1
            elif skipping:
                continue
            elif event == "start":
                if name in _TABLE_PARTS:
                    lines.start()
            else:
                if name in _TEXT:
                    lines.add(element.text or "")
                elif name in _ENDS:
                    lines.end(name)
                people.update(dict.fromkeys(_authors_of(element, name)))
                for text in said_by(element):
                    lines.add(f"{text}\n")
                if name in _LINE_ENDS:
                    free(element)
                    if lines.is_full():
                        yield lines.take()
        yield lines.take()
        if len(events.error_log):
            self.fault = self.fault or "corrupt (XMLSyntaxError)"

    def embedded(self) -> Iterator[Segment | Member]:
        """Files and pictures."""
        for pattern in (_EMBEDDED, _PICTURES):
            for name in self.matching(pattern):
                yield self.member(name)
        yield from self.previews()

    def previews(self) -> Iterator[Segment | Member]:
        """The first page as it was once drawn: it may show what was deleted since."""
        for name in self.matching(_PREVIEWS):
            reading = self._letters(name)
            if reading is None or not reading.was_read:
                yield self.member(name)
            else:  # what is too small for OCR is too small for people
                yield from segments_of(reading, "preview")

    def _letters(self, name: str) -> Reading | None:
        """Of a picture made of pixels; None of any other, and of one that cannot be decoded."""
        if self._budget.pictures.fault:
            return None
        try:
            return self._budget.pictures.read(Image.open(io.BytesIO(self.read(name)), formats=_PIXELS))
        except (MemoryError, LimitError):
            raise
        except Exception:  # a broken picture can raise anything; as a member it says so
            return None

    def rest(self, ignored: re.Pattern[str] = _NOT_FOR_PEOPLE) -> Iterator[Segment | Member]:
        """Whatever parts were not asked for: what nobody expects in a package is read too."""
        yield from self._outside
        for name in self.names:
            if name in self._taken or _NOT_FOR_PEOPLE.fullmatch(name) or ignored.fullmatch(name):
                continue
            if not _XML.fullmatch(name):
                if name != _OF_GOOGLE or sentences(self.read(name)):
                    yield self.member(name)
                continue
            data = self.read(name)
            if _NAMES_OF_STYLES.fullmatch(name) and not may_hold_long_prose(data):
                continue
            root = self.tree_of(data)
            yield Segment(name, "\n".join(filter(None, (all_text(root), *all_said(root)))))

    def member(self, name: str) -> Member:
        self._taken.add(name)
        info = self._entries[name]
        return Member(name, lambda: open_entry(self._archive, info, self._budget), info.file_size)

    def finish(self) -> None:
        """Raises at the end if something was missing, after everything readable was read."""
        if self.fault:
            raise StoppedError(Status.PARTIAL, self.fault)


def _natural_order(name: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(piece) if piece.isdecimal() else -1, piece) for piece in re.split(r"(\d{1,9})", name))


def numbered(name: str) -> str:
    """The number in a part's name, such as 3 for slide3.xml; empty if it has none."""
    match = re.search(r"(\d{1,6})\.xml$", name)
    return f" {int(match.group(1))}" if match else ""


def paragraphs(root: etree._Element | None) -> str:
    """The text of a body, header, note, comment, slide, drawing or chart, one paragraph per line.

    What attributes say, such as the description of a picture, follows.
    """
    if root is None:
        return ""
    lines = ParagraphLines()
    skipped_until: etree._Element | None = None
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if skipped_until is not None:
            if element is skipped_until and event == "end":
                skipped_until = None
            continue
        name = local_name(element)
        if event == "end":
            if name in _ENDS:
                lines.end(name)
        elif name in _TEXT:
            lines.add(element.text or "")
        elif name in _TABLE_PARTS:
            lines.start()
        elif name == "Fallback":  # repeats the text of mc:Choice
            skipped_until = element
    return "\n".join(filter(None, (lines.take(), *said(root))))


def authors(root: etree._Element | None) -> Iterator[str]:
    """Who commented or changed something: named only in attributes."""
    for element in root.iter("{*}comment", "{*}ins", "{*}del") if root is not None else ():
        yield from _authors_of(element, local_name(element))


def _authors_of(element: etree._Element, name: str) -> list[str]:
    if name not in _AUTHORED:
        return []
    return [value for key, value in element.attrib.items() if key.rpartition("}")[2] == "author" and value]


def free(element: etree._Element) -> None:
    """Frees the memory of an element that has been read, and of all before it."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def all_text(root: etree._Element | None, ignored: Iterable[str] = ()) -> str:
    """All character data, one element per line: for properties and custom XML."""
    if root is None:
        return ""
    left_out = frozenset(ignored)
    return "\n".join(
        entry.text.strip()
        for entry in root.iter()
        if local_name(entry) not in left_out and entry.text and entry.text.strip()
    )


def properties(package: Package) -> Iterator[Segment]:
    for name in package.matching(_PROPERTIES):
        yield Segment("properties", all_text(package.tree(name), _IGNORED_PROPERTIES))


def links(package: Package) -> Iterator[Segment]:
    """Mail addresses, telephone numbers and sentences that occur only in hyperlinks."""
    targets: dict[str, None] = {}
    for name in package.matching(_RELATIONS):
        root = package.tree(name)
        for relation in root if root is not None else ():
            target = relation.get("Target") or ""
            if target.lower().startswith(("mailto:", "tel:")):
                targets[target.partition(":")[2]] = None
            elif shown := said_by_address(target):
                targets[shown] = None
    if targets:
        yield Segment("links", "\n".join(targets))
