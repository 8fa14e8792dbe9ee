"""PDF bytes -> what no page of it shows: strings of objects, scripts, files, pages, pictures and forms left over."""

import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.zlib_stream import is_zlib
from extraction.readers.ole.other_streams import sentences
from extraction.readers.ooxml.said_in_attributes import is_prose, said_by_address
from extraction.readers.pdf.already_read import AlreadyRead
from extraction.readers.pdf.further_version import Drawing
from extraction.readers.pdf.raw_objects import RawObject, raw_objects
from extraction.readers.pdf.salvage import shown_by
from extraction.readers.pdf.stream_filters import unfiltered
from extraction.readers.pdf.strings import loose_lines, name_in, strings_of
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.decode import decode

LONGEST_STREAM = 4_000_000
_LONGEST_KEPT = 200_000  # bytes that a program keeps for itself; more is a drawing
LEAST_PIXELS = 2_000  # a smaller picture that nobody sees is a bullet or a mask
THUMBNAIL = 320  # pixels: letters of a page cannot be read in a picture of it that is not wider or higher
NOT_UNPACKED = "stream cannot be unpacked"
NO_FONT = "text whose font is not known"
_NAME = 2  # words
_SHOWS_TEXT = re.compile(rb"\bBT\b.{0,100000}?[)>\]]\s*(?:T[jJ]\b|['\"])", re.S)
_REFERENCE = re.compile(rb"(\d{1,8})\s{1,8}\d{1,5}\s{1,8}R\b")
_TEXT_STREAM = re.compile(rb"/(?:JS|RC|V|DV)\s{0,8}(\d{1,8})\s{1,8}\d{1,5}\s{1,8}R\b")
_FILE = re.compile(rb"/EF\s*<<([^>]*)>>")
_FILE_NAME = re.compile(rb"/U?F\s*\(([^)]{1,200})\)")
_EMBEDDED = re.compile(rb"/Type\s*/EmbeddedFile\b")
_CONTENTS = re.compile(rb"/Contents\s*(\[[^\]]*\]|\d{1,8}\s{1,8}\d{1,5}\s{1,8}R\b)")
_KIDS = re.compile(rb"/Kids\s*\[([^\]]*)\]")
_ROOT = re.compile(rb"/Root\s{1,8}(\d{1,8})\s")
_PAGES = re.compile(rb"/Pages\s{1,8}(\d{1,8})\s")
_PAGE = re.compile(rb"/Type\s*/Page\b")
_PICTURE = re.compile(rb"/Subtype\s*/Image\b")
_FORM = re.compile(rb"/Subtype\s*/Form\b")
_TILE = re.compile(rb"/PatternType\s{1,8}1\b")
_BOX = re.compile(rb"/BBox\s*\[([\d.+\s-]{7,200})\]")
_SIZE = re.compile(rb"/(Width|Height)\s{0,8}(\d{1,6})\b")
_MASK = re.compile(rb"/S?Mask\s{1,8}(\d{1,8})\s{1,8}\d{1,5}\s{1,8}R")
_THUMBNAIL = re.compile(rb"/Thumb\s{1,8}(\d{1,8})\s{1,8}\d{1,5}\s{1,8}R")
_HIDDEN_LAYERS = re.compile(rb"/OFF\s*\[\s*\d")
_KEY = 64  # bytes at each end of a picture's data that tell it from others


class Unseen:
    """`fault` says why something is not read."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self.data = data
        self._budget = budget
        found = raw_objects(data, budget)
        self._objects, self._between, self.fault = found.objects, found.between, found.fault
        self.has_hidden_layers = any(_HIDDEN_LAYERS.search(entry.head) for entry in self._objects)
        self.has_pictures = any(_PICTURE.search(entry.head) for entry in self._objects)
        self.first_free = max((entry.number for entry in self._objects), default=0) + 1

    def strings(self, already: AlreadyRead) -> str:
        """What dictionaries, scripts and lines between objects say, as far as it is prose."""
        wanted = self._named_by(_TEXT_STREAM)
        texts: list[str] = []
        for entry in self._objects:
            if entry.number in wanted and entry.has_stream:
                texts.append(decode(self._stream(entry)))
            texts += strings_of(entry.head)
        texts += loose_lines(self._between)
        shown = (said_by_address(text) if "://" in text else text for text in dict.fromkeys(texts))
        return "\n".join(text for text in shown if is_prose(text, _NAME) and not already.has(text))

    def loose_text(self, already: AlreadyRead) -> str:
        """Of streams that nothing refers to, as an editor leaves them behind, and of data that programs keep."""
        used, drawn = self._named_by(_REFERENCE), self._contents()
        texts: list[str] = []
        for entry in self._objects:
            if not entry.has_stream or _has_kind(entry.head):
                continue
            if entry.number in used and entry.number not in drawn:
                texts.append(
                    _kept_by_programs(unfiltered(self.data[entry.start : entry.end], entry.head, _LONGEST_KEPT))
                )
            elif entry.number not in used:
                commands = self._stream(entry)
                text = shown_by(commands)
                if _SHOWS_TEXT.search(commands) and not text:
                    self.fault = self.fault or NO_FONT
                texts.append(text)
        return "\n".join(text for text in texts if not already.has(text))

    def files(self, known: Collection[bytes]) -> Iterator[Member]:
        """Those that hang on an annotation or on nothing; `known` are hashes of those in the list of attachments."""
        seen = set(known)
        names: dict[int, str] = {}
        for holder in self._objects:
            for files in _FILE.findall(holder.head):
                name = _FILE_NAME.search(holder.head)
                for reference in _REFERENCE.finditer(files):
                    names[int(reference[1])] = name_in(name[1]) if name else ""
        for entry in self._objects:
            if not entry.has_stream or (entry.number not in names and not _EMBEDDED.search(entry.head)):
                continue
            data = self._stream(entry, self._budget.limits.member_bytes)
            digest = file_digest(data)
            if data and digest not in seen:
                seen.add(digest)
                label = names.get(entry.number) or "file"
                yield Member(label, partial(embedded_content, data, self._budget, label), len(data))

    def loose_pages(self) -> list[int]:
        """Pages that are not in the tree of pages, from its root down; none if no root is known."""
        latest = {entry.number: entry.head for entry in self._objects}
        trailers = [self._between, *(entry.head for entry in self._objects if b"/XRef" in entry.head)]
        roots = [int(match[1]) for trailer in trailers for match in _ROOT.finditer(trailer)]
        if not roots:
            return []
        waiting = [int(match[1]) for root in roots for match in _PAGES.finditer(latest.get(root, b""))]
        listed: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number not in listed:
                listed.add(number)
                kids = _KIDS.search(latest.get(number, b""))
                waiting += (int(match[1]) for match in _REFERENCE.finditer(kids[1])) if kids else ()
        return [number for number, head in latest.items() if number not in listed and _PAGE.search(head)]

    def pictures(self, shown: Collection[bytes]) -> list[Drawing]:
        """Pictures of which no page shows all; `shown` are the keys of the others."""
        masks, thumbnails = self._named_by(_MASK), self._named_by(_THUMBNAIL)
        found: dict[bytes, Drawing] = {}
        for entry in self._objects:
            if not entry.has_stream or entry.number in masks or not _PICTURE.search(entry.head):
                continue
            sizes = defaultdict(int, {name: int(value) for name, value in _SIZE.findall(entry.head)})
            width, height = sizes[b"Width"], sizes[b"Height"]
            if width * height < LEAST_PIXELS or (entry.number in thumbnails and max(width, height) <= THUMBNAIL):
                continue
            key = picture_key(self.data[entry.start : entry.end])
            if key not in shown:
                found[key] = Drawing(entry, f"0 0 {width} {height}", f"{width} 0 0 {height} 0 0")
        return list(found.values())

    def forms(self, already: AlreadyRead) -> list[Drawing]:
        """And tiles of patterns: those with text that is on no page, as far as one can tell before they are drawn."""
        found: list[Drawing] = []
        for entry in self._objects:
            is_form = entry.has_stream and (_FORM.search(entry.head) or _TILE.search(entry.head))
            box = _BOX.search(entry.head) if is_form else None
            if box is None:
                continue
            commands = self._stream(entry)
            if _SHOWS_TEXT.search(commands) and not already.has(shown_by(commands) or "?"):
                shown = replace(entry, head=_TILE.sub(b"/Subtype /Form", entry.head))
                found.append(Drawing(shown, " ".join(box[1].decode().split()), "1 0 0 1 0 0"))
        return found

    def _contents(self) -> set[int]:
        """The streams that pages draw."""
        lists = [match for entry in self._objects for match in _CONTENTS.findall(entry.head)]
        named = {int(match[1]) for part in lists for match in _REFERENCE.finditer(part)}
        arrays = (entry.head for entry in self._objects if entry.number in named and not entry.has_stream)
        return named | {int(match[1]) for head in arrays for match in _REFERENCE.finditer(head)}

    def _named_by(self, pattern: re.Pattern[bytes]) -> set[int]:
        return {int(match[1]) for entry in self._objects for match in pattern.finditer(entry.head)}

    def _stream(self, entry: RawObject, most: int = LONGEST_STREAM) -> bytes:
        data = unfiltered(self.data[entry.start : entry.end], entry.head, most)
        if data is None or len(data) > most:
            self.fault = self.fault or (NOT_UNPACKED if data is None else f"stream size limit ({most:,} bytes)")
        data = (data or b"")[:most]
        self._budget.expand(len(data))
        return data


def file_digest(data: bytes) -> bytes:
    """The line end before the end of a stream may belong to it or not."""
    return hashlib.sha256(data.rstrip(b"\r\n")).digest()


def picture_key(data: bytes) -> bytes:
    data = data.strip(b"\r\n")
    return b"%d " % len(data) + data[:_KEY] + data[-_KEY:]


def _kept_by_programs(data: bytes | None) -> str:
    """Sentences in it, packed or not; commands of a page or a font have none."""
    if data and is_zlib(data):
        data = zlib.decompressobj().decompress(data, _LONGEST_KEPT)
    if not data or len(data) > _LONGEST_KEPT or b" Tf" in data or b"begincmap" in data:
        return ""
    text = decode(data)
    return text if "".join(text.split()).isprintable() and is_prose(text) else sentences(data)


def _has_kind(head: bytes) -> bool:
    """Whether it is something else than drawing commands: a picture, a font, a table of colours."""
    return any(mark in head for mark in (b"/Type", b"/Subtype", b"/FunctionType", b"/Length1", b"/N ", b"/Alternate"))
