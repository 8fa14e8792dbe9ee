"""An XMP packet -> the texts that describe a document or picture: titles, people, places, keywords."""

import re

from lxml import etree

from extraction.xml_text import local_name, safe_parser

MOST_PACKETS = 20
LONGEST_PACKET = 1_000_000
_PACKET = re.compile(rb"<(x:xmpmeta|rdf:RDF)\b")
_TECHNICAL = re.compile(r"(?:xmp\.|uuid:|adobe:)|[0-9a-f-]{32,36}$|\d{4}-\d\d-\d\dT|[\d./,: -]*$", re.I)
_TECHNICAL_SPACES = ("xap/1.0/mm/", "xap/1.0/sType/", "xmp/1.0/DynamicMedia", "pdfa", "camera-raw-settings", "tiff/1.0", "xap/1.0/g/")


def xmp_packets(data: bytes) -> list[bytes]:
    """Packets that stand unpacked in a file, as the standard asks for."""
    packets: list[bytes] = []
    position = 0
    while len(packets) < MOST_PACKETS and (match := _PACKET.search(data, position)):
        closing = b"</" + match.group(1) + b">"
        end = data.find(closing, match.start(), match.start() + LONGEST_PACKET)
        position = end + len(closing) if end >= 0 else match.end()
        if end >= 0:
            packets.append(data[match.start() : position])
    return packets


def xmp_text(packet: bytes) -> str:
    try:
        root = etree.fromstring(packet, safe_parser(recover=True))
    except etree.XMLSyntaxError:
        return ""
    if root is None:
        return ""
    found: dict[str, None] = {}
    for element in root.iter():
        if not local_name(element) or _is_technical(str(element.tag)):
            continue
        values = [element.text or "", *(value for name, value in element.attrib.items() if not _is_technical(str(name)))]
        found.update({value.strip(): None for value in values if value.strip() and not _TECHNICAL.match(value.strip())})
    return "\n".join(found)


def _is_technical(name: str) -> bool:
    return any(space in name for space in _TECHNICAL_SPACES) or name.endswith(("}lang", "}about", "}CreatorTool", "}format", "}parseType"))
