"""Mailbox -> its messages as numbered members."""

import re
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.streams.read_member import embedded_content

MEDIA_TYPES = frozenset({"application/mbox"})
IS_ARCHIVE = True

# The line between two messages follows an empty line and contains a time; other lines may begin with From, too.
_BETWEEN = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\r\n]*\d\d:\d\d[^\r\n]*\r?\n")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    data = content.data
    start = number = 0
    for between in _BETWEEN.finditer(data):
        if number:
            yield _message(number, data[start : between.start()], budget)
        start, number = between.end(), number + 1
    if number:
        yield _message(number, data[start:], budget)


def _message(number: int, message: bytes, budget: Budget) -> Member:
    return Member(f"message {number}", lambda: embedded_content(message, budget), len(message))
