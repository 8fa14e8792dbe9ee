"""XML bytes -> text, with no entities, no network, and the depth limit of libxml2 in force."""

import re

from lxml import etree

_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")


def declared_encoding(data: bytes) -> str:
    """The encoding that an XML declaration names, or nothing."""
    if not data.startswith((b"<?xml", b"\xef\xbb\xbf<?xml")):
        return ""
    match = _DECLARED.match(data[:400].removeprefix(b"\xef\xbb\xbf"))
    return match.group(1).decode("ascii") if match else ""


def safe_parser(*, recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        recover=recover,
        remove_comments=True,
        remove_pis=True,
    )


def safe_events(source: object, tags: list[str] | None = None) -> etree.iterparse:
    """Elements as they end, for parts too large for a tree."""
    return etree.iterparse(
        source,
        events=("end",),
        tag=tags,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def local_name(element: etree._Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
