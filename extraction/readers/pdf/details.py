"""A PDF apart from its pages -> its properties, bookmarks and the data of XFA forms."""

import ctypes
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from lxml import etree

from core.records import Segment
from extraction.content import Content
from extraction.readers.xml.parse import safe_parser
from extraction.readers.xml.xmp import xmp_packets, xmp_text

MOST_BOOKMARKS = 20_000
MOST_PACKETS = 100
LONGEST_PACKET = 50_000_000


def details(document: pdfium.PdfDocument, content: Content) -> Iterator[Segment]:
    yield from _properties(document, content)
    bookmarks = "\n".join(_bookmarks(document))
    if bookmarks:
        yield Segment("bookmarks", bookmarks)
    for number, text in enumerate(_xfa_texts(document), 1):
        yield Segment(f"form data {number}", text)


def _properties(document: pdfium.PdfDocument, content: Content) -> Iterator[Segment]:
    values = document.get_metadata_dict(skip_empty=True)
    properties = {str(values[key]): None for key in ("Title", "Author", "Subject", "Keywords") if key in values}
    for packet in xmp_packets(content.data):
        properties.update(dict.fromkeys(line for line in xmp_text(packet).splitlines()))
    if properties:
        yield Segment("properties", "\n".join(properties))


def _bookmarks(document: pdfium.PdfDocument) -> Iterator[str]:
    try:
        for number, bookmark in enumerate(document.get_toc(max_depth=30)):
            if number >= MOST_BOOKMARKS:
                return
            yield bookmark.get_title()
    except (pdfium.PdfiumError, UnicodeDecodeError):
        return


def _xfa_texts(document: pdfium.PdfDocument) -> Iterator[str]:
    for index in range(min(pdfium_c.FPDF_GetXFAPacketCount(document), MOST_PACKETS)):
        length = ctypes.c_ulong()
        if (
            not pdfium_c.FPDF_GetXFAPacketContent(document, index, None, 0, length)
            or not 0 < length.value <= LONGEST_PACKET
        ):
            continue
        buffer = ctypes.create_string_buffer(length.value)
        if pdfium_c.FPDF_GetXFAPacketContent(document, index, buffer, length.value, length):
            text = _element_text(buffer.raw[: length.value])
            if text:
                yield text


def _element_text(packet: bytes) -> str:
    """The first and last packets are halves of an element, so the parser must recover."""
    try:
        root = etree.fromstring(packet, safe_parser(recover=True))
    except etree.XMLSyntaxError:
        return ""
    return "\n".join(text.strip() for text in root.itertext() if text.strip()) if root is not None else ""
