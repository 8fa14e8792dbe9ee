"""HTML -> its text, with what a browser hides: attributes, comments, data in scripts; pictures in it as members."""

import re
from collections.abc import Iterator
from functools import partial

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.html import declared_charset, html_parts
from extraction.readers.text.data_uris import SHORTEST_PICTURE, opened, without_data_uris
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"text/html", "application/xhtml+xml"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True

_WITHIN = re.compile(
    r"""["'(]\s*data:([a-zA-Z]{1,20})/[a-zA-Z0-9.+-]{1,80}(?:;[^,;"']{0,80}){0,3};base64,([A-Za-z0-9+/=\s%]{16,})"""
)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    markup = decode(content.data, declared_charset(content.data), cut=bool(content.fault))
    shown, _ = without_data_uris(markup)
    parts = html_parts(shown)
    yield Segment("", parts.text)
    if parts.comments:
        yield Segment("comments", parts.comments)
    if parts.data:
        yield Segment("script data", parts.data)
    for number, (kind, packed) in enumerate(_WITHIN.findall(markup), 1):
        if len(packed) >= SHORTEST_PICTURE or kind.lower() != "image":
            name = f"embedded {number}"
            yield Member(name, partial(opened, packed, name, budget))
