"""X12 interchanges: claims, payments, benefits, enrolments -> one block of labelled lines a patient or claim."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.limits.budget import Budget
from extraction.readers.records.x12 import x12_segments
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"application/edi-x12"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True


def extract(content: Content, budget: Budget) -> Iterator[Segment]:
    yield from x12_segments(decode(content.data, cut=bool(content.fault)))
