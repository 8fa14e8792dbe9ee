"""vCards and calendars -> their properties as labelled lines; attached files as members."""

from collections.abc import Iterator

from core.records import Segment
from extraction.budget import Budget
from extraction.content import Content
from extraction.decode import decode, wide_encoding
from extraction.expand import carried
from extraction.format import Member
from extraction.vcard_lines import card_lines

MEDIA_TYPES = frozenset({"text/vcard", "text/x-vcard", "text/calendar", "text/x-vcalendar"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    data = content.data
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) or wide_encoding(data):
        data = decode(data).encode()
    found = card_lines(data)
    yield Segment("", "\n".join(found.lines))
    for number, packed in enumerate(found.packed, 1):
        yield Member(f"attachment {number}", lambda packed=packed: carried(packed, budget), len(packed))  # type: ignore[misc]
