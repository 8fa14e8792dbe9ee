"""HTML -> its text, with what a browser hides: attributes, comments, data in scripts; pictures in it as members."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.html import declared_charset, html_parts
from extraction.readers.text.data_uris import files_within, without_data_uris
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"text/html", "application/xhtml+xml"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    markup = decode(content.data, declared_charset(content.data), cut=bool(content.fault))
    shown, _ = without_data_uris(markup)
    parts = html_parts(shown)
    yield Segment("", parts.text)
    if parts.comments:
        yield Segment("comments", parts.comments)
    if parts.data:
        yield Segment("script data", parts.data)
    yield from files_within(markup, budget)
