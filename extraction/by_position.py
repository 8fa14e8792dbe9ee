"""A content of known size that is read by position -> a file that can be sought, for parsers."""

import io
import os


class ByPosition(io.RawIOBase):
    """Keeps the position; whoever derives from it reads there in `readinto`."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self.size}[whence]
        self._position = max(0, start + offset)
        return self._position

    def tell(self) -> int:
        return self._position
