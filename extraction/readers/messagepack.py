"""MessagePack -> maps, lists and values; and whether bytes are MessagePack, which has no mark of its own."""

import struct
from collections.abc import Iterator
from typing import Any

from extraction.readers.text.strings import narrow_runs

DEEPEST = 60
_LOOK = 4096
_SEVERAL = 3  # words
_LENGTH, _ENOUGH = 4, 16  # bytes of a size in front of a string, and of the string
_NUMBERS = {
    **dict(zip(range(0xCA, 0xD4), (">f", ">d", ">B", ">H", ">I", ">Q", ">b", ">h", ">i", ">q"), strict=True)),
}
_STRINGS, _BINARIES = {0xD9: 1, 0xDA: 2, 0xDB: 4}, {0xC4: 1, 0xC5: 2, 0xC6: 4}
_LISTS, _MAPS = {0xDC: 2, 0xDD: 4}, {0xDE: 2, 0xDF: 4}
_EXTENSIONS = {0xC7: 1, 0xC8: 2, 0xC9: 4}
_FIXED_EXTENSIONS = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


class _EndError(ValueError):
    """The bytes end within a value."""


def looks_like_messagepack(data: bytes) -> bool:
    """A map with a word as its first key, or a list of such maps, that can be read to the end of a first look."""
    place = 0
    while place < 3 and data[place : place + 1] and (0x91 <= data[place] <= 0x9F or data[place] == 0xDC):
        place += 1 if data[place] != 0xDC else 3
    if not (data[place : place + 1] and (0x81 <= data[place] <= 0x8F or data[place] in _MAPS)):
        return False
    place += 1 + _MAPS.get(data[place], 0)
    head = data[:_LOOK]
    try:
        key, _ = _read(head, place, 0)
        if not isinstance(key, str) or not key or not key.isprintable():
            return False
        return _has_all_sentences(head, list(messages(head)))
    except _EndError:
        return len(data) > _LOOK
    except ValueError:
        return False


def _has_all_sentences(head: bytes, values: list[Any]) -> bool:
    """CBOR can be read as MessagePack by chance; its words become numbers then."""
    said = "\n".join(_strings(values))
    runs = [run for run in narrow_runs(head).splitlines() if run.count(" ") >= _SEVERAL]
    return all(run[_LENGTH : _LENGTH + _ENOUGH] in said for run in runs)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for entry in value:
            yield from _strings(entry)
    elif isinstance(value, bytes):
        yield narrow_runs(value)
    elif isinstance(value, str):
        yield value.replace("\r", "\n")


def messages(data: bytes) -> Iterator[Any]:
    place = 0
    while place < len(data):
        value, place = _read(data, place, 0)
        yield value


def _read(data: bytes, place: int, depth: int) -> tuple[Any, int]:
    if place >= len(data):
        raise _EndError
    if depth > DEEPEST:
        raise ValueError("too deep")
    mark, place = data[place], place + 1
    if mark < 0x80:
        return mark, place
    if mark >= 0xE0:
        return mark - 256, place
    if mark in _CONSTANTS:
        return _CONSTANTS[mark], place
    if mark in _NUMBERS:
        size = struct.calcsize(_NUMBERS[mark])
        raw, place = _take(data, place, size)
        return struct.unpack(_NUMBERS[mark], raw)[0], place
    if 0xA0 <= mark < 0xC0 or mark in _STRINGS:
        raw, place = _sized(data, place, mark & 0x1F if mark < 0xC0 else None, _STRINGS.get(mark, 0))
        return raw.decode(), place
    if mark in _BINARIES:
        return _sized(data, place, None, _BINARIES[mark])
    if mark in _EXTENSIONS:
        raw, place = _sized(data, place, None, _EXTENSIONS[mark], more=1)
        return raw[1:], place
    if mark in _FIXED_EXTENSIONS:
        raw, place = _take(data, place, 1 + _FIXED_EXTENSIONS[mark])
        return raw[1:], place
    return _collection(data, place, mark, depth)


def _collection(data: bytes, place: int, mark: int, depth: int) -> tuple[Any, int]:
    is_map = 0x80 <= mark < 0x90 or mark in _MAPS
    if not (is_map or 0x90 <= mark < 0xA0 or mark in _LISTS):
        raise ValueError("no value begins like this")
    if mark < 0xA0:
        count = mark & 0x0F
    else:
        raw, place = _take(data, place, {**_LISTS, **_MAPS}[mark])
        count = int.from_bytes(raw, "big")
    values: list[Any] = []
    for _ in range(count * 2 if is_map else count):
        value, place = _read(data, place, depth + 1)
        values.append(value)
    if not is_map:
        return values, place
    return {str(key): value for key, value in zip(values[::2], values[1::2], strict=True)}, place


def _sized(data: bytes, place: int, size: int | None, width: int, more: int = 0) -> tuple[bytes, int]:
    if size is None:
        raw, place = _take(data, place, width)
        size = int.from_bytes(raw, "big")
    return _take(data, place, size + more)


def _take(data: bytes, place: int, size: int) -> tuple[bytes, int]:
    if place + size > len(data):
        raise _EndError
    return data[place : place + size], place + size
