"""PowerPoint 97 to 2003 presentation -> the text of all its parts, earlier versions too; files, pictures as members."""

import zlib
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.formats.binary import extract as extract_strings
from extraction.identify.identify import identify
from extraction.limits.budget import Budget
from extraction.readers.ole.compound import Compound, DamagedError
from extraction.readers.ole.embedded import file_member
from extraction.readers.ole.other_streams import other_streams
from extraction.readers.ole.property_set import summary
from extraction.readers.ole.unlocked import unlocked
from extraction.readers.pictures.blips import office_pictures
from extraction.readers.powerpoint.records import (
    CRYPT_SESSION,
    DOCUMENT,
    HANDOUT,
    MASTER,
    NOTES,
    OBJECT_STORAGE,
    SLIDE,
    Header,
    PresentationObject,
    headers,
    live_objects,
    place_of,
    read_object,
)
from extraction.readers.streams.read_member import read_member
from extraction.readers.text.decode import clean

MEDIA_TYPES = frozenset({"application/vnd.ms-powerpoint"})
IS_ARCHIVE = False

_OBJECTS = frozenset({DOCUMENT, SLIDE, NOTES, MASTER, HANDOUT})
_OUTLINES = {0: "slide", 1: "master", 2: "notes"}
_LOCKED_PROPERTIES = "EncryptedSummary"
_ENCRYPTED_TOKEN = b"\xdf\xc4\xd1\xf3"


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    try:
        compound = Compound(content, budget)
    except DamagedError:
        yield from extract_strings(content, budget)
        return
    data, current_user, records = _streams(compound)
    is_locked = current_user[12:16] == _ENCRYPTED_TOKEN or any(record.kind == CRYPT_SESSION for record in records)
    if is_locked:
        opened = unlocked(content, budget.passwords, budget)
        if opened is None:
            raise StoppedError(Status.ENCRYPTED, "password-protected presentation")
        compound = opened
        data, current_user, records = _streams(compound)
    if not records:
        raise StoppedError(Status.FAILED, "corrupt (no presentation)")
    live = live_objects(data, current_user)
    objects = [read_object(data, record) for record in records if record.kind in _OBJECTS]
    if not objects:  # the chain of records is broken at its start
        yield from summary(compound)
        yield from extract_strings(Content(data, len(data)), budget)
        return
    yield from _current_version([entry for entry in objects if not live or entry.start in live], live)
    yield from _earlier_versions(objects, live)
    yield from summary(compound)
    storages = [record for record in records if record.kind == OBJECT_STORAGE]
    for number, record in enumerate(storages, 1):
        yield _embedded(data, record, f"object {number}", budget)
    if is_locked:
        compound.finish()
        if compound.has("Pictures") or compound.has(_LOCKED_PROPERTIES):
            raise StoppedError(Status.PARTIAL, "pictures or properties of a password-protected presentation")
        return
    yield from office_pictures(compound.read("Pictures"), budget)
    yield from other_streams(compound, budget, identify)
    compound.finish()


def _streams(compound: Compound) -> tuple[bytes, bytes, list[Header]]:
    data = compound.read("PowerPoint Document")
    return data, compound.read("Current User"), list(headers(data, 0, len(data)))


def _current_version(objects: list[PresentationObject], live: dict[int, int]) -> Iterator[Segment]:
    """The outline of the document numbers the slides and holds the text of their placeholders."""
    numbers: dict[int, tuple[str, int]] = {}
    texts: dict[tuple[str, int], list[str]] = {}
    counts = {"slide": 0, "notes": 0, "master": 0, "handout": 0}
    for entry in objects:
        for list_number, identifier, lines in entry.outlines:
            kind = _OUTLINES.get(list_number, "slide")
            counts[kind] += 1
            numbers[identifier] = (kind, counts[kind])
            texts.setdefault((kind, counts[kind]), []).extend(lines)
    for entry in objects:
        if entry.kind == DOCUMENT:
            place = ("document", 0)
        else:
            place = numbers.get(live.get(entry.start, -1), (place_of(entry.kind), 0))
            if not place[1]:
                counts[place[0]] += 1
                place = (place[0], counts[place[0]])
        texts.setdefault(place, []).extend(entry.lines)
    for (kind, number), lines in sorted(texts.items(), key=lambda item: (_ORDER.index(item[0][0]), item[0][1])):
        if lines:
            yield Segment(f"{kind} {number}" if number else kind, clean("\n".join(lines)))


_ORDER = ("slide", "notes", "document", "master", "handout")


def _earlier_versions(objects: list[PresentationObject], live: dict[int, int]) -> Iterator[Segment]:
    """A fast save keeps the old slides in the file: yields the text that only they contain."""
    if not live:
        return
    current: set[str] = set()
    stale: dict[str, None] = {}
    for entry in objects:
        lines = [*entry.lines, *(line for _, _, outline in entry.outlines for line in outline)]
        if entry.start in live:
            current.update(lines)
        else:
            stale.update(dict.fromkeys(lines))
    left = [line for line in stale if line not in current]
    if left:
        yield Segment("earlier versions", clean("\n".join(left)))


def _embedded(data: bytes, record: Header, name: str, budget: Budget) -> Member:
    raw = data[record.start : record.end]
    if record.instance != 1:
        return file_member(name, raw, budget)
    return Member(name, lambda: read_member(_ZlibStream(raw[4:]), name, budget), int.from_bytes(raw[:4], "little"))


class _ZlibStream:
    """Inflates only as far as it is read."""

    def __init__(self, data: bytes) -> None:
        self._inflate = zlib.decompressobj()
        self._waiting = data

    def read(self, count: int, /) -> bytes:
        if self._inflate.eof:
            return b""
        piece = self._inflate.decompress(self._waiting, count)
        self._waiting = self._inflate.unconsumed_tail
        return piece
