"""PDF bytes -> every object in them, used or not, also those in object streams, and what lies between objects."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from extraction.limits.budget import Budget
from extraction.readers.pdf.stream_filters import unfiltered

MOST_OBJECTS = 1_000_000
MOST_BYTES_IN_STREAMS = 100_000_000  # of all object streams together
TOO_MANY = f"object limit ({MOST_OBJECTS:,} objects)"
TOO_LARGE = f"object stream limit ({MOST_BYTES_IN_STREAMS:,} bytes)"
NOT_UNPACKED = "object stream cannot be unpacked"
_NUMBER = re.compile(rb"(\d{1,8})\s{1,8}(\d{1,5})\s{1,8}$")
_END = re.compile(rb"\bstream\r?\n|\bendobj\b")
_FIRST = re.compile(rb"/First\s{1,8}(\d{1,8})")
_LONGEST_HEAD = 1 << 20
_BEFORE = 30  # bytes in which the number of an object stands
_AFTER = 64  # bytes in which the end of an object follows that of its stream


@dataclass(frozen=True, slots=True, repr=False)
class RawObject:
    """`head` is its dictionary or value; `start` and `end` are those of its stream, equal if it has none."""

    number: int
    head: bytes
    start: int = 0
    end: int = 0
    generation: int = 0

    @property
    def has_stream(self) -> bool:
        return self.end > self.start


@dataclass(slots=True, repr=False)
class RawObjects:
    """`between` is what lies between objects; `fault` says why some are missing."""

    objects: list[RawObject] = field(default_factory=list)
    between: bytes = b""
    fault: str = ""


def raw_objects(data: bytes, budget: Budget) -> RawObjects:
    found = RawObjects()
    gaps: list[bytes] = []
    place, room = 0, MOST_BYTES_IN_STREAMS
    for begin, entry, end in outer_objects(data):
        if len(found.objects) >= MOST_OBJECTS:
            found.fault = TOO_MANY
            break
        gaps.append(data[place:begin])
        place = end
        found.objects.append(entry)
        if b"/ObjStm" in entry.head and entry.has_stream:
            unpacked = unfiltered(data[entry.start : entry.end], entry.head, room)
            if unpacked is None or len(unpacked) > room:
                found.fault = NOT_UNPACKED if unpacked is None else TOO_LARGE
                continue
            budget.expand(len(unpacked))
            room -= len(unpacked)
            found.objects += within_stream(unpacked, entry.head)
    gaps.append(data[place:])
    found.between = b"\n".join(gaps)
    return found


def outer_objects(data: bytes) -> Iterator[tuple[int, RawObject, int]]:
    """Where each object begins, the object, where it ends; in a time that grows with the bytes, whatever they are."""
    place = 0
    while (keyword := data.find(b"obj", place)) >= 0:
        place = keyword + 3
        number = _NUMBER.search(data[max(0, keyword - _BEFORE) : keyword])
        if number is None:
            continue
        end = _END.search(data, place, place + _LONGEST_HEAD)
        if end is None:
            place += _LONGEST_HEAD
            continue
        start = stop = after = end.end()
        if end.group().startswith(b"stream"):
            stop = data.find(b"endstream", start)
            stop = len(data) if stop < 0 else stop
            after = max(stop, data.find(b"endobj", stop, stop + _AFTER) + len(b"endobj"))
        begin = keyword - len(number.group())
        entry = RawObject(int(number[1]), data[place : end.start()], start, stop, int(number[2]))
        place = after
        yield begin, entry, place


def within_stream(unpacked: bytes, head: bytes) -> list[RawObject]:
    first = _FIRST.search(head)
    if first is None:
        return []
    table = [int(part) for part in unpacked[: int(first[1])].split() if part.isdigit() and len(part) < 9]
    numbers = sorted(zip(table[1::2], table[::2], strict=False))  # in order, no part is taken twice
    places = [*(int(first[1]) + offset for offset, _ in numbers), len(unpacked)]
    return [
        RawObject(number, unpacked[start:end])
        for (_, number), start, end in zip(numbers, places, places[1:], strict=False)
    ]
