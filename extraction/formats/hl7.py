"""HL7 v2 messages -> their fields as labelled lines; files that they carry as members."""

from collections.abc import Iterator

from core.records import Segment
from extraction.budget import Budget
from extraction.content import Content
from extraction.decode import decode
from extraction.expand import carried
from extraction.format import Member
from extraction.hl7_lines import Hl7Lines, segments

MEDIA_TYPES = frozenset({"application/hl7-v2"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    found = Hl7Lines()
    for segment in segments(decode(content.data, cut=bool(content.fault))):
        found.add(segment)
    yield Segment("", "\n".join(line for line in found.lines if line))
    for number, packed in enumerate(found.packed, 1):
        yield Member(f"attachment {number}", lambda packed=packed: carried(packed, budget), len(packed))  # type: ignore[misc]
