"""What every format gives: the runs of a file, and the file anew with other texts in them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from deidentification.view import Run


class RefusedError(Exception):
    """A file that cannot be rewritten; the message is one of REASONS, since a parser may be in hostile hands."""


class Opened(Protocol):
    """A parsed file. Its runs are the same each time the same bytes are opened."""

    @property
    def runs(self) -> Sequence[Run]: ...

    @property
    def is_prose(self) -> bool:
        """Whether the runs make a text that can be screened; of codes and separators only known values are replaced."""

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        """The file with new texts for some runs."""


@runtime_checkable
class Layered(Protocol):
    """A file that holds its text twice, as picture and as letters: reading the one says nothing about the other."""

    def bare(self, new: Mapping[int, str]) -> bytes:
        """The file without its letters, so that whoever checks it must look at its pictures."""


Open = Callable[[bytes, str], Opened]
ENTITIES = "XML with entities of its own cannot be rewritten"
BROKEN = "its content cannot be parsed"
ENCRYPTED = "it is encrypted"
TOO_LARGE = "it has too many pages or pixels"
NO_OCR = "its pictures cannot be read in full"
NO_PROFILE = "the extra `dicom` is not installed"
REASONS = frozenset({ENTITIES, BROKEN, ENCRYPTED, TOO_LARGE, NO_OCR, NO_PROFILE})
