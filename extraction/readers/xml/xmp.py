"""An XMP packet -> the texts that describe a document or picture: titles, people, places, keywords."""

import re

from lxml import etree

from extraction.readers.xml.parse import local_name, safe_parser

MOST_PACKETS = 20
LONGEST_PACKET = 1_000_000
_PACKETS = ((b"<x:xmpmeta", b"</x:xmpmeta>"), (b"<rdf:RDF", b"</rdf:RDF>"))
_TECHNICAL = re.compile(r"(?:xmp\.|uuid:|adobe:)|[0-9a-f-]{32,36}$|\d{4}-\d\d-\d\dT|[\d./,: -]*$", re.I)
_TECHNICAL_SPACES = (
    "xap/1.0/mm/",
    "xap/1.0/sType/",
    "xmp/1.0/DynamicMedia",
    "pdfa",
    "camera-raw-settings",
    "tiff/1.0",
    "xap/1.0/g/",
)


def xmp_packets(data: bytes) -> list[bytes]:
    """Packets that are uncompressed in a file, as the standard demands."""
    for opening, closing in _PACKETS:
        packets: list[bytes] = []
        start = data.find(opening)
        while start >= 0 and len(packets) < MOST_PACKETS:
            end = data.find(closing, start, start + LONGEST_PACKET)
            if end >= 0:
                packets.append(data[start : end + len(closing)])
            start = data.find(opening, max(end, start + len(opening)))
        if packets:
            return packets
    return []


def xmp_text(packet: bytes) -> str:
    try:
        root = etree.fromstring(packet, safe_parser(recover=True))
    except etree.XMLSyntaxError:
        return ""
    if root is None:
        return ""
    texts: dict[str, None] = {}
    for element in root.iter():
        if not local_name(element) or _is_technical(str(element.tag)):
            continue
        values = [
            element.text or "",
            *(value for name, value in element.attrib.items() if not _is_technical(str(name))),
        ]
        texts.update({value.strip(): None for value in values if value.strip() and not _TECHNICAL.match(value.strip())})
    return "\n".join(texts)


def _is_technical(name: str) -> bool:
    return any(space in name for space in _TECHNICAL_SPACES) or name.endswith(
        ("}lang", "}about", "}CreatorTool", "}format", "}parseType")
    )
