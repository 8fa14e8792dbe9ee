"""Streams of an Outlook item, recipient or attachment -> its MAPI properties."""

import struct
from collections.abc import Iterator

from extraction.readers.ole.compound import Compound, Path
from extraction.readers.text.decode import decode

UNICODE, STRING, BINARY, OBJECT = 0x001F, 0x001E, 0x0102, 0x000D
_INTEGER = 0x0003
_CODE_PAGES = (0x3FFD, 0x3FDE)
_STREAM = "__substg1.0_"
_PROPERTIES = "__properties_version1.0"


class Properties:
    """The properties of one storage; the empty path is the item itself."""

    def __init__(self, compound: Compound, storage: Path = (), encoding: str = "") -> None:
        self._compound = compound
        self._storage = storage
        self.numbers = dict(_numbers(compound.read(*storage, _PROPERTIES), is_item=not storage))
        self.encoding = encoding or self._declared()
        self._kinds: dict[int, int] = {}
        for path in compound.paths(*storage):
            if len(path) == len(storage) + 1 and path[-1].startswith(_STREAM) and len(path[-1]) == len(_STREAM) + 8:
                tag = _tag(path[-1])
                self._kinds.setdefault(tag >> 16, tag & 0xFFFF)

    def _declared(self) -> str:
        pages = (self.numbers.get(number, 0) for number in _CODE_PAGES)
        page = next(filter(None, pages), 0)
        return {65001: "utf-8", 20127: "ascii", 28591: "iso-8859-1"}.get(page, f"cp{page}" if page else "")

    @property
    def texts(self) -> Iterator[tuple[int, str]]:
        for number, kind in self._kinds.items():
            if kind in (UNICODE, STRING):
                yield number, self.text(number)

    def text(self, *numbers: int) -> str:
        """The first of these properties that exists and is not empty."""
        for number in numbers:
            kind = self._kinds.get(number)
            data = self._read(number, kind) if kind in (UNICODE, STRING) else b""
            text = data.decode("utf-16-le", "replace") if kind == UNICODE else decode(data, self.encoding)
            text = text.strip("\0 \r\n")
            if text:
                return text
        return ""

    def data(self, number: int) -> bytes:
        kind = self._kinds.get(number)
        return self._read(number, kind) if kind is not None else b""

    def _read(self, number: int, kind: int | None) -> bytes:
        return self._compound.read(*self._storage, f"{_STREAM}{number:04X}{kind or 0:04X}")

    def object(self, number: int) -> Path | None:
        """The storage that is the value of a property."""
        path = (*self._storage, f"{_STREAM}{number:04X}{OBJECT:04X}")
        return path if any(True for _ in self._compound.paths(*path)) else None


def _tag(name: str) -> int:
    try:
        return int(name[len(_STREAM) :], 16)
    except ValueError:
        return 0


def _numbers(table: bytes, *, is_item: bool) -> Iterator[tuple[int, int]]:
    """The header of an item's table has 32 bytes, or 24 if the item is inside another one; other tables have 8."""
    start = 8
    if is_item:
        start = 32 if len(table) % 16 == 0 else 24
    for place in range(start, len(table) - 15, 16):
        kind, number, _, value = struct.unpack_from("<HHII", table, place)
        if kind == _INTEGER:
            yield number, value
