"""Zstandard file -> the one file within it, or the members of the tar within it; what lies behind its end."""

from collections.abc import Iterator

import zstandard

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.chained_streams import ChainedStreams, members_of_streams
from extraction.readers.archives.compressed import inner_name

MEDIA_TYPES = frozenset({"application/zstd", "application/x-zstd"})
IS_ARCHIVE = True
STREAMED = True

LARGEST_WINDOW = 1 << 28  # bytes; what `zstd --ultra --long=28` uses, well within a parser's memory
_BITE = 1 << 10  # bytes; this few expand to some 32 MB at most


class _Frame:
    """One frame in the form that bz2 and lzma have."""

    def __init__(self) -> None:
        self._frame = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW).decompressobj()
        self._ready = memoryview(b"")

    @property
    def eof(self) -> bool:
        return self._frame.eof and not self._ready

    @property
    def needs_input(self) -> bool:
        return not self._ready

    @property
    def unused_data(self) -> bytes:
        return self._frame.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        if data:
            self._ready = memoryview(self._frame.decompress(data))
        piece, self._ready = self._ready[:max_length], self._ready[max_length:]
        return bytes(piece)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield from members_of_streams(ChainedStreams(content.file(), _Frame, _BITE), inner_name(content), budget)
