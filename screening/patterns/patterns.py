"""Text -> candidate spans of all detectors: Hyperscan says where to look, `re` and the validators confirm it there."""

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import groupby
from operator import itemgetter

import numpy as np

from core.errors import RuleError
from core.records import Span
from screening.patterns.matcher import PARTING, Matcher, matcher_of
from screening.patterns.search import Place
from screening.patterns.triggers import Event, PatternError, Triggers
from screening.ruleset.definitions import Detector, Scoring
from screening.ruleset.files import shipped_languages
from screening.ruleset.ruleset import RuleSet

_CONTINUING_MASK, _CONTINUING = 0xC0, 0x80  # the second and further bytes of a character

_MOST_DETECTORS = 1 << 20  # of one group
_SHORT = 300  # characters
_FEW_LETTERS = 240  # of a page of figures
_PAGE = 2000  # characters
_NO_LETTERS = bytes(each for each in range(0x80) if not chr(each).isalpha())
_ENOUGH = 2  # signs of a language
_BY_CHANCE = 0.2  # of the signs that the main language of a text has: related languages share some
_MANY = 16  # matches of one detector in one text
_span = partial(
    tuple.__new__, Span
)  # a third of the time of Span(...), which a scan would take thousands of times a second


class _Group:
    """The detectors that look into the same texts: all texts, or those with signs of a language."""

    def __init__(self, detectors: Sequence[Detector], ruleset: RuleSet, signs: Sequence[str] = ()) -> None:
        self.matchers = tuple(_matcher(each, ruleset) for each in detectors)
        self.triggers = _triggers(detectors, signs) if detectors else None


class Patterns:
    """The pattern detectors of a rule set, reusable for any number of texts and by several threads.

    Those of a language are made ready when the first text with signs of it comes.
    """

    def __init__(self, ruleset: RuleSet, *, every_language: bool = False) -> None:
        """`every_language` looks for those of all languages in every text, as tests of single examples must."""
        self._scoring = ruleset.scoring
        self._ruleset = ruleset
        foreign = () if every_language else sorted({each.language for each in ruleset.detectors if each.language})
        self._languages = tuple(foreign)
        self._signs = [(word, at) for at, name in enumerate(foreign) for word in ruleset.signs.get(name, ())]
        general = [each for each in ruleset.detectors if each.language not in foreign]
        self._general = _Group(general, ruleset, [word for word, _ in self._signs])
        self._by_language: dict[int, _Group] = {}
        self._one_at_a_time = threading.Lock()
        shipped = shipped_languages()
        for at, name in enumerate(foreign, start=1):
            if name not in shipped:
                self._group(at)  # a fault in one's own rules shows at once, not amid a scan

    @property
    def matchers(self) -> tuple[Matcher, ...]:
        return sum((self._group(at).matchers for at in range(len(self._languages) + 1)), ())

    @property
    def scoring(self) -> Scoring:
        return self._scoring

    def _group(self, at: int) -> _Group:
        """0 for the general one, then the languages."""
        if not at:
            return self._general
        with self._one_at_a_time:
            if at not in self._by_language:
                own = [each for each in self._ruleset.detectors if each.language == self._languages[at - 1]]
                self._by_language[at] = _Group(own, self._ruleset)
            return self._by_language[at]

    def candidates(self, text: str) -> list[Span]:
        """Every confirmed match above the threshold; they may overlap."""
        return self.candidates_of_each([text])[0]

    def candidates_of_each(self, texts: Sequence[str]) -> list[list[Span]]:
        """The same for many texts: Hyperscan reads all first, as it and `re` evict each other from the CPU cache."""
        spans: list[list[Span]] = [[] for _ in texts]
        lowered = cache(lambda number: texts[number].lower())
        for matcher, own in self._places(texts):
            for number, places in own.items():
                self._confirm(matcher, places, texts[number], spans[number], partial(lowered, number))
        return spans

    def owned_candidates(self, text: str) -> list[tuple[Detector, Span]]:
        """Those of one text, each with the detector that found it."""
        owned: list[tuple[Detector, Span]] = []
        for matcher, own in self._places([text]):
            spans: list[Span] = []
            self._confirm(matcher, own[0], text, spans, text.lower)
            owned.extend((matcher.detector, span) for span in spans)
        return owned

    def matches(self, text: str) -> Iterator[tuple[Matcher, Iterable[re.Match[str]]]]:
        """What the patterns find, detector by detector, before validators and context words are checked."""
        for matcher, own in self._places([text]):
            yield matcher, matcher.search(matcher, text, own[0])

    def _confirm(
        self, matcher: Matcher, places: Sequence[Place], text: str, spans: list[Span], lowered: Callable[[], str]
    ) -> None:
        scoring, threshold, sure = self._scoring, self._scoring.threshold, matcher.sure
        for number, match in enumerate(matcher.search(matcher, text, places)):
            if number == _MANY:
                matcher = matcher.for_text(lowered())
            for group, characteristic in matcher.groups:
                start, end = match.span(group)
                if start < 0:
                    continue
                if (text[start - 1 : start] in PARTING and text[end : end + 1] in PARTING) or matcher.alone(
                    text, start, end
                ):
                    score = sure or matcher.weighed(text, start, end, scoring)
                    if score and score >= threshold:
                        spans.append(_span((start, end, characteristic, score)))

    def _places(self, texts: Sequence[str]) -> Iterator[tuple[Matcher, dict[int, list[Place]]]]:
        """Where each detector must look: text number -> places, in the order in which a search would meet them."""
        places: dict[int, dict[int, list[Place]]] = {}
        for text_number, text in enumerate(texts):
            for number, events in groupby(sorted(self._events(text)), itemgetter(0)):
                places.setdefault(number, {})[text_number] = [event[1:] for event in events]
        for number in sorted(places):
            group, own_number = divmod(number, _MOST_DETECTORS)
            yield self._group(group).matchers[own_number], places[number]

    def _events(self, text: str) -> list[Event]:
        """Those of a language are numbered behind the general ones."""
        if not text:
            return []
        encoded = text.encode("utf-8", "replace")  # a lone surrogate becomes one "?": still one character
        only_ascii = len(encoded) == len(text)
        signs: list[int] = []
        triggers = self._general.triggers
        events = triggers.events(encoded, only_ascii=only_ascii, signs=signs) if triggers is not None else []
        for at in self._met(signs, _is_short(text, encoded)) if signs else ():
            further = self._group(at).triggers
            if further is not None:
                first = at * _MOST_DETECTORS
                own = further.events(encoded, only_ascii=only_ascii)
                events += [(first + number, start, end) for number, start, end in own]
        return events if only_ascii else _in_characters(events, encoded)

    def _met(self, signs: Sequence[int], short: bool) -> Iterator[int]:
        """The languages of which a text has two signs, or one if it is short, and more than related ones share."""
        counts = Counter(self._signs[sign][1] for sign in set(signs))
        enough = 1 if short else max(_ENOUGH, _BY_CHANCE * max(counts.values()))
        return (at + 1 for at, number in sorted(counts.items()) if number >= enough)


def _matcher(detector: Detector, ruleset: RuleSet) -> Matcher:
    try:
        return matcher_of(detector, frozenset(each.id for each in ruleset.characteristics))
    except PatternError as error:
        raise RuleError(f"{detector.file}: detector {detector.id!r}: {error}") from None


def _triggers(detectors: Sequence[Detector], signs: Sequence[str]) -> Triggers:
    try:
        return Triggers(detectors, signs)
    except PatternError as error:
        for detector in detectors:  # the refusal does not say whose pattern it is
            try:
                Triggers([detector])
            except PatternError as own:
                raise RuleError(f"{detector.file}: detector {detector.id!r}: {own}") from None
        raise RuleError(f"the patterns are too much together: {error}") from None


def _is_short(text: str, encoded: bytes) -> bool:
    """Of few characters, or a page of figures under a letterhead."""
    length = len(text)
    return length <= _SHORT or (length <= _PAGE and len(encoded.translate(None, _NO_LETTERS)) <= _FEW_LETTERS)


def _in_characters(events: Iterable[Event], encoded: bytes) -> list[Event]:
    """The same events, their places counted in characters instead of bytes."""
    listed = list(events)
    if not listed:
        return []
    signs = np.frombuffer(encoded, dtype=np.uint8)
    continuing = np.flatnonzero(signs & _CONTINUING_MASK == _CONTINUING)
    places = np.array(listed, dtype=np.int64)
    places[:, 1:] -= np.searchsorted(continuing, places[:, 1:])
    return [(number, start, end) for number, start, end in places.tolist()]
