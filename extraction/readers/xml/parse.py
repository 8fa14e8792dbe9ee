"""XML bytes -> text, with no entities, no network, and the depth limit of libxml2 in force."""

import re
from collections.abc import Generator, Iterator, Mapping
from typing import Protocol

from lxml import etree

from core.records import Segment
from extraction.format import fault_of

CHUNK = 1 << 16
# The declaration may be in a wide encoding: the bytes are searched before they are decoded.
_ENTITY_MARKS = tuple("<!ENTITY".encode(encoding) for encoding in ("ascii", "utf-16-le", "utf-16-be"))
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")


def declared_encoding(data: bytes) -> str:
    """The encoding that an XML declaration names, else empty."""
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


def safe_events(
    source: object, tags: list[str] | None = None, events: tuple[str, ...] = ("end",), *, recover: bool = False
) -> etree.iterparse:
    """Elements as they end, for parts too large for a tree."""
    return etree.iterparse(
        source,
        events=events,
        tag=tags,
        recover=recover,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


class Target(Protocol):
    """Gathers text while a file is parsed, so that no tree is built."""

    def start(self, tag: str, attributes: Mapping[str, str], /) -> None: ...

    def data(self, text: str, /) -> None: ...

    def end(self, tag: str, /) -> None: ...

    def close(self) -> None: ...

    def full(self) -> Iterator[Segment]:
        """Segments that are complete while the rest is still to come."""
        ...

    def rest(self) -> Iterator[Segment]: ...


def feed(data: bytes, target: Target) -> Generator[Segment, None, str]:
    """The text of the XML up to its first fault; returns that fault or nothing.

    A parser with a target always expands entities, so a file that declares some is parsed into a tree.
    """
    if any(mark in data for mark in _ENTITY_MARKS):
        fault = _feed_tree(data, target)
        yield from target.rest()
        return fault
    parser = etree.XMLParser(target=target, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        for start in range(0, len(data), CHUNK):
            parser.feed(data[start : start + CHUNK])
            yield from target.full()
        parser.close()
    except etree.XMLSyntaxError as error:
        fault = fault_of(error)
    else:
        fault = ""
    yield from target.rest()
    return fault


def _feed_tree(data: bytes, target: Target) -> str:
    root = etree.fromstring(data, safe_parser(recover=True))
    if root is None:
        return "corrupt (XMLSyntaxError)"
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(element.tag, str):
            continue
        if event == "start":
            target.start(element.tag, element.attrib)
            target.data(element.text or "")
        else:
            target.end(element.tag)
            if element is not root:
                target.data(element.tail or "")
    return ""


def local_name(element: etree._Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
