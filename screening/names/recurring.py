"""Names found in a French or Spanish text -> the same, last names where they recur alone, and names behind initials."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from core.records import Span
from screening.entities.gazetteer import ANY_NAME, ANY_PLACE, MEDICAL, commonness
from screening.entities.words import plain_form
from screening.names.whole_words import whole_words

_LAST, _FIRST, _INITIALS = "last_name", "first_name", "initials"
_CAPITALS = "A-ZÀ-ÖØ-ÞĀ-žȘȚ"  # and some small letters among them: a few ranges are searched fast
_CAPITALISED = re.compile(rf"[{_CAPITALS}][^\W\d_]{{2,}}")
_INITIALED = re.compile(
    rf"((?:[{_CAPITALS}]\.[ -]?){{1,3}})((?:[Dd]e |van |von )?[{_CAPITALS}][^\W\d_]{{2,}}(?:-[^\W\d_]{{3,}})?)"
)
_POINT = re.compile(rf"\.(?<=[{_CAPITALS}]\.)")  # looks at the points first: they are fewer than the capitals
_ANNOUNCING = re.compile(
    r"(?:^|[ \n(«“'’])(?:par|por|de|et|y|e|avec|con|contre|contra|que|à|a|MM?\.|Mmes?|Mes?|Sra?\.|D\.|[Dd]on|[Dd]oña"
    r"|juges?|jue[zc]e?s?|témoins?|testigos?|expert|perito|avocate?|letrad[oa]|procureur|fiscal) $|[^\W\d_], $"
)
_SEEN_BEFORE = 24
_SCORE = 0.6
_LONGEST_GAP = 2
_MOST = 200  # last names of one text
_COMMON = 2

Lists = Mapping[str, int]


def with_recurring(text: str, spans: Sequence[Span], lists: Lists) -> list[Span]:
    """Spans in the order of the text."""
    every = _in_order(spans, _behind_initials(text, spans, lists))
    last_names = _last_names(text, every, lists)
    return _in_order(every, _alone(text, every, last_names)) if last_names else every


def _in_order(spans: Sequence[Span], more: Iterator[Span]) -> list[Span]:
    added = list(more)
    return sorted([*spans, *added], key=lambda span: span.start) if added else list(spans)


def _last_names(text: str, spans: Sequence[Span], lists: Lists) -> list[str]:
    """The words of last names that have a first name or initials before them, and that mean little else."""
    found: set[str] = set()
    for before, span in pairwise(spans):
        joined = span.start - before.end <= _LONGEST_GAP and before.characteristic in (_FIRST, _INITIALS)
        if joined and span.characteristic == _LAST:
            words = _CAPITALISED.findall(text, span.start, span.end)
            found.update(word for word in words if word[0].isupper() and _means_little_else(word, lists))
    return sorted(found | {word.upper() for word in found})[:_MOST]


def _means_little_else(word: str, lists: Lists) -> bool:
    code = lists.get(plain_form(word), 0)
    return commonness(code) < _COMMON and not code & (ANY_PLACE | MEDICAL)


def _alone(text: str, spans: Sequence[Span], last_names: Sequence[str]) -> Iterator[Span]:
    free = _Free(spans)
    for name in last_names:
        for start in whole_words(text, name):
            if free.has(start, start + len(name)):
                yield Span(start, start + len(name), _LAST, _SCORE)


def _behind_initials(text: str, spans: Sequence[Span], lists: Lists) -> Iterator[Span]:
    """`E. Cinmen`, if lists have the word as a name, or do not know it and a word before it announces somebody."""
    free = _Free(spans)
    for match in _initialed(text):
        start, end = match.span()
        code = lists.get(plain_form(match[2].rpartition(" ")[2]), 0)
        if commonness(code) >= _COMMON or code & (ANY_PLACE | MEDICAL) or not free.has(start, end):
            continue
        before = text[max(0, start - _SEEN_BEFORE) : start]
        if (code & ANY_NAME and _opens(before)) or (not code and match[1].endswith(" ") and _ANNOUNCING.search(before)):
            yield Span(start, start + len(match[1].rstrip(" -")), _INITIALS, _SCORE)
            yield Span(match.start(2), end, _LAST, _SCORE)


def _initialed(text: str) -> Iterator[re.Match[str]]:
    searched = 0
    for point in _POINT.finditer(text):
        start = point.start() - 1
        if start >= searched and text[start].isupper() and not text[start - 1 : start].isalnum():
            match = _INITIALED.match(text, start)
            if match:
                yield match
                searched = match.end()


def _opens(before: str) -> bool:
    return not before or not (before[-1].isalnum() or before[-1] in "./º°")


class _Free:
    """Where no span is."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._starts = [span.start for span in spans]
        self._ends = [span.end for span in spans]

    def has(self, start: int, end: int) -> bool:
        at = bisect_right(self._starts, start)
        return (at == 0 or self._ends[at - 1] <= start) and (at == len(self._starts) or self._starts[at] >= end)
