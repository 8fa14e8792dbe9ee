"""vCards and calendars -> their properties as labelled lines; attached files as members."""

from collections.abc import Iterator
from functools import partial

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.records.vcard import card_lines
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.decode import decode, wide_encoding

MEDIA_TYPES = frozenset({"text/vcard", "text/x-vcard", "text/calendar", "text/x-vcalendar"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    data = content.data
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) or wide_encoding(data):
        data = decode(data).encode()
    lines = card_lines(data)
    yield Segment("", "\n".join(lines.lines).strip("\n"))
    for number, packed in enumerate(lines.packed, 1):
        yield Member(f"attachment {number}", partial(embedded_content, packed, budget), len(packed))
