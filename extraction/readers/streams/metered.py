"""Decompressing stream -> the same stream, with every byte charged to the budget of the file."""

from typing import BinaryIO

from extraction.format import fault_of
from extraction.limits.budget import Budget, LimitError


class Metered:
    """Charges what a decompressor yields, even what is skipped, to the budget of the whole file.

    A fault looks like the end of the stream, since readers of archives would lose the bytes before it.
    It is reported when the archive has ended.
    """

    def __init__(self, stream: BinaryIO, budget: Budget) -> None:
        self._stream = stream
        self._budget = budget
        self.fault = ""

    def read(self, count: int) -> bytes:
        if self.fault:
            return b""
        try:
            piece = self._stream.read1(count)  # type: ignore[attr-defined]
            self._budget.unpack(len(piece))
        except LimitError as limit:
            self.fault = str(limit)
        except MemoryError:
            raise
        except Exception as error:
            self.fault = fault_of(error)
        else:
            return bytes(piece)
        return b""
