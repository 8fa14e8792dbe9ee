"""HTML -> its visible text, with the titles, values and addresses that its attributes hold."""

from collections.abc import Iterator

from core.records import Segment
from extraction.budget import Budget
from extraction.content import Content
from extraction.decode import decode
from extraction.format import Member
from extraction.html_text import declared_charset, html_text

MEDIA_TYPES = frozenset({"text/html", "application/xhtml+xml"})
IS_ARCHIVE = False


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    markup = decode(content.data, declared_charset(content.data), cut=bool(content.fault))
    yield Segment("", html_text(markup))
