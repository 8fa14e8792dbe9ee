"""InDesign package (IDML) -> the text of its stories; its pictures and linked files lie elsewhere."""

import re
from collections.abc import Iterator

from extraction.content import Content
from extraction.format import Piece
from extraction.limits.budget import Budget
from extraction.readers.ooxml.package import Package
from extraction.readers.xml.idml import story_segment

MEDIA_TYPES = frozenset({"application/vnd.adobe.indesign-idml-package"})
IS_ARCHIVE = False

_STORIES = re.compile(r"(?:Stories|XML)/[^/]+\.xml", re.I)
_OTHERS = re.compile(r"META-INF/metadata\.xml", re.I)


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    package = Package(content, budget)
    for pattern, where in ((_STORIES, "story"), (_OTHERS, "properties")):
        for number, name in enumerate(package.matching(pattern), 1):
            segment = story_segment(f"{where} {number}", package.read(name))
            if segment is not None:
                yield segment
    package.finish()
