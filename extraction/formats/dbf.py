"""dBASE table -> its rows, also those that were deleted and never purged."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.records.person import iso_date
from extraction.readers.text.table import table_segments

MEDIA_TYPES = frozenset({"application/x-dbf"})
IS_ARCHIVE = False

_HEADER = struct.Struct("<BBBBIHH")
_FIELD = 32
_END_OF_FIELDS = 0x0D
_CODE_PAGES = {
    0x01: "cp437",
    0x02: "cp850",
    0x03: "cp1252",
    0x57: "cp1252",
    0x58: "cp1252",
    0x64: "cp852",
    0x65: "cp866",
    0x66: "cp865",
    0x7D: "cp1255",
    0x7E: "cp1256",
    0xC8: "cp1250",
    0xC9: "cp1251",
    0xCA: "cp1254",
    0xCB: "cp1253",
    0x13: "cp932",
    0x4D: "cp936",
}
_TEXT, _DATE, _INTEGER, _DOUBLE = "CFNDLV", "D", "I+", "BO"


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    kind: str
    length: int


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    data = content.data
    if len(data) < 32:
        raise StoppedError(Status.FAILED, "corrupt (no header)")
    _, _, _, _, count, start, width = _HEADER.unpack_from(data)
    encoding = _CODE_PAGES.get(data[29], "cp1252")
    fields = list(_fields(data, start, encoding))
    if not fields or width < 1 + sum(field.length for field in fields):
        raise StoppedError(Status.FAILED, "corrupt (no fields)")
    there = max(0, len(data) - start) // width
    rows = (
        list(_cells(data[place : place + width], fields, encoding))
        for place in range(start, start + min(count, there) * width, width)
    )
    yield from table_segments("table 1", [field.name for field in fields], rows)
    if there < count and not content.missing:
        raise StoppedError(Status.PARTIAL, "corrupt (rows are missing)")


def _fields(data: bytes, end: int, encoding: str) -> Iterator[_Field]:
    for place in range(32, min(end, len(data)) - 1, _FIELD):
        entry = data[place : place + _FIELD]
        if entry[0] == _END_OF_FIELDS or len(entry) < _FIELD:
            return
        yield _Field(
            entry[:11].partition(b"\0")[0].decode(encoding, "replace"),
            chr(entry[11]),
            entry[16] + (entry[17] << 8) * (entry[11] == 67),
        )


def _cells(record: bytes, fields: list[_Field], encoding: str) -> Iterator[object]:
    place = 1
    for field in fields:
        yield _value(record[place : place + field.length], field.kind, encoding)
        place += field.length


def _value(raw: bytes, kind: str, encoding: str) -> object:
    if kind in _INTEGER and len(raw) == 4:
        return int.from_bytes(raw, "little", signed=True)
    if kind in _DOUBLE and len(raw) == 8:
        return float(struct.unpack("<d", raw)[0])
    if kind not in _TEXT:
        return ""  # a number in a memo file beside this one, or a picture
    text = raw.decode(encoding, "replace").strip(" \0")
    return iso_date(text) if kind == _DATE else text
