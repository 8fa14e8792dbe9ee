"""Text -> candidate spans of all pattern detectors: Hyperscan says where a match ends, `re` and the validators confirm it there."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from re import _parser as regex_parser  # type: ignore[attr-defined]

import hyperscan
import numpy as np
from numpy.typing import NDArray

from core.errors import RuleError
from core.records import Span
from screening.definitions import Detector, Scoring
from screening.ruleset import RuleSet
from screening.validators import VALIDATORS, Validator

WIDEST = 400
VALUE_GROUP = "value"


class PatternError(ValueError):
    """A pattern that cannot be used; the message says why, and how to mend it."""


@dataclass(frozen=True, slots=True)
class Matcher:
    """One detector, ready to confirm."""

    detector: Detector
    regex: re.Pattern[str]
    width: int
    lead: int  # how far before the end that Hyperscan reports a match may begin
    reach: int  # how far behind it a match may go on
    groups: tuple[tuple[str | int, str], ...]  # group of the pattern -> characteristic
    validator: Validator | None
    required: re.Pattern[str] | None
    raised_by: re.Pattern[str] | None
    lowered_by: re.Pattern[str] | None


def matcher_of(detector: Detector, characteristics: frozenset[str]) -> Matcher:
    regex, width = compile_pattern(detector)
    named = tuple((name, name) for name in regex.groupindex if name in characteristics)
    whole: tuple[tuple[str | int, str], ...] = ((VALUE_GROUP if VALUE_GROUP in regex.groupindex else 0, detector.characteristic),)
    if detector.validator and detector.validator not in VALIDATORS:
        raise PatternError(f"unknown validator {detector.validator!r}; known are {', '.join(sorted(VALIDATORS))}")
    return Matcher(
        detector=detector,
        regex=regex,
        width=width,
        lead=_lead(detector, width),
        reach=width if detector.trigger else 0,
        groups=named or whole,
        validator=VALIDATORS[detector.validator] if detector.validator else None,
        required=_any_of(detector.keywords),
        raised_by=_any_of(detector.raised_by),
        lowered_by=_any_of(detector.lowered_by),
    )


def compile_pattern(detector: Detector) -> tuple[re.Pattern[str], int]:
    """The pattern for `re`, and the longest text it can match."""
    flags = re.ASCII | (re.IGNORECASE if detector.ignore_case else 0)
    try:
        regex = re.compile(detector.pattern, flags)
        shortest, longest = regex_parser.parse(detector.pattern, flags).getwidth()
    except re.error as error:
        raise PatternError(f"the pattern is not a regular expression: {error}") from None
    if shortest == 0:
        raise PatternError("the pattern matches the empty text; make a part of it obligatory")
    if longest > WIDEST:
        raise PatternError(f"the pattern can match more than {WIDEST} characters; write bounds such as {{1,40}} instead of + and *")
    return regex, int(longest)


def _lead(detector: Detector, width: int) -> int:
    """A pattern that opens with its trigger begins where the trigger does; otherwise the trigger may stand anywhere in it."""
    if not detector.trigger or not detector.pattern.startswith(detector.trigger):
        return width
    try:
        parsed = regex_parser.parse(detector.trigger, re.ASCII)
    except re.error as error:
        raise PatternError(f"the trigger is not a regular expression: {error}") from None
    alternatives_at_the_top = len(parsed) == 1 and parsed[0][0] is regex_parser.BRANCH
    return width if alternatives_at_the_top else min(width, int(parsed.getwidth()[1]))


def compile_database(detectors: Sequence[Detector]) -> hyperscan.Database:
    """All patterns in one automaton; a refusal is a PatternError without the id of the detector."""
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    flags = [hyperscan.HS_FLAG_UTF8 | (hyperscan.HS_FLAG_CASELESS if each.ignore_case else 0) for each in detectors]
    try:
        database.compile(
            expressions=[(each.trigger or each.pattern).encode() for each in detectors], ids=list(range(len(detectors))), flags=flags
        )
    except hyperscan.error as error:
        raise PatternError(
            f"Hyperscan refuses the pattern: {error} Write it without lookaround and back-references, or add a short trigger"
        ) from None
    return database


def _any_of(words: Sequence[str]) -> re.Pattern[str] | None:
    if not words:
        return None
    alternatives = "|".join(re.escape(word).replace(r"\ ", r"\s{1,3}") for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W\d_])", re.IGNORECASE)


class Patterns:
    """The pattern detectors of a rule set, reusable for any number of texts and by several threads."""

    def __init__(self, ruleset: RuleSet) -> None:
        self._scoring = ruleset.scoring
        self._matchers = tuple(_matcher(each, ruleset) for each in ruleset.detectors)
        self._database = _database(ruleset.detectors) if ruleset.detectors else None
        self._scratch_lock = threading.Lock()  # one scratch space, one scan at a time

    def candidates(self, text: str) -> list[Span]:
        """Every confirmed match above the threshold; they may overlap."""
        if self._database is None or not text:
            return []
        encoded = text.encode("utf-8", "replace")  # a lone surrogate becomes one "?": still one character
        ends = self._ends(encoded)
        position = _character_positions(encoded) if len(encoded) != len(text) else None
        found: list[Span] = []
        for number, offsets in enumerate(ends):
            if offsets:
                matcher = self._matchers[number]
                characters = offsets if position is None else position[offsets].tolist()
                for start, end in _windows(characters, matcher.lead, matcher.reach):
                    found.extend(self._confirmed(matcher, text, start, end))
        return found

    def _ends(self, encoded: bytes) -> list[list[int]]:
        ends: list[list[int]] = [[] for _ in self._matchers]
        appenders: list[Callable[[int], None]] = [each.append for each in ends]

        def on_match(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            appenders[number](end)

        assert self._database is not None
        with self._scratch_lock:
            self._database.scan(encoded, match_event_handler=on_match)
        return ends

    def _confirmed(self, matcher: Matcher, text: str, start: int, end: int) -> Iterator[Span]:
        # Seeing further than the last end keeps word boundaries honest; a match past it was not reported, so it is none.
        for match in matcher.regex.finditer(text, start, min(end + matcher.width + 1, len(text))):
            if match.end() > end:
                break
            for group, characteristic in matcher.groups:
                first, last = match.span(group)
                if first >= 0:
                    score = _score(matcher, self._scoring, text, first, last)
                    if score >= self._scoring.threshold:
                        yield Span(first, last, characteristic, score)


def _matcher(detector: Detector, ruleset: RuleSet) -> Matcher:
    try:
        return matcher_of(detector, frozenset(each.id for each in ruleset.characteristics))
    except PatternError as error:
        raise RuleError(f"{detector.file}: detector {detector.id!r}: {error}") from None


def _database(detectors: Sequence[Detector]) -> hyperscan.Database:
    try:
        return compile_database(detectors)
    except PatternError as error:
        for detector in detectors:  # the refusal does not say whose pattern it is
            try:
                compile_database([detector])
            except PatternError as own:
                raise RuleError(f"{detector.file}: detector {detector.id!r}: {own}") from None
        raise RuleError(f"the patterns are too much together: {error}") from None


def _character_positions(encoded: bytes) -> NDArray[np.int64]:
    """How many characters end at or before each byte offset."""
    starts = (np.frombuffer(encoded, dtype=np.uint8) & 0xC0) != 0x80
    positions = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum(starts, out=positions[1:])
    return positions


def _windows(ends: Sequence[int], lead: int, reach: int) -> Iterator[tuple[int, int]]:
    """Stretches that hold every match whole, so that searching them equals searching the text.

    A match begins at most `lead` before a reported end and ends at most `reach` behind it; stretches that touch are joined, so none
    starts inside a match.
    """
    start, last = max(0, ends[0] - lead), ends[0] + reach
    for end in ends:
        if end - lead > last:
            yield start, last
            start = end - lead
        last = max(last, end + reach)
    yield start, last


def _part_of_longer(text: str, start: int, end: int, standalone: bool) -> bool:
    """A piece of a longer word, or of a longer number that points or hyphens join."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if (before and before[-1].isalnum() and text[start].isalnum()) or (after and after[0].isalnum() and text[end - 1].isalnum()):
        return True
    if not standalone:
        return False
    joined_before = len(before) == 2 and before[1] in "-." and before[0].isdigit() and text[start].isdigit()
    joined_after = len(after) == 2 and after[0] in "-." and after[1].isdigit() and text[end - 1].isdigit()
    return joined_before or joined_after


def _score(matcher: Matcher, scoring: Scoring, text: str, start: int, end: int) -> float:
    if _part_of_longer(text, start, end, matcher.detector.standalone):
        return 0.0
    detector = matcher.detector
    if matcher.required is not None and not matcher.required.search(text, max(0, start - detector.near), start):
        return 0.0
    if matcher.validator is not None and not matcher.validator(text[start:end]):
        return 0.0
    score = detector.score
    if matcher.raised_by is not None and _nearby(matcher.raised_by, scoring, text, start, end):
        score += scoring.raise_by
    if matcher.lowered_by is not None and _nearby(matcher.lowered_by, scoring, text, start, end):
        score -= scoring.lower_by
    return round(min(max(score, 0.0), 0.99), 4)


def _nearby(words: re.Pattern[str], scoring: Scoring, text: str, start: int, end: int) -> bool:
    return bool(words.search(text, max(0, start - scoring.before), start) or words.search(text, end, min(len(text), end + scoring.after)))
