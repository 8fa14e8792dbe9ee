"""Presentation -> the text of its slides, notes, comments, charts and properties."""

import re
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.media_types import PPTX
from extraction.readers.ooxml.package import Package, links, numbered, paragraphs, properties

MEDIA_TYPES = frozenset({PPTX})
IS_ARCHIVE = False

_PARTS = (
    (re.compile(r"ppt/slides/slide\d*\.xml", re.I), "slide"),
    (re.compile(r"ppt/notesSlides/notesSlide\d*\.xml", re.I), "notes"),
    (re.compile(r"ppt/comments/[^/]+\.xml", re.I), "comments"),
    (re.compile(r"ppt/commentAuthors\.xml", re.I), "comments"),
    (re.compile(r"ppt/charts/chart\d*\.xml", re.I), "chart"),
    (re.compile(r"ppt/diagrams/data\d*\.xml", re.I), "diagram"),
    (re.compile(r"ppt/(?:slideMasters|slideLayouts|notesMasters|handoutMasters)/[^/]+\.xml", re.I), "master"),
)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    package = Package(content, budget)
    for pattern, where in _PARTS:
        for name in package.matching(pattern):
            yield Segment(where + numbered(name), paragraphs(package.tree(name)))
    yield from properties(package)
    yield from links(package)
    yield from package.embedded()
    yield from package.rest()
    package.finish()
