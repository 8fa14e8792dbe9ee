"""PowerPoint's binary records -> the text of slides, notes, masters and comments, of earlier saves too."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

DOCUMENT, SLIDE, NOTES, MASTER, HANDOUT = 0x03E8, 0x03EE, 0x03F0, 0x03F8, 0x0FC9
SLIDE_LIST, SLIDE_PERSIST, OBJECT_STORAGE = 0x0FF0, 0x03F3, 0x1011
USER_EDIT, PERSIST_DIRECTORY, CRYPT_SESSION = 0x0FF5, 0x1772, 0x2F14
_WIDE_TEXT, _NARROW_TEXT, _STRING, _TAG_DATA = 0x0FA0, 0x0FA8, 0x0FBA, 0x138B
_DEPTH = 64
_KINDS = {DOCUMENT: "document", SLIDE: "slide", NOTES: "notes", MASTER: "master", HANDOUT: "handout"}
_LEVELS = ("second", "third", "fourth", "fifth", "sixth", "seventh")
_BOILERPLATE = frozenset(
    {"*", "<#>", "‹#›", "<header>", "<footer>", "<date/time>", "<number>"}
    | {f"{level}{outline} level" for level in _LEVELS for outline in ("", " outline")}
)
_BOILERPLATE_STARTS = ("click to edit", "click to move the slide", "___ppt")
_LINE_ENDS = str.maketrans({"\r": "\n", "\x0b": "\n", "\x00": None})


@dataclass(slots=True, repr=False)
class PresentationObject:
    """One object of the file: its kind, offset and lines; a document also has the outline of each slide."""

    kind: int
    start: int
    lines: list[str] = field(default_factory=list)
    outlines: list[tuple[int, int, list[str]]] = field(default_factory=list)  # list number, persist id, lines


@dataclass(frozen=True, slots=True)
class Header:
    kind: int
    instance: int
    is_container: bool
    start: int
    end: int


def headers(data: bytes, start: int, end: int) -> Iterator[Header]:
    while start + 8 <= end:
        first, kind, size = struct.unpack_from("<HHI", data, start)
        stop = min(start + 8 + size, end)
        yield Header(kind, first >> 4, first & 0xF == 0xF, start + 8, stop)
        start = stop


def read_object(data: bytes, header: Header) -> PresentationObject:
    """Walks the records below an object with its own stack, so that deep nesting cannot exhaust the interpreter's."""
    result = PresentationObject(header.kind, header.start - 8)
    target = result.lines
    list_number = -1
    list_end = 0
    stack = [headers(data, header.start, header.end)]
    while stack:
        record = next(stack[-1], None)
        if record is None:
            stack.pop()
            continue
        if record.start > list_end and list_number >= 0:
            list_number, target = -1, result.lines
        if record.kind == SLIDE_LIST:
            list_number, list_end = record.instance, record.end
        elif record.kind == SLIDE_PERSIST and list_number >= 0 and record.end - record.start >= 4:
            target = []
            result.outlines.append(
                (list_number, int.from_bytes(data[record.start : record.start + 4], "little"), target)
            )
        if (record.is_container or record.kind == _TAG_DATA) and len(stack) < _DEPTH:
            stack.append(headers(data, record.start, record.end))
        else:
            target.extend(_lines(data, record))
    return result


def _lines(data: bytes, record: Header) -> Iterator[str]:
    raw = data[record.start : record.end]
    if record.kind in (_WIDE_TEXT, _STRING):
        text = raw.decode("utf-16-le", "replace")
    elif record.kind == _NARROW_TEXT:
        text = raw.decode("latin-1")
    else:
        return
    for line in text.translate(_LINE_ENDS).split("\n"):
        folded = line.strip().lower()
        if folded and folded not in _BOILERPLATE and not folded.startswith(_BOILERPLATE_STARTS):
            yield line


def place_of(kind: int) -> str:
    return _KINDS[kind]


def live_objects(data: bytes, current_user: bytes) -> dict[int, int]:
    """Offset of every object of the last save -> its persist id; empty if the chain of saves is broken."""
    if len(current_user) < 20:
        return {}
    place = int.from_bytes(current_user[16:20], "little")
    places: dict[int, int] = {}
    seen: set[int] = set()
    while place and place not in seen and place + 24 <= len(data):
        seen.add(place)
        _, kind, _, previous, directory = struct.unpack_from("<HHI8xII", data, place)
        if kind != USER_EDIT:
            return {}
        for identifier, offset in _persist_entries(data, directory):
            places.setdefault(identifier, offset)
        place = previous
    return {offset: identifier for identifier, offset in places.items()}


def _persist_entries(data: bytes, place: int) -> Iterator[tuple[int, int]]:
    if place + 8 > len(data):
        return
    _, kind, size = struct.unpack_from("<HHI", data, place)
    end = min(place + 8 + size, len(data))
    place += 8
    while kind == PERSIST_DIRECTORY and place + 4 <= end:
        (packed,) = struct.unpack_from("<I", data, place)
        first, count = packed & 0xFFFFF, min(packed >> 20, (end - place - 4) // 4)
        for number, offset in enumerate(struct.unpack_from(f"<{count}I", data, place + 4)):
            yield first + number, offset
        place += 4 + 4 * count
