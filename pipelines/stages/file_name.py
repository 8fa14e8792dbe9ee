"""A document -> what is screened of it: its text, and after it the file's own name, which tells as much as a title."""

import re

from core.records import Document, Segment

NAME = "name of the file"
_SEPARATORS = re.compile(r"[_\s]+")


def with_name(document: Document) -> tuple[Segment, ...]:
    """The name comes last, so that offsets in the text stay."""
    return (*document.segments, Segment(NAME, name_of(document.uri)))


def name_of(uri: str) -> str:
    """A file's name without its ending, joined words parted."""
    name = re.split(r"[/!]", uri)[-1]
    return _SEPARATORS.sub(" ", name.rpartition(".")[0] or name)
