"""Text -> candidate spans of all pattern detectors: Hyperscan says where to look, `re` and the validators confirm it there."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from core.errors import RuleError
from core.records import Span
from screening.definitions import Detector, Scoring
from screening.matcher import Matcher, matcher_of
from screening.ruleset import RuleSet
from screening.triggers import Event, Events, PatternError, Triggers

_FIRST_ASCII_AS_SIGNED = -64  # bytes that continue a character are below it when read as signed numbers
_JOINING_WORD = 4  # letters of the longest word such as `of` that may stand inside a name
_FEW_STARTS = 12


class Patterns:
    """The pattern detectors of a rule set, reusable for any number of texts and by several threads."""

    def __init__(self, ruleset: RuleSet) -> None:
        self._scoring = ruleset.scoring
        self._matchers = tuple(_matcher(each, ruleset) for each in ruleset.detectors)
        self._triggers = _triggers(ruleset.detectors) if ruleset.detectors else None

    @property
    def matchers(self) -> tuple[Matcher, ...]:
        return self._matchers

    @property
    def scoring(self) -> Scoring:
        return self._scoring

    def candidates(self, text: str) -> list[Span]:
        """Every confirmed match above the threshold; they may overlap."""
        found: list[Span] = []
        for matcher, matches in self.matches(text):
            self._confirm(matcher, matches, text, found)
        return found

    def owned_candidates(self, text: str) -> list[tuple[Detector, Span]]:
        """The same, each with the detector that found it."""
        owned: list[tuple[Detector, Span]] = []
        for matcher, matches in self.matches(text):
            found: list[Span] = []
            self._confirm(matcher, matches, text, found)
            owned.extend((matcher.detector, span) for span in found)
        return owned

    def _confirm(self, matcher: Matcher, matches: Iterator[re.Match[str]], text: str, found: list[Span]) -> None:
        scoring, threshold, score_of = self._scoring, self._scoring.threshold, matcher.score
        for match in matches:
            for group, characteristic in matcher.groups:
                start, end = match.span(group)
                if start >= 0:
                    score = score_of(text, start, end, scoring)
                    if score >= threshold and score > 0:
                        found.append(Span(start, end, characteristic, score))

    def matches(self, text: str) -> Iterator[tuple[Matcher, Iterator[re.Match[str]]]]:
        """What the patterns find, detector by detector, before validators and words nearby have their say."""
        if self._triggers is None or not text:
            return
        encoded = text.encode("utf-8", "replace")  # a lone surrogate becomes one "?": still one character
        events = self._triggers.events(encoded)
        if not events:
            return
        if len(encoded) != len(text):
            events = _in_characters(events, encoded)
        for number, places in events.items():
            matcher = self._matchers[number]
            places.sort()  # a search of the text would meet them by their starts
            look = _at_starts if matcher.at_starts else _in_windows
            yield matcher, look(matcher, text, places)


def _matcher(detector: Detector, ruleset: RuleSet) -> Matcher:
    try:
        return matcher_of(detector, frozenset(each.id for each in ruleset.characteristics))
    except PatternError as error:
        raise RuleError(f"{detector.file}: detector {detector.id!r}: {error}") from None


def _triggers(detectors: Sequence[Detector]) -> Triggers:
    try:
        return Triggers(detectors)
    except PatternError as error:
        for detector in detectors:  # the refusal does not say whose pattern it is
            try:
                Triggers([detector])
            except PatternError as own:
                raise RuleError(f"{detector.file}: detector {detector.id!r}: {own}") from None
        raise RuleError(f"the patterns are too much together: {error}") from None


def _in_characters(events: Events, encoded: bytes) -> Events:
    """The same events, their places counted in characters instead of bytes."""
    continuing = np.flatnonzero(np.frombuffer(encoded, dtype=np.int8) < _FIRST_ASCII_AS_SIGNED)
    counted = np.array([place for places in events.values() for place in places], dtype=np.int64)
    counted -= np.searchsorted(continuing, counted)
    placed = iter(counted.tolist())
    return {number: [(start, end) for start, end in islice(placed, len(places))] for number, places in events.items()}


def _at_starts(matcher: Matcher, text: str, events: Iterable[Event]) -> Iterator[re.Match[str]]:
    """The same matches as a search of the whole text, by trying where one can begin; no place is searched twice."""
    regex, exact, width, reach, lead_words = matcher.regex, matcher.exact, matcher.width, matcher.reach, matcher.detector.lead_words
    searched, tried = 0, -1
    for start, end in events:
        if end <= searched or (exact and start == tried):
            continue
        tried = start
        trigger = start
        if lead_words:
            start = _words_back(text, start, lead_words, max(searched, end - width))
        match = regex.match(text, start) if start >= searched else None
        if match is None and (start < searched or not exact):
            match = _later_start(regex, text, max(start, searched, end - width), max(trigger, searched), end + reach)
        if match is not None:
            searched = match.end()
            yield match
        elif not exact:
            searched = end


def _later_start(regex: re.Pattern[str], text: str, first: int, last: int, limit: int) -> re.Match[str] | None:
    """A match that begins in first..last and ends by `limit`; few starts are tried one by one, as a search would look far beyond."""
    if last - first <= _FEW_STARTS:
        tried = (regex.match(text, start) for start in range(first, last + 1))
        return next((match for match in tried if match is not None and match.end() <= limit), None)
    match = regex.search(text, first, min(len(text), limit + 1))
    return match if match is not None and match.end() <= limit else None


def _words_back(text: str, start: int, most: int, limit: int) -> int:
    """Where a name that ends at `start` can begin: so many words back on the line, past capitals, figures and short joining words."""
    line = text.rfind("\n", limit, start) + 1
    limit = max(limit, line)
    first = text.rfind(" ", limit, start) + 1 or limit
    for _ in range(most - 1):
        if first <= limit + 1:
            break
        before = text.rfind(" ", limit, first - 1) + 1 or limit
        if first - before > _JOINING_WORD and text[before].islower():
            break
        first = before
    return first


def _in_windows(matcher: Matcher, text: str, events: Iterable[Event]) -> Iterator[re.Match[str]]:
    for start, end in _windows(matcher, events):
        # Seeing further than the last end keeps word boundaries honest.
        for match in matcher.regex.finditer(text, start, min(end + matcher.width + 1, len(text))):
            if match.end() > end:
                break
            yield match


def _windows(matcher: Matcher, events: Iterable[Event]) -> Iterator[tuple[int, int]]:
    """Stretches that hold every match whole; those that touch are joined, so none starts inside a match."""
    lead, reach, width = matcher.lead, matcher.reach, matcher.width
    first, last = -1, -1
    for start, end in events:
        begin = max(0, start - lead, end - width)
        if first < 0:
            first, last = begin, end + reach
        elif begin > last:
            yield first, last
            first, last = begin, end + reach
        else:
            last = max(last, end + reach)
    yield first, last
