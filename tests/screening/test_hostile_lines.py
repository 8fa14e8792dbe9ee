"""Work on a hostile line grows with its length and no faster: what `re` is asked is counted, not timed."""

import re
from copy import copy
from dataclasses import replace
from typing import Any, cast

import pytest

from screening.patterns.patterns import Patterns
from screening.ruleset.ruleset import RuleSet

PIECES = (
    "a@",
    "1:",
    "12/",
    "Dr. ",
    " St",
    "Ab University ",
    "1 A St ",
    "x@y.zz ",
    "613-555-0142 ",
    "Jan 1 ",
    "ff:",
    ", MD",
    "SSN 1 ",
    "PID|",
    "1.",
)
SMALL = 12_000


class Counting:
    """A regular expression that adds up how many characters it is shown."""

    def __init__(self, regex: re.Pattern[str], width: int) -> None:
        self._regex = regex
        self._width = width
        self.shown = 0

    def match(self, text: str, start: int) -> re.Match[str] | None:
        self.shown += self._width
        return self._regex.match(text, start)

    def search(self, text: str, start: int, end: int) -> re.Match[str] | None:
        self.shown += end - start
        return self._regex.search(text, start, end)

    def finditer(self, text: str, start: int, end: int) -> Any:
        self.shown += end - start
        return self._regex.finditer(text, start, end)


def work(patterns: Patterns, text: str) -> int:
    counters = [Counting(matcher.regex, matcher.width) for matcher in patterns.matchers]
    counted, group = copy(patterns), copy(patterns._general)
    group.matchers = tuple(
        replace(matcher, regex=cast("re.Pattern[str]", counter))
        for matcher, counter in zip(patterns.matchers, counters, strict=True)
    )
    counted._general = group
    counted.candidates(text)
    return sum(counter.shown for counter in counters)


@pytest.fixture(scope="module")
def patterns(ruleset: RuleSet) -> Patterns:
    return Patterns(ruleset, every_language=True)


@pytest.mark.parametrize("piece", PIECES)
def test_twice_the_text_is_twice_the_work(patterns: Patterns, piece: str) -> None:
    once = work(patterns, piece * (SMALL // len(piece)))
    twice = work(patterns, piece * (2 * SMALL // len(piece)))
    assert twice <= 2.2 * once + 5_000
    assert once <= 600 * SMALL
