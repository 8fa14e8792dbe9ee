"""Deflated bytes -> a stream that inflates as far as it is read."""

import zlib


class ZlibStream:
    def __init__(self, data: bytes) -> None:
        self._inflate = zlib.decompressobj()
        self._waiting = data

    def read(self, count: int, /) -> bytes:
        if self._inflate.eof:
            return b""
        piece = self._inflate.decompress(self._waiting, count)
        self._waiting = self._inflate.unconsumed_tail
        return piece
