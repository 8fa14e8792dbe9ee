"""Data files of programs that nobody reads here -> their strings, under the name of the program, never complete."""

from collections.abc import Iterator

from core.records import Status
from extraction.content import Content
from extraction.format import Piece, StoppedError
from extraction.formats.binary import string_segments
from extraction.identify.programs import NAMES, program_of
from extraction.limits.budget import Budget

MEDIA_TYPES = frozenset(NAMES)
IS_ARCHIVE = False


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    name = NAMES[program_of(content.data)]
    has_text = False
    for segment in string_segments(content.data):
        has_text = True
        yield segment
    if has_text:
        raise StoppedError(Status.PARTIAL, f"{name}: only its strings were read")
    raise StoppedError(Status.UNSUPPORTED, f"{name}: no reader for it")
