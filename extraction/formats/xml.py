"""XML, such as clinical documents -> its text and attribute values without markup; files in it as members."""

from collections.abc import Iterator
from functools import partial

from lxml import etree

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.data_uris import files_within
from extraction.readers.text.decode import decode
from extraction.readers.xml.lines import TooDeepError, xml_lines
from extraction.readers.xml.parse import declared_encoding

MEDIA_TYPES = frozenset({"text/xml", "application/xml", "image/svg+xml", "application/rss+xml", "application/fhir+xml"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True

_DATA_URI = b";base64,"


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    """Invalid XML, and XML with entities that might hide text, is passed on as it is, so that no text is lost."""
    data = content.data
    lines = None
    if b"<!ENTITY" not in data:
        try:
            lines = xml_lines(data)
        except (etree.XMLSyntaxError, TooDeepError):
            lines = None
    if lines is None:
        yield Segment("", decode(data, declared_encoding(data), cut=bool(content.fault)))
        return
    yield Segment("", lines.text)
    for number, packed in enumerate(lines.packed, 1):
        yield Member(f"attachment {number}", partial(embedded_content, packed, budget), len(packed))
    if _DATA_URI in data:
        yield from files_within(decode(data, declared_encoding(data)), budget)
