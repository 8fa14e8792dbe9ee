"""winmail.dat (TNEF) -> the MAPI properties of the mail and of its attachments."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from extraction.readers.outlook.item import Property
from extraction.readers.outlook.mapi import STRING

SIGNATURE = 0x223E9F78
_SUBJECT, _BODY, _FROM = 0x00018004, 0x0002800C, 0x00008000
_MAPI, _NEW_ATTACHMENT, _DATA, _TITLE, _ATTACHMENT_MAPI = 0x00069003, 0x00069002, 0x0006800F, 0x00018010, 0x00069005
_OLD_PROPERTIES = {_SUBJECT: 0x0037, _BODY: 0x1000}
_FIXED = {
    0x0002: 4,
    0x0003: 4,
    0x0004: 4,
    0x000A: 4,
    0x000B: 4,
    0x0005: 8,
    0x0006: 8,
    0x0007: 8,
    0x0014: 8,
    0x0040: 8,
    0x0048: 16,
}
_COUNTED = frozenset({0x001E, 0x001F, 0x0102, 0x000D})
_MULTIPLE = 0x1000
_FILE_NAME = 0x3704


class TnefError(Exception):
    """The rest of the file does not follow its own structure."""


@dataclass(slots=True, repr=False)
class TnefPart:
    """The mail itself or one attachment."""

    properties: list[Property] = field(default_factory=list)
    data: bytes = b""


def tnef_parts(data: bytes) -> Iterator[TnefPart]:
    """The mail first, then its attachments; a part is yielded once it is complete."""
    part = TnefPart()
    place = 6
    while place + 9 <= len(data):
        _, attribute, length = struct.unpack_from("<BII", data, place)
        value = data[place + 9 : place + 9 + length]
        if len(value) < length:
            yield part
            raise TnefError
        if attribute == _NEW_ATTACHMENT:
            yield part
            part = TnefPart()
        _take(part, attribute, value)
        place += 9 + length + 2
    yield part


def _take(part: TnefPart, attribute: int, value: bytes) -> None:
    if attribute in _OLD_PROPERTIES:
        part.properties.append((_OLD_PROPERTIES[attribute], STRING, value))
    elif attribute == _TITLE:
        part.properties.append((_FILE_NAME, STRING, value))
    elif attribute == _DATA:
        part.data = value
    elif attribute in (_MAPI, _ATTACHMENT_MAPI):
        part.properties.extend(_mapi_properties(value))


def _mapi_properties(data: bytes) -> Iterator[Property]:
    reader = _Reader(data)
    for _ in range(reader.number()):
        kind, number = reader.pair()
        if number >= 0x8000:
            reader.skip_name()
        several = kind & _MULTIPLE
        kind &= ~_MULTIPLE
        count = reader.number() if several or kind in _COUNTED else 1
        for _ in range(count):
            length = reader.number() if kind in _COUNTED else _FIXED.get(kind)
            if length is None:
                raise TnefError
            yield number, kind, reader.take(length)


class _Reader:
    """Values are padded to four bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def take(self, length: int) -> bytes:
        value = self._data[self._place : self._place + length]
        if len(value) < length:
            raise TnefError
        self._place += length + -length % 4
        return value

    def number(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def pair(self) -> tuple[int, int]:
        kind, number = struct.unpack("<HH", self.take(4))
        return kind, number

    def skip_name(self) -> None:
        self.take(16)
        if self.number() == 0:
            self.take(4)
        else:
            self.take(self.number())
