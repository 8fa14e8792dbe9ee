"""Snappy stream (framed) -> the one file within it."""

import io
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.archives.compressed import inner_name, members_of_stream

MEDIA_TYPES = frozenset({"application/x-snappy-framed"})
IS_ARCHIVE = True

_PYARROW = LazyModule("pyarrow")
_COMPRESSED, _PLAIN, _LARGEST = 0, 1, 65_536


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield from members_of_stream(_Unpacked(content.data), inner_name(content), budget)


class _Unpacked(io.RawIOBase):
    """Chunks of at most 64 KB, each with a checksum of four bytes."""

    def __init__(self, data: bytes) -> None:
        self._chunks = _chunks(data)
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        self._left = self._left or next(self._chunks, b"")
        piece, self._left = self._left[: len(view)], self._left[len(view) :]
        view[: len(piece)] = piece
        return len(piece)


def _chunks(data: bytes) -> Iterator[bytes]:
    codec = _PYARROW.load().Codec("snappy")
    place = 0
    while place + 4 <= len(data):
        kind, length = data[place], int.from_bytes(data[place + 1 : place + 4], "little")
        chunk = data[place + 8 : place + 4 + length]
        place += 4 + length
        if place > len(data):
            raise EOFError
        if kind == _PLAIN:
            yield chunk
        elif kind == _COMPRESSED:
            size = _stated_size(chunk)
            if size > _LARGEST:
                raise ValueError
            yield codec.decompress(chunk, decompressed_size=size).to_pybytes()


def _stated_size(chunk: bytes) -> int:
    size = 0
    for step, byte in enumerate(chunk[:5]):
        size |= (byte & 0x7F) << (7 * step)
        if not byte & 0x80:
            break
    return size
