"""A text with marked spans -> its tokens, and which of them are marked as what."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_TOKEN = re.compile(r"\w+")


class Marked(NamedTuple):
    """Characters start to end of a text, marked as of a category."""

    start: int
    end: int
    category: str


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """One document: its text, what people marked in it, and what a system marked."""

    text: str
    gold: tuple[Marked, ...]
    found: tuple[Marked, ...]


class Token(NamedTuple):
    start: int
    end: int


def tokens(text: str, pattern: re.Pattern[str] = _TOKEN) -> list[Token]:
    return [Token(*match.span()) for match in pattern.finditer(text)]


def categories(places: Sequence[Token], marked: Iterable[Marked]) -> list[str | None]:
    """The category of each token: that of a span that covers any of it, the one that starts first if several do."""
    starts = [place.start for place in places]
    named: list[str | None] = [None] * len(places)
    for span in sorted(marked):
        index = max(0, bisect_right(starts, span.start) - 1)
        while index < len(places) and places[index].start < span.end:
            if places[index].end > span.start and named[index] is None:
                named[index] = span.category
            index += 1
    return named
