"""Bytes that a name says are brotli -> what they unpack to; brotli has no mark of its own."""

import io
from typing import Any, cast

from extraction.lazy_import import LazyModule

_PYARROW = LazyModule("pyarrow")
_LOOK = 64


def brotli_stream(data: bytes) -> io.IOBase | None:
    """None if they are not."""
    pa = _PYARROW.load()
    try:
        pa.input_stream(pa.BufferReader(data), compression="brotli").read(_LOOK)
    except Exception:
        return None
    return _Stream(pa.input_stream(pa.BufferReader(data), compression="brotli"))


class _Stream(io.RawIOBase):
    def __init__(self, unpacked: Any) -> None:
        self._unpacked = unpacked

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        piece = cast(bytes, self._unpacked.read(len(view)))
        view[: len(piece)] = piece
        return len(piece)
