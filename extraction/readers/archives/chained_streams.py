"""Compressed streams one behind the other -> what is in them as one stream, and what lies behind the last of them."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO, Protocol

from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.member_names import BEHIND
from extraction.readers.archives.compressed import members_of_stream
from extraction.readers.streams.read_member import Continued, read_member

BITE = 1 << 14  # bytes; a small piece can only expand so far
_PADDING = b"\0"
_GZIP = 16 + zlib.MAX_WBITS


class Unpacker(Protocol):
    """As bz2 and lzma have it."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class Deflated:
    """zlib's decompressor in the same form; a stream of gzip by default."""

    def __init__(self, window: int = _GZIP) -> None:
        self._is_gzip = window == _GZIP
        self._inflate = zlib.decompressobj(window)

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def needs_input(self) -> bool:
        return not self._inflate.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inflate.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        try:
            return self._inflate.decompress(self._inflate.unconsumed_tail + data, max(0, max_length))
        except zlib.error as error:
            if self._is_gzip:
                raise gzip.BadGzipFile from error
            raise


class ChainedStreams(io.RawIOBase):
    """Raises what the decompressor raises, and EOFError where a stream is cut; `behind` is set at the end."""

    def __init__(self, file: BinaryIO, new: Callable[[], Unpacker], bite: int = BITE) -> None:
        self._file = file
        self._new = new
        self._bite = bite
        self._unpacker = new()
        self.behind = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        while not self.behind:
            if self._unpacker.eof:
                piece = self._next_stream(len(view))
                if piece is None:
                    return 0
            else:
                packed = self._file.read(self._bite) if self._unpacker.needs_input else b""
                if not packed and self._unpacker.needs_input:
                    raise EOFError
                piece = self._unpacker.decompress(packed, len(view))
            if piece:
                view[: len(piece)] = piece
                return len(piece)
        return 0

    def _next_stream(self, most: int) -> bytes | None:
        rest = self._unpacker.unused_data.lstrip(_PADDING)
        while not rest and (packed := self._file.read(self._bite)):
            rest = packed.lstrip(_PADDING)
        if not rest:
            return None
        self._unpacker = self._new()
        try:
            return self._unpacker.decompress(rest, most)
        except Exception:  # each library has its own; it is no further stream
            self.behind = rest
            return None

    def rest(self) -> Continued:
        return Continued(self.behind, self._file)


def members_of_streams(streams: ChainedStreams, name: str, budget: Budget) -> Iterator[Member]:
    yield from members_of_stream(streams, name, budget)
    if streams.behind:
        yield Member(BEHIND, partial(read_member, streams.rest(), BEHIND, budget))
