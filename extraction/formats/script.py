"""NCPDP SCRIPT prescriptions in their EDIFACT form -> one block of labelled lines a message."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.limits.budget import Budget
from extraction.readers.records.script import script_segments
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"application/edifact-script"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True


def extract(content: Content, budget: Budget) -> Iterator[Segment]:
    yield from script_segments(decode(content.data, cut=bool(content.fault)))
