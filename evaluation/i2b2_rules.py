"""Spans -> what the i2b2 challenge of 2006 counts of them: dates without the year, ages over 89."""

import re
from collections.abc import Iterable, Iterator

from evaluation.spans import Marked

_YEAR = r"(?:1[89]|2[01])\d\d"
_YEAR_ALONE = re.compile(rf"\W*(?:{_YEAR}(?:'?s)?|'\d\d)\W*")
_PARTS = (  # what of a date is not its year, as the group
    re.compile(rf"{_YEAR}[-/., ]*(\w.*)", re.DOTALL),
    re.compile(rf"(.*\w)[\s,./'-]*(?<!\d){_YEAR}\W*", re.DOTALL),
    re.compile(r"(\d{1,2}[-/.]\d{1,2})[-/.]\d\d"),
    re.compile(r"([^\W\d]{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?)[\s,]+'?\d\d"),
    re.compile(r"(\d{1,2}(?:st|nd|rd|th)?[-\s]+(?:of\s+)?[^\W\d]{3,})\.?[-\s,]+'?\d\d"),
    re.compile(r"(\d{1,2})[-/](?:3[2-9]|[4-9]\d)"),  # no day of a month
    re.compile(r"([^\W\d]{3,})\.?[\s,]+'?(?:3[2-9]|[4-9]\d)"),
)
_NUMBER = re.compile(r"\d+")
_OLDEST_THAT_MAY_STAY = 89


def as_counted(text: str, spans: Iterable[Marked]) -> Iterator[Marked]:
    for span in spans:
        if span.category == "date":
            if (kept := without_year(text, span)) is not None:
                yield kept
        elif span.category != "age" or _may_be_over_89(text[span.start : span.end]):
            yield span


def without_year(text: str, span: Marked) -> Marked | None:
    """The day and month of a date; a year alone identifies nobody and counts as nothing."""
    words = text[span.start : span.end]
    if _YEAR_ALONE.fullmatch(words):
        return None
    for pattern in _PARTS:
        match = pattern.fullmatch(words)
        if match:
            return Marked(span.start + match.start(1), span.start + match.end(1), span.category)
    return span


def _may_be_over_89(words: str) -> bool:
    """An age in words stays, because nobody marks it without need."""
    numbers = [int(number) for number in _NUMBER.findall(words)]
    return not numbers or max(numbers) > _OLDEST_THAT_MAY_STAY
