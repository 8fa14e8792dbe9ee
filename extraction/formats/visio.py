"""Visio drawing (OOXML) -> the text of its shapes page by page, master shapes, comments and properties."""

import re
from collections.abc import Iterator

from lxml import etree

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.ooxml.package import Package, all_text, numbered, properties
from extraction.readers.xml.parse import local_name

MEDIA_TYPES = frozenset({"application/vnd.ms-visio.drawing"})
IS_ARCHIVE = False

_PARTS = (
    (re.compile(r"visio/pages/page\d*\.xml", re.I), "page"),
    (re.compile(r"visio/masters/master\d*\.xml", re.I), "master"),
)
_NAMES = re.compile(r"visio/(?:pages/pages|masters/masters)\.xml", re.I)
_COMMENTS = re.compile(r"visio/comments\d*\.xml", re.I)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    package = Package(content, budget)
    for name in package.matching(_NAMES):
        yield Segment("names", "\n".join(_named(package.tree(name))))
    for pattern, where in _PARTS:
        for name in package.matching(pattern):
            yield Segment(where + numbered(name), "\n".join(_shapes(package.tree(name))))
    for name in package.matching(_COMMENTS):
        yield Segment("comments", all_text(package.tree(name)))
    yield from properties(package)
    yield from package.embedded()
    yield from package.rest()
    package.finish()


def _shapes(root: etree._Element | None) -> Iterator[str]:
    """The text of a shape is mixed with style marks; its other fields are cells with a text value."""
    for element in root.iter() if root is not None else ():
        if local_name(element) == "Text":
            yield "".join(str(piece) for piece in element.itertext()).strip()
        elif (
            local_name(element) == "Cell"
            and element.get("U") == "STR"
            and element.get("N") in ("Value", "Prompt", "Label")
        ):
            yield element.get("V") or ""


def _named(root: etree._Element | None) -> Iterator[str]:
    for element in root.iter("{*}Page", "{*}Master") if root is not None else ():
        yield element.get("Name") or element.get("NameU") or ""
