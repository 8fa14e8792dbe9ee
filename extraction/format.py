"""The interface of a text extractor: Content -> segments of text and members."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from core.records import IN_PLACE, Origin, Segment, Status
from extraction.content import Content
from extraction.limits.budget import Budget


class StoppedError(Exception):
    """Ends the examination of one content with a status other than complete; what was yielded before is kept."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(frozen=True, slots=True, repr=False)
class Member:
    """A file within a file; `open` may raise StoppedError, for instance if it is encrypted."""

    name: str
    open: Callable[[], Content]
    size: int = 0
    origin: Origin = IN_PLACE  # of a file that was deleted from a disk


@dataclass(frozen=True, slots=True)
class Need:
    """An optional program or library that a format can use; `leakscreen doctor` lists all of them.

    A format module declares its needs at the top level: `NEEDS: tuple[Need, ...] = (Need(...),)`.
    """

    name: str  # such as `tesseract`
    gives: str  # what is read only with it, such as `text in pictures and scanned pages`
    get: str  # how to get it, such as `apt-get install tesseract-ocr`
    find: Callable[[], str]  # its version or path, empty if missing; never raises, runs outside the sandbox


class WindowEnd:
    """Separates two windows of a text that is too large to hold at once; only the outermost file yields it."""


Piece = Segment | Member | WindowEnd


class Format(Protocol):
    """A module under extraction/formats, one per format, with these three names; it may define `NEEDS` as well.

    `PLAIN_BEYOND_LIMIT = True`: markup that is read as plain text if the file is beyond the read limit.
    `STREAMED = True`: only one member is in memory at a time, so if the file itself is a source, the limits of a file
    apply to each member.
    `draw(content, budget, page)`: one page as a segment of pixels, see extraction/readers/pictures/drawing.py.
    """

    MEDIA_TYPES: frozenset[str]
    IS_ARCHIVE: bool  # it has no text of its own, only members

    def extract(self, content: Content, budget: Budget) -> Iterator[Piece]: ...


def fault_of(error: BaseException) -> str:
    """The class of an error, never its message: messages quote content."""
    return f"corrupt ({type(error).__name__})"
