"""One detector -> a matcher that confirms it in a text and weighs the words around it."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from re import _parser as regex_parser  # type: ignore[attr-defined]

from screening.patterns.first_characters import never_holds, opens_with_digit, opens_with_no_small_letter
from screening.patterns.search import Search, around_triggers, at_triggers, in_windows
from screening.patterns.triggers import PatternError, by_keyword
from screening.patterns.validators import VALIDATORS, Validator, validator_of
from screening.ruleset.definitions import Detector, Scoring

WIDEST = 400
VALUE_GROUP = "value"
PARTING = frozenset(["", *" \t\n\r,;()<>[]\"'"])  # neighbours of most matches: they join nothing
_MOST_PLACES = 100  # of context words in one text that are remembered
_JOINTS = "-./:"
_ALWAYS_JOINTS = "/:"
_CLAUSE_END = re.compile(r"[;\n]|,\s{0,2}(?=[^\W\d_])|(?<=[^\W\d_]{4})\.\s")
_A_NUMBER = re.compile(r"\d(?:[ ./-]?\d){4}")


@dataclass(frozen=True, slots=True)
class Words:
    """Words of which one is to be found nearby: a quick look first, then the exact question."""

    needles: tuple[str, ...]
    regex: re.Pattern[str]
    lone_letters: re.Pattern[str] | None = None  # words of one letter, which nearly every text holds inside others
    places: tuple[int, ...] | None = None  # where one text has the needles, if they are few: a table in its heading

    def within(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """The first of them, for looking behind a match."""
        return self.regex.search(text, start, end) if self._likely(text, start, end) else None

    def last_within(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """The nearest of them, for looking before a match."""
        hits = list(self.regex.finditer(text, start, end)) if self._likely(text, start, end) else []
        return hits[-1] if hits else None

    def found_in(self, lowered: str) -> "Words | None":
        """Those of them that a text in small letters has at all; None for none."""
        needles = tuple(needle for needle in self.needles if needle in lowered)
        if not needles and self.lone_letters is None:
            return None
        is_exact = self.lone_letters is None and lowered.isascii()  # other letters may have changed their length
        places = _few_places(needles, lowered) if is_exact else None
        return Words(needles, self.regex, self.lone_letters, places)

    def may_be_near(self, start: int, end: int) -> bool:
        """Whether one of them may be between these places of the text; most numbers of a table have none nearby."""
        if self.places is None:
            return True
        at = bisect_left(self.places, start)
        return at < len(self.places) and self.places[at] < end

    def _likely(self, text: str, start: int, end: int) -> bool:
        return self.seen_in(text[start:end].lower())

    def seen_in(self, stretch: str) -> bool:
        """Whether one of them may be in a stretch of small letters."""
        for needle in self.needles:
            if needle in stretch:
                return True
        return self.lone_letters is not None and self.lone_letters.search(stretch) is not None


def _few_places(needles: Sequence[str], lowered: str) -> tuple[int, ...] | None:
    places: list[int] = []
    for needle in needles:
        at = lowered.find(needle)
        while at >= 0:
            places.append(at)
            if len(places) > _MOST_PLACES:
                return None
            at = lowered.find(needle, at + 1)
    return tuple(sorted(places))


@dataclass(frozen=True, slots=True)
class Matcher:
    """One detector, ready to confirm."""

    detector: Detector
    base: float
    standalone: bool
    no_context: bool
    sure: float  # the score of every match on its own; 0 if context may change it
    regex: re.Pattern[str]
    width: int
    search: Search
    lead: int  # how far before the trigger a match may begin; with 0 it begins there or behind
    lead_words: int
    lead_characters: str
    digit_first: bool
    capital_first: bool
    never_holds: frozenset[str]
    reach: int  # how far behind the trigger a match may go on
    groups: tuple[tuple[str | int, str], ...]  # group of the pattern -> characteristic
    validator: Validator | None
    required: Words | None
    raised_by: Words | None
    lowered_by: Words | None

    def for_text(self, lowered: str) -> "Matcher":
        """The same for one text, in small letters, with only the context words that it has.

        Pays off if there is much to confirm.
        """
        raised_by = self.raised_by and self.raised_by.found_in(lowered)
        lowered_by = self.lowered_by and self.lowered_by.found_in(lowered)
        return replace(self, raised_by=raised_by, lowered_by=lowered_by, no_context=not (raised_by or lowered_by))

    def announced(self, text: str, start: int) -> re.Match[str] | None:
        """The keyword before a match; one that has its number on a line above does not announce another."""
        if self.required is None:
            return None
        return _announcing(self.required, text, max(0, start - self.detector.near), start)

    def alone(self, text: str, start: int, end: int) -> bool:
        return not part_of_longer(text, start, end, self.standalone, self.detector.joined)

    def weighed(self, text: str, start: int, end: int, scoring: Scoring) -> float:
        """0 for what is not the thing at all, else the detector's score with what the words nearby add or take."""
        if self.required is not None and self.announced(text, start) is None:
            return 0.0
        if self.validator is not None and not self.validator(text[start:end]):
            return 0.0
        if self.no_context:
            return self.base
        score = self.base
        first, last = max(0, start - scoring.before), end + scoring.after
        raised_by = self.raised_by if self.raised_by is not None and self.raised_by.may_be_near(first, last) else None
        lowered_by = (
            self.lowered_by if self.lowered_by is not None and self.lowered_by.may_be_near(first, last) else None
        )
        around = text[first:last].lower() if raised_by or lowered_by else ""
        if (
            raised_by is not None
            and raised_by.seen_in(around)
            and nearby(raised_by, text, start, end, scoring) is not None
        ):
            score += scoring.raise_by
        if (
            lowered_by is not None
            and lowered_by.seen_in(around)
            and in_clause(lowered_by, text, start, end, scoring) is not None
        ):
            score -= scoring.lower_by
        return round(min(max(score, 0.0), SUREST), 4)


SUREST = 0.99


def _announcing(words: Words, text: str, first: int, start: int) -> re.Match[str] | None:
    word = words.last_within(text, first, start)
    if word is not None and text.find("\n", word.end(), start) >= 0 and _A_NUMBER.search(text, word.end(), start):
        return None
    return word


def nearby(words: Words, text: str, start: int, end: int, scoring: Scoring) -> re.Match[str] | None:
    before = _announcing(words, text, max(0, start - scoring.before), start)
    if before is not None:
        return before
    line_end = text.find("\n", end, end + scoring.after)  # a word on the next line is about what is on that line
    return words.within(text, end, line_end if line_end >= 0 else min(len(text), end + scoring.after))


def in_clause(words: Words, text: str, start: int, end: int, scoring: Scoring) -> re.Match[str] | None:
    """The same, but not across the end of a clause: in `order 12, call 34` the order says nothing about the call."""
    before = words.last_within(text, max(0, start - scoring.before), start)
    if before is not None and _CLAUSE_END.search(text, before.end(), start) is None:
        return before
    after = words.within(text, end, min(len(text), end + scoring.after))
    return after if after is not None and _CLAUSE_END.search(text, end, after.start() + 1) is None else None


def matcher_of(detector: Detector, characteristics: frozenset[str]) -> Matcher:
    regex, width = compile_pattern(detector)
    named = tuple((name, name) for name in regex.groupindex if name in characteristics)
    whole: tuple[tuple[str | int, str], ...] = (
        (VALUE_GROUP if VALUE_GROUP in regex.groupindex else 0, detector.characteristic),
    )
    validator = validator_of(detector.validator) if detector.validator else None
    if detector.validator and validator is None:
        known = ", ".join(sorted(VALIDATORS))
        raise PatternError(
            f"unknown validator {detector.validator!r}; known are {known}, and stdnum.xx.yy for those of python-stdnum"
        )
    gated = by_keyword(detector)
    exact = not gated and (not detector.trigger or _opens_with_trigger(detector))
    return Matcher(
        detector=detector,
        base=detector.score,
        standalone=detector.standalone,
        no_context=not (detector.raised_by or detector.lowered_by),
        sure=0.0 if validator or detector.keywords or detector.raised_by or detector.lowered_by else detector.score,
        regex=regex,
        width=width,
        search=_search(detector, exact, gated),
        lead_words=detector.lead_words,
        lead_characters=_characters_of(detector.lead_characters),
        digit_first=opens_with_digit(detector.pattern),
        capital_first=not detector.ignore_case and opens_with_no_small_letter(detector.pattern),
        never_holds=never_holds(detector.pattern),
        lead=0 if exact or gated else (width if detector.lead < 0 else detector.lead),
        reach=_reach(detector, width),
        groups=named or whole,
        validator=validator,
        required=words_of(detector.keywords),
        raised_by=words_of(detector.raised_by),
        lowered_by=words_of(detector.lowered_by),
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
        raise PatternError("the pattern matches the empty text; make a part of it required")
    if longest > WIDEST:
        raise PatternError(
            f"the pattern can match more than {WIDEST} characters; write bounds such as {{1,40}} instead of + and *"
        )
    return regex, int(longest)


def _search(detector: Detector, exact: bool, gated: bool) -> Search:
    if exact:
        return at_triggers
    bounded = detector.lead == 0 or detector.lead_words > 0 or detector.lead_characters
    return around_triggers if bounded and not gated else in_windows


def _characters_of(ranges: str) -> str:
    """`a-z.` -> all that it means, as inside the brackets of a regular expression."""
    if not ranges:
        return ""
    try:
        return "".join(re.findall(f"[{ranges}]", "".join(map(chr, range(128)))))
    except re.error as error:
        raise PatternError(f"lead_characters are no ranges of characters: {error}") from None


def _reach(detector: Detector, width: int) -> int:
    if by_keyword(detector):
        return detector.near + width
    return width if detector.trigger else 0


def _opens_with_trigger(detector: Detector) -> bool:
    if not detector.pattern.startswith(detector.trigger):
        return False
    try:
        parsed = regex_parser.parse(detector.trigger, re.ASCII)
    except re.error as error:
        raise PatternError(f"the trigger is not a regular expression: {error}") from None
    return not (
        len(parsed) == 1 and parsed[0][0] is regex_parser.BRANCH
    )  # alternatives at the top may mean another start


def words_of(words: Sequence[str]) -> Words | None:
    if not words:
        return None
    alternatives = "|".join(re.escape(word).replace(r"\ ", r"\s{1,3}") for word in sorted(words, key=len, reverse=True))
    needles = {word.lower().partition(" ")[0] for word in words}
    letters = "".join(sorted(needle for needle in needles if len(needle) == 1))
    return Words(
        tuple(sorted(needle for needle in needles if len(needle) > 1)),
        re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W\d_])", re.IGNORECASE),
        re.compile(rf"[{re.escape(letters)}](?<![^\W_].)(?![^\W\d_])") if letters else None,
    )


def part_of_longer(text: str, start: int, end: int, standalone: bool, joined: bool) -> bool:
    """A piece of a longer word, or of a longer number that points, hyphens, slashes or colons join."""
    joints = _JOINTS if standalone else _ALWAYS_JOINTS
    if start:
        before = text[start - 1]
        if before.isalnum():
            if _is_one_word(before, text[start], joined):
                return True
        elif (
            before in joints
            and start > 1
            and text[start - 2].isdigit()
            and text[start].isdigit()
            and _joined(before, text, start, end)
        ):
            return True
    if end < len(text):
        after = text[end]
        if after.isalnum():
            return _is_one_word(after, text[end - 1], joined)
        if after in joints and end + 1 < len(text) and text[end + 1].isdigit() and text[end - 1].isdigit():
            return _joined(after, text, start, end)
    return False


def _is_one_word(outside: str, inside: str, joined: bool) -> bool:
    """A letter or figure next to the value; of a value that may be joined to a word, only a figure next to its own."""
    return inside.isalnum() and (not joined or (outside.isdigit() and inside.isdigit()))


def _joined(joint: str, text: str, start: int, end: int) -> bool:
    """Slashes and colons join only what has them inside as well: 12/12/12/12 is one thing, 12/31/1999/a is not."""
    return joint not in _ALWAYS_JOINTS or text.find(joint, start, end) >= 0
