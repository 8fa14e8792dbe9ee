"""A text -> every span to replace: what the screen finds, and the numbers that a wider net catches."""

import re
from bisect import bisect_right
from collections.abc import Sequence, Set

from core.records import Span
from deidentification.ways import Ways
from screening.ruleset.ruleset import RuleSet
from screening.screen import Screen

_NAME_PARTS = frozenset({"first_name", "last_name", "initials"})
# M.D. is nobody's initials.
_SPELT_TITLE = re.compile(
    r"\b(?:M\.? ?D\.|R\.? ?N\.|D\.? ?O\.|N\.? ?P\.|P\.? ?A\.|Ph\.? ?D\.)(?!\w)"
)  # M.D. is no initial


class Finder:
    def __init__(self, screen: Screen, rules: RuleSet, ways: Ways) -> None:
        self._screen = screen
        self._labels = {word for detector in rules.detectors for word in (*detector.keywords, *detector.raised_by)}
        self._labels |= ways.labels
        self._labels_of_type = ways.labels_of_type
        self._exceptions = [(characteristic, re.compile(pattern)) for characteristic, pattern in ways.exceptions]
        self._net = [(characteristic, re.compile(pattern)) for characteristic, pattern in ways.net]

    def spans(self, text: str, media_type: str = "") -> list[Span]:
        """In the order of the text; none overlaps another."""
        labels = self._labels | self._labels_of_type.get(media_type, frozenset())
        titles = [match.span() for match in _SPELT_TITLE.finditer(text)]
        found = [span for span in self._screen.spans(text) if not self._is_mistake(text, span, labels)]
        spans = [span for span in found if span.characteristic not in _NAME_PARTS or not _is_in(span, titles)]
        for characteristic, pattern in self._net:
            caught = (match.span(1 if pattern.groups else 0) for match in pattern.finditer(text))
            spans = sorted(spans + [Span(*place, characteristic, 0.0) for place in _outside(list(caught), spans)])
        return spans

    def _is_mistake(self, text: str, span: Span, labels: Set[str]) -> bool:
        """`DOB` in the heading of a table is nobody's name."""
        value = text[span.start : span.end]
        if span.characteristic in _NAME_PARTS:
            return value.casefold() in labels
        return any(name == span.characteristic and pattern.fullmatch(value) for name, pattern in self._exceptions)


def _is_in(span: Span, places: Sequence[tuple[int, int]]) -> bool:
    at = bisect_right(places, (span.start, 1 << 62))
    return at > 0 and span.end <= places[at - 1][1]


def _outside(places: Sequence[tuple[int, int]], spans: Sequence[Span]) -> list[tuple[int, int]]:
    starts = [span.start for span in spans]
    free = []
    for start, end in places:
        at = bisect_right(starts, end - 1)
        if at == 0 or spans[at - 1].end <= start:
            free.append((start, end))
    return free
