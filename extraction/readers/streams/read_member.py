"""A decompressing stream -> a member's Content, within the budget of the whole file."""

from typing import Protocol

from extraction.content import Content
from extraction.format import fault_of
from extraction.limits.budget import Budget, LimitError

CHUNK = 1 << 16


class Readable(Protocol):
    def read(self, count: int, /) -> bytes: ...


class Continued:
    """A stream whose first bytes were read already."""

    def __init__(self, beginning: bytes, stream: Readable) -> None:
        self._beginning = beginning
        self._stream = stream

    def read(self, count: int, /) -> bytes:
        beginning, self._beginning = self._beginning, b""
        return beginning or self._stream.read(count)


def read_member(stream: Readable, name: str, budget: Budget, *, already_charged: bool = False) -> Content:
    """Keeps what came before a fault: the beginning of a truncated member is worth examining.

    `already_charged`: the stream itself charges the budget.
    """
    limit = budget.limits.member_bytes
    pieces: list[bytes] = []
    total = 0
    fault = ""
    while True:
        try:
            piece = stream.read(CHUNK)
        except LimitError as limit_reached:
            fault = str(limit_reached)
            break
        except Exception as error:
            fault = fault_of(error)
            break
        if not piece:
            break
        total += len(piece)
        try:
            budget.expand(0 if already_charged else len(piece))
        except LimitError as limit_reached:
            fault = str(limit_reached)
            break
        pieces.append(piece)
        if total > limit:
            fault = budget.member_reason
            break
    data = b"".join(pieces)
    return Content(data[:limit], total, name, fault)


def embedded_content(data: bytes, budget: Budget, name: str = "", *, already_charged: int = 0) -> Content:
    """A file that another one contains in plain bytes or base64.

    `already_charged`: how many bytes were charged to the budget when they were decompressed.
    """
    budget.expand(max(0, len(data) - already_charged))
    limit = budget.limits.member_bytes
    return Content(data[:limit], len(data), name, budget.member_reason if len(data) > limit else "")
