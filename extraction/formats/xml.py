"""XML, such as clinical documents -> its text and attribute values without markup; files in it as members."""

import re
from collections.abc import Iterator
from functools import partial

from lxml import etree

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.data_uris import files_within
from extraction.readers.text.decode import decode
from extraction.readers.xml.lines import TooDeepError, xml_lines
from extraction.readers.xml.parse import declared_encoding

MEDIA_TYPES = frozenset({"text/xml", "application/xml", "image/svg+xml", "application/rss+xml", "application/fhir+xml"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True

MOST_OUTLINES = 150
_HEAD = 4_096
_PATH = re.compile(rb"""\sd=["']([^"']*)""")
_BEGINNING = re.compile(rb"[Mm]")
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
    if _may_be_letters(data):
        raise StoppedError(Status.PARTIAL, "picture not read (outlines that may be letters)")


def _may_be_letters(data: bytes) -> bool:
    """Whether a drawing without text has more outlines than an icon or a logo: 3 of 620 on a desktop have."""
    if b"<svg" not in data[:_HEAD] or b"<text" in data or b"<font" in data:
        return False
    outlines = sum(len(_BEGINNING.findall(path)) for path in _PATH.findall(data))
    return outlines + data.count(b"<use ") > MOST_OUTLINES
