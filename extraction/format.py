"""What every text extractor is: content in, pieces of text and members out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from core.records import Segment, Status
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
    """A file within a file; `open` may raise StoppedError, for instance where it is encrypted."""

    name: str
    open: Callable[[], Content]
    size: int = 0


@dataclass(frozen=True, slots=True)
class Need:
    """A part of the machine that a format can use but does without; `leakscreen doctor` lists all of them.

    A format module that has some names them at its top level: `NEEDS: tuple[Need, ...] = (Need(...),)`.
    """

    name: str  # such as `tesseract`
    gives: str  # what is read only with it, such as `text in pictures and scanned pages`
    get: str  # how to get it, such as `apt-get install tesseract-ocr`
    find: Callable[
        [], str
    ]  # its version or place, nothing where it is missing; never raises, and runs outside the sandbox


class WindowEnd:
    """A piece that parts two windows of a text too large to be held at once; only the outermost file has such."""


Piece = Segment | Member | WindowEnd


class Format(Protocol):
    """One module per format under extraction/formats; a module with these three names is one, and may have `NEEDS` as well.

    One that also says `PLAIN_BEYOND_LIMIT = True` is markup that is read as plain text where the file is beyond the read limit.
    One that says `STREAMED = True` holds one member at a time: where the file is a source by itself, each member is limited as a file is.
    """

    MEDIA_TYPES: frozenset[str]
    IS_ARCHIVE: bool  # its own text is nothing: only its members matter

    def extract(self, content: Content, budget: Budget) -> Iterator[Piece]: ...


def fault_of(error: BaseException) -> str:
    """The class of an error, never its message: messages quote content."""
    return f"corrupt ({type(error).__name__})"
