"""HTML -> its text, with what a browser hides: attributes, comments, data in scripts; pictures in it as members."""

import base64
import binascii
import re
from collections.abc import Iterator
from functools import partial

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.html import declared_charset, html_parts
from extraction.readers.text.decode import decode

MEDIA_TYPES = frozenset({"text/html", "application/xhtml+xml"})
IS_ARCHIVE = False
PLAIN_BEYOND_LIMIT = True

_WITHIN = re.compile(r"""["'(]\s*data:[a-zA-Z0-9.+/-]{3,80}(?:;[^,;"']{0,80}){0,3};base64,([A-Za-z0-9+/=\s%]{200,})""")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    markup = decode(content.data, declared_charset(content.data), cut=bool(content.fault))
    parts = html_parts(markup)
    yield Segment("", parts.text)
    if parts.comments:
        yield Segment("comments", parts.comments)
    if parts.data:
        yield Segment("script data", parts.data)
    for number, match in enumerate(_WITHIN.finditer(markup), 1):
        packed = match.group(1)
        yield Member(f"embedded {number}", partial(_opened, packed, number, budget))


def _opened(packed: str, number: int, budget: Budget) -> Content:
    """Cuts base64 where it cannot be decoded, as a browser does."""
    packed = re.sub(r"[^A-Za-z0-9+/]", "", packed)
    budget.expand(len(packed) * 3 // 4)
    try:
        data = base64.b64decode(packed[: len(packed) // 4 * 4])
    except binascii.Error:
        data = b""
    limit = budget.limits.member_bytes
    return Content(data[:limit], len(data), f"embedded {number}", budget.member_reason if len(data) > limit else "")
