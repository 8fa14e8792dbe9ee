"""Word document -> the text of its body, headers, footers, notes, comments, text boxes, charts and properties."""

import re
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.media_types import DOCX
from extraction.readers.ooxml.package import (
    LARGE_PART,
    Package,
    all_text,
    authors,
    links,
    numbered,
    paragraphs,
    properties,
)

MEDIA_TYPES = frozenset({DOCX})
IS_ARCHIVE = False

_PARTS = (
    (re.compile(r"word/document\d*\.xml", re.I), "body"),
    (re.compile(r"word/header\d*\.xml", re.I), "header"),
    (re.compile(r"word/footer\d*\.xml", re.I), "footer"),
    (re.compile(r"word/footnotes\d*\.xml", re.I), "footnotes"),
    (re.compile(r"word/endnotes\d*\.xml", re.I), "endnotes"),
    (re.compile(r"word/comments\d*\.xml", re.I), "comments"),
    (re.compile(r"word/(?:glossary/document)\d*\.xml", re.I), "building blocks"),
    (re.compile(r"word/charts/chart\d*\.xml", re.I), "chart"),
    (re.compile(r"word/diagrams/data\d*\.xml", re.I), "diagram"),
    (re.compile(r"word/drawings/drawing\d*\.xml", re.I), "drawing"),
)
_CUSTOM = re.compile(r"customXml/item\d*\.xml", re.I)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    package = Package(content, budget)
    people: dict[str, None] = {}
    for pattern, where in _PARTS:
        for name in package.matching(pattern):
            place = where + ("" if where == "body" else numbered(name))
            data = package.read(name)
            if len(data) > LARGE_PART:
                yield from (Segment(place, text) for text in package.stretches(data, people))
                continue
            root = package.tree_of(data)
            people.update(dict.fromkeys(authors(root)))
            yield Segment(place, paragraphs(root))
    if people:
        yield Segment("authors", "\n".join(people))
    for name in package.matching(_CUSTOM):
        yield Segment("custom data", all_text(package.tree(name)))
    yield from properties(package)
    yield from links(package)
    yield from package.embedded()
    yield from package.rest()
    package.finish()
