"""A document -> what is screened of it: its text, and after it the file's own name, which tells as much as a title."""

import re

from core.records import Document, Segment

NAME = "name of the file"
_SEPARATORS = re.compile(r"[_\s]+")


def with_name(document: Document) -> tuple[Segment, ...]:
    """The name comes last, so that offsets in the text stay; joined words are parted."""
    name = re.split(r"[/!]", document.uri)[-1]
    return (*document.segments, Segment(NAME, _SEPARATORS.sub(" ", name.rpartition(".")[0] or name)))
