"""A story of an InDesign package -> its text, one line a paragraph."""

import re

from lxml import etree

from core.records import Segment
from extraction.readers.xml.parse import local_name, safe_parser

_BREAKS = frozenset({"Br", "ParagraphStyleRange", "Cell", "Row", "Story"})
_BLANKS = re.compile(r"\n{2,}")
_SHOWN = frozenset({"Content", "creator", "title", "description", "li", "subject"})


def story_segment(where: str, data: bytes) -> Segment | None:
    root = etree.fromstring(data, safe_parser())
    pieces: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = local_name(element)
        if event == "start" and name in _SHOWN and element.text and element.text.strip():
            pieces.append(element.text if name == "Content" else f"{element.text}\n")
        elif event == "end" and name in _BREAKS:
            pieces.append("\n")
    text = _BLANKS.sub("\n", "".join(pieces)).strip()
    return Segment(where, text) if text else None
