"""Office document in one XML file (flat OpenDocument, Word and Excel 2003 XML) -> its text; pictures as members."""

import re
from collections.abc import Iterator
from functools import partial

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.formats.opendocument import kind_of
from extraction.limits.budget import Budget
from extraction.media_types import FLAT_OPENDOCUMENT, MICROSOFT_XML
from extraction.readers.ooxml.flat_xml import MicrosoftXmlText
from extraction.readers.opendocument import OpenDocumentText
from extraction.readers.text.data_uris import opened
from extraction.readers.xml.parse import feed

MEDIA_TYPES = frozenset({FLAT_OPENDOCUMENT, MICROSOFT_XML})
IS_ARCHIVE = False

_LOOK = 8192
_BINARY = re.compile(rb"<(?:\w{1,20}:)?(?:binary-data|binData|binaryData)\b[^<>]{0,500}>([A-Za-z0-9+/=\s]{200,})<")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    data = content.data
    is_open = b"office:document" in data[:_LOOK].replace(b"\0", b"")
    target = OpenDocumentText(kind_of(data)) if is_open else MicrosoftXmlText()
    fault = yield from feed(data, target)
    for number, match in enumerate(_BINARY.finditer(data), 1):
        name = f"embedded {number}"
        yield Member(name, partial(opened, match.group(1).decode("ascii"), name, budget))
    if fault and not content.fault:
        raise StoppedError(Status.PARTIAL, fault)
