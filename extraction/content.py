"""A descriptor or a member's bytes -> Content: the bytes to examine, and what is known to be missing from them."""

import hashlib
import io
import os
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from extraction.by_position import ByPosition

HASHED_ELSEWHERE = "0" * 64


class DescriptorReader(ByPosition):
    """Reads a descriptor by position, at most `allowance` bytes in all; past that it looks as if the file ended."""

    def __init__(self, descriptor: int, size: int, allowance: int) -> None:
        super().__init__(size)
        self._descriptor = descriptor
        self.allowance = allowance

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        chunk = os.pread(self._descriptor, min(len(view), self.allowance), self._position)
        view[: len(chunk)] = chunk
        self._position += len(chunk)
        self.allowance -= len(chunk)
        return len(chunk)


@dataclass(slots=True, repr=False)
class Content:
    """One file or member: `data` is all of it unless `fault` says what cut it short."""

    data: bytes
    size: int
    name: str = ""
    fault: str = ""
    descriptor: int | None = None  # set where `data` is only the beginning of a file that can be read by position
    allowance: int = 0
    streamed_sha256: str | None = None  # where all of a file beyond the read limit was read in windows
    is_hashed_elsewhere: bool = False  # by whoever asked for it
    _reader: DescriptorReader | None = field(default=None, init=False)

    @property
    def sha256(self) -> str | None:
        """None if only the beginning was read: its hash would be mistaken for the hash of the file."""
        if self.streamed_sha256 is not None:
            return self.streamed_sha256
        if self.fault or self.descriptor is not None:
            return None
        return HASHED_ELSEWHERE if self.is_hashed_elsewhere else hashlib.sha256(self.data).hexdigest()

    def file(self, buffer: int = 1 << 16) -> BinaryIO:
        """The whole content, for parsers that seek. A file beyond the read limit is read by position."""
        if self.descriptor is None:
            return io.BytesIO(self.data)
        self._reader = DescriptorReader(self.descriptor, self.size, self.allowance)
        return cast(BinaryIO, io.BufferedReader(self._reader, buffer))

    @property
    def missing(self) -> str:
        """Why the reader did not see all of the content; empty if it did."""
        if self._reader is None or self.descriptor is None:
            return self.fault
        # The memory that holds an object is smaller than the object if no more of it was fetched.
        is_cut = self._reader.allowance <= 0 or os.fstat(self.descriptor).st_size < self.size
        return self.fault if is_cut else ""


def read_descriptor(descriptor: int, name: str, limit: int, size: int) -> Content:
    """Reads by position: a descriptor passed between processes shares its offset. `size` comes from a stat."""
    data = os.pread(descriptor, min(size, limit) + 1, 0)
    if len(data) == size <= limit:
        return Content(data, size, name)
    pieces = [data]
    total = len(data)
    while total <= limit and (piece := os.pread(descriptor, min(1 << 20, limit + 1 - total), total)):
        pieces.append(piece)
        total += len(piece)
    data = b"".join(pieces)
    if total <= limit:
        return Content(data, total, name)
    return Content(data[:limit], max(size, total), name, f"read limit ({limit:,} bytes)", descriptor, limit)
