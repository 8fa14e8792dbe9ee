"""Zstandard file -> the one file within it, or the members of the tar within it."""

import io
from collections.abc import Iterator
from typing import BinaryIO

import zstandard

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.compressed import inner_name, members_of_stream

MEDIA_TYPES = frozenset({"application/zstd", "application/x-zstd"})
IS_ARCHIVE = True
STREAMED = True

LARGEST_WINDOW = 1 << 28  # bytes; what `zstd --ultra --long=28` uses, well within a parser's memory
_BITE = 1 << 10  # bytes; this few expand to some 32 MB at most


class _Reader(io.RawIOBase):
    """Unlike the library's own reader, it notices a truncated frame."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
        self._frame = self._decompressor.decompressobj()
        self._given = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        while not self._ready:
            if not self._fill():
                return 0
        count = min(len(view), len(self._ready))
        view[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _fill(self) -> bool:
        rest = self._frame.unused_data if self._frame.eof else b""
        bite = rest or self._file.read(_BITE)
        if self._frame.eof and bite:
            self._frame = self._decompressor.decompressobj()
            self._given = False
        if not bite:
            if self._given and not self._frame.eof:
                raise EOFError
            return False
        self._given = True
        self._ready = memoryview(self._frame.decompress(bite))
        return True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield from members_of_stream(_Reader(content.file()), inner_name(content), budget)
