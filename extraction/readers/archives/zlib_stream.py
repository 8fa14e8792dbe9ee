"""A zlib stream without a file format around it -> whether the bytes are one, and what is in it."""

import io
import zlib

_LOOK = 2048
_PIECE = 1 << 14  # a small piece can only expand so far


def is_zlib(data: bytes) -> bool:
    """By a header that is right and a beginning that can be unpacked."""
    if len(data) < 8 or data[0] != 0x78 or int.from_bytes(data[:2], "big") % 31 or data[1] & 0x20:
        return False
    try:
        return bool(zlib.decompressobj().decompress(data[:_LOOK], 64))
    except zlib.error:
        return False


class ZlibStream(io.RawIOBase):
    """Reads to the end of the stream; bytes behind it are left."""

    def __init__(self, data: bytes) -> None:
        self._packed = memoryview(data)
        self._place = 0
        self._decompressor = zlib.decompressobj()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        while not self._decompressor.eof:
            packed = self._decompressor.unconsumed_tail
            if not packed:
                packed = bytes(self._packed[self._place : self._place + _PIECE])
                self._place += len(packed)
            if not packed:
                raise EOFError
            if piece := self._decompressor.decompress(packed, len(view)):
                view[: len(piece)] = piece
                return len(piece)
        return 0
