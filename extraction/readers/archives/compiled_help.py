"""Compiled help file (CHM) -> its directory, and the bytes of each file in it."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.readers.archives.lzx import FRAME, LzxError, unpack

_STORAGE = "::DataSpace/Storage/MSCompressed/"
_CONTENT, _CONTROL = _STORAGE + "Content", _STORAGE + "ControlData"
_RESETS = _STORAGE + "Transform/{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}/InstanceData/ResetTable"
_OWN = ("::", "/#", "/$")  # names of what the viewer keeps for itself
_MOST_CHUNKS = 1 << 16
_LONGEST_INTERVAL = 1 << 23


@dataclass(frozen=True, slots=True)
class HelpEntry:
    name: str
    is_packed: bool
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class _Packing:
    start: int  # in the file
    length: int  # of what was packed
    interval: int
    window_bits: int
    resets: tuple[int, ...]  # where the packed bytes of each frame begin


class HelpFile:
    """`read` unpacks one interval at a time and keeps the last one."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._content, entries = _directory(data)
        self.entries = [entry for entry in entries if not entry.name.startswith(_OWN) and not entry.name.endswith("/")]
        by_name = {entry.name: entry for entry in entries if entry.name.startswith("::")}
        self._packing = self._find_packing(by_name) if any(entry.is_packed for entry in entries) else None
        self._last = (-1, b"")

    def read(self, entry: HelpEntry, start: int) -> bytes:
        """The bytes of a file from `start` on, to the end of the file or of what was unpacked; empty at its end."""
        place, left = entry.start + start, entry.length - start
        if left <= 0:
            return b""
        if not entry.is_packed:
            stored = self._stored(entry)[start:]
            if not stored:
                raise EOFError
            return stored
        packing = self._packing
        if packing is None or place >= packing.length:
            raise EOFError
        number, within = divmod(place, packing.interval)
        if self._last[0] != number:
            self._last = (number, self._interval(packing, number))
        return self._last[1][within : within + left]

    def _interval(self, packing: _Packing, number: int) -> bytes:
        frames = packing.interval // FRAME
        start = packing.start + packing.resets[number * frames]
        following = (number + 1) * frames
        end = packing.start + packing.resets[following] if following < len(packing.resets) else len(self._data)
        length = min(packing.interval, packing.length - number * packing.interval)
        return unpack(self._data[start:end], length, packing.window_bits)

    def _stored(self, entry: HelpEntry) -> bytes:
        start = self._content + entry.start
        return self._data[start : start + entry.length]

    def _find_packing(self, by_name: dict[str, HelpEntry]) -> _Packing:
        control, table = self._stored(by_name[_CONTROL]), self._stored(by_name[_RESETS])
        mark, version, interval, window = struct.unpack_from("<4sIII", control, 4)
        unit = FRAME if version == 2 else 1
        interval, window = interval * unit, window * unit
        count, _, first, length = struct.unpack_from("<IIIQ", table, 4)
        is_sound = mark == b"LZXC" and window and interval and interval % FRAME == 0 and interval <= _LONGEST_INTERVAL
        if not is_sound:
            raise LzxError
        resets = struct.unpack_from(f"<{min(count, (len(table) - first) // 8)}Q", table, first)
        start = self._content + by_name[_CONTENT].start
        return _Packing(start, length, interval, window.bit_length() - 1, resets)


def _directory(data: bytes) -> tuple[int, list[HelpEntry]]:
    """Where the content begins, and every entry, in the order of the content."""
    version, length = struct.unpack_from("<II", data, 4)
    place, size = struct.unpack_from("<QQ", data, 72)
    content = struct.unpack_from("<Q", data, 88)[0] if version > 2 and length >= 96 else place + size
    header, _, chunk_size = struct.unpack_from("<III", data, place + 8)
    count = struct.unpack_from("<I", data, place + 44)[0]
    entries: list[HelpEntry] = []
    for number in range(min(count, _MOST_CHUNKS)):
        start = place + header + number * chunk_size
        chunk = data[start : start + chunk_size]
        if len(chunk) < 20:
            raise EOFError
        if chunk.startswith(b"PMGL"):
            entries += _listed(chunk[20 : len(chunk) - int.from_bytes(chunk[4:8], "little")])
    return content, sorted(entries, key=lambda entry: (entry.is_packed, entry.start))


def _listed(chunk: bytes) -> Iterator[HelpEntry]:
    place = 0
    while place < len(chunk):
        length, place = _number(chunk, place)
        name = chunk[place : place + length].decode("utf-8", "replace")
        section, place = _number(chunk, place + length)
        start, place = _number(chunk, place)
        size, place = _number(chunk, place)
        yield HelpEntry(name, section == 1, start, size)


def _number(chunk: bytes, place: int) -> tuple[int, int]:
    """Seven bits a byte, the highest first; the last byte is below 128."""
    value = 0
    while True:
        value = value << 7 | chunk[place] & 0x7F
        place += 1
        if chunk[place - 1] < 0x80:
            return value, place
