"""Text -> candidate spans of all pattern detectors: Hyperscan says where to look, `re` and the validators confirm it there."""

import re
from collections.abc import Iterable, Iterator, Sequence

from core.errors import RuleError
from core.records import Span
from screening.definitions import Detector, Scoring
from screening.matcher import PARTING, Matcher, matcher_of
from screening.places import Place
from screening.ruleset import RuleSet
from screening.triggers import Event, PatternError, Triggers

_CONTINUING = bytes(range(0x80, 0xC0))  # the second and further bytes of a character

_MANY = 16  # matches of one detector in one text


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

    def _confirm(self, matcher: Matcher, matches: Iterable[re.Match[str]], text: str, found: list[Span]) -> None:
        threshold, sure, scoring = self._scoring.threshold, matcher.sure, self._scoring
        for number, match in enumerate(matches):
            if number == _MANY:
                matcher = matcher.for_text(text)
            for group, characteristic in matcher.groups:
                start, end = match.span(group)
                if start < 0:
                    continue
                parted = text[start - 1 : start] in PARTING and text[end : end + 1] in PARTING
                if parted or matcher.alone(text, start, end):
                    score = sure or matcher.weighed(text, start, end, scoring)
                    if score >= threshold and score > 0:
                        found.append(Span(start, end, characteristic, score))

    def matches(self, text: str) -> Iterator[tuple[Matcher, Iterator[re.Match[str]]]]:
        """What the patterns find, detector by detector, before validators and words nearby have their say."""
        if self._triggers is None or not text:
            return
        encoded = text.encode("utf-8", "replace")  # a lone surrogate becomes one "?": still one character
        only_ascii = len(encoded) == len(text)
        events = self._triggers.events(encoded, only_ascii=only_ascii)
        if not only_ascii:
            events = _in_characters(events, encoded)
        events.sort()  # a search of the text would meet them by their starts
        places: dict[int, list[Place]] = {}
        for number, start, end in events:
            if number in places:
                places[number].append((start, end))
            else:
                places[number] = [(start, end)]
        for number, own in places.items():
            matcher = self._matchers[number]
            yield matcher, matcher.look(matcher, text, own)


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


def _in_characters(events: Iterable[Event], encoded: bytes) -> list[Event]:
    """The same events, their places counted in characters instead of bytes."""
    listed = list(events)
    counted: dict[int, int] = {}
    at = characters = 0
    for place in sorted({place for _, start, end in listed for place in (start, end)}):
        characters += len(encoded[at:place].translate(None, _CONTINUING))
        counted[place] = characters
        at = place
    return [(number, counted[start], counted[end]) for number, start, end in listed]
