"""HL7 v2 messages -> their fields as labelled lines; files that they contain as members."""

from collections.abc import Iterator
from functools import partial

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.records.hl7 import Hl7Lines, segments
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"application/hl7-v2"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    lines = Hl7Lines()
    for segment in segments(decode(content.data, cut=bool(content.fault))):
        lines.add(segment)
    yield Segment("", "\n".join(lines.lines))
    for number, packed in enumerate(lines.packed, 1):
        yield Member(f"attachment {number}", partial(embedded_content, packed, budget), len(packed))
