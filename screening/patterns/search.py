"""Where a detector is worth a look -> what its pattern matches there, the same as a search of the whole text would."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

Place = tuple[int, int]  # first character of a trigger, last + 1
_JOINING_WORD = 4  # letters of the longest word such as `of` that may be inside a name
_FEW_STARTS = 12
_DIGIT = re.compile(r"\d", re.ASCII)


class SearchPlan(Protocol):
    """What is known of a pattern and its trigger."""

    @property
    def regex(self) -> re.Pattern[str]: ...
    @property
    def width(self) -> int: ...
    @property
    def lead(self) -> int: ...  # how far before the trigger a match may begin; with 0 it begins there or behind
    @property
    def reach(self) -> int: ...  # how far behind the trigger a match may go on
    @property
    def lead_words(self) -> int: ...  # the lead in words
    @property
    def lead_characters(self) -> str: ...  # or all that a match may hold before its trigger
    @property
    def digit_first(self) -> bool: ...  # a match begins with a digit
    @property
    def capital_first(self) -> bool: ...  # a match begins with no small letter
    @property
    def never_holds(self) -> frozenset[str]: ...  # characters that are in no match


Search = Callable[[SearchPlan, str, Sequence[Place]], Iterable[re.Match[str]]]


def at_triggers(matcher: SearchPlan, text: str, places: Sequence[Place]) -> Iterable[re.Match[str]]:
    """For patterns that open with their trigger; no place is searched twice."""
    if len(places) > 1:
        return _at_each(matcher, text, places)
    match = matcher.regex.match(text, places[0][0])
    return () if match is None else (match,)


def _at_each(matcher: SearchPlan, text: str, places: Sequence[Place]) -> Iterator[re.Match[str]]:
    match_at = matcher.regex.match
    searched, tried = 0, -1
    for start, end in places:
        if end <= searched or start == tried:
            continue
        tried = start
        if start >= searched:
            match = match_at(text, start)
        else:
            match = _later_start(matcher, text, max(searched, end - matcher.width) - 1, searched, end)
        if match is not None:
            searched = match.end()
            yield match


def around_triggers(matcher: SearchPlan, text: str, places: Sequence[Place]) -> Iterator[re.Match[str]]:
    """For patterns with a known length before the trigger; no place is searched twice."""
    match_at, width = matcher.regex.match, matcher.width
    first_start = _past_characters if matcher.lead_characters else _past_words if matcher.lead_words else _at_trigger
    searched = 0
    for trigger, end in places:
        if end <= searched:
            continue
        start = first_start(matcher, text, trigger, end - width if end - width > searched else searched)
        match = None if start < 0 else match_at(text, start) or _later_start(matcher, text, start, trigger, end)
        if match is not None:
            searched = match.end()
            yield match
        elif trigger >= searched:
            searched = trigger + 1  # triggers may overlap: a match of the next can begin inside this one


def _past_characters(matcher: SearchPlan, text: str, trigger: int, limit: int) -> int:
    """The first place where a match may begin, and so below; -1 for none."""
    return limit + len(text[limit:trigger].rstrip(matcher.lead_characters))


def _at_trigger(_matcher: SearchPlan, _text: str, trigger: int, limit: int) -> int:
    return max(trigger, limit)


def _past_words(matcher: SearchPlan, text: str, trigger: int, limit: int) -> int:
    """So many words back on the line, past capitals, figures and short joining words."""
    if matcher.digit_first and _DIGIT.search(text, limit, trigger) is None:
        return -1
    limit = max(limit, text.rfind("\n", limit, trigger) + 1)
    first = end = trigger
    for _ in range(matcher.lead_words):
        if end <= limit or text[end - 1] in matcher.never_holds:
            break
        at = text.rfind(" ", limit, end) + 1 or limit
        small = text[at : at + 1].islower()
        if small and end - at >= _JOINING_WORD and end < trigger:
            return first if _is_small_word(text[at:end]) else at  # a name may follow a slash
        if not (small and matcher.capital_first and _is_small_word(text[at:end])):
            first = at
        end = at - 1
    return first


def _later_start(matcher: SearchPlan, text: str, tried: int, last: int, end: int) -> re.Match[str] | None:
    """A match that begins in tried + 1 .. last; few starts are tried one by one, as a search would look far beyond."""
    regex, limit = matcher.regex, end + matcher.reach
    if last - tried <= _FEW_STARTS:
        for start in range(tried + 1, last + 1):
            match = regex.match(text, start)
            if match is not None and match.end() <= limit:
                return match
        return None
    match = regex.search(text, tried + 1, min(len(text), limit + 1))
    return match if match is not None and match.end() <= limit else None


def _is_small_word(word: str) -> bool:
    return word.isalpha() and word.islower()


def in_windows(matcher: SearchPlan, text: str, places: Sequence[Place]) -> Iterator[re.Match[str]]:
    """For patterns of which it is not known where they begin."""
    for start, end in _windows(matcher, places):
        # Seeing further than the last end keeps word boundaries honest.
        for match in matcher.regex.finditer(text, start, min(end + matcher.width + 1, len(text))):
            if match.end() > end:
                break
            yield match


def _windows(matcher: SearchPlan, places: Iterable[Place]) -> Iterator[tuple[int, int]]:
    """Stretches that hold every match whole; those that touch are joined, so none starts inside a match."""
    lead, reach, width = matcher.lead, matcher.reach, matcher.width
    first, last = -1, -1
    for start, end in places:
        begin = max(0, start - lead, end - width)
        if first < 0:
            first, last = begin, end + reach
        elif begin > last:
            yield first, last
            first, last = begin, end + reach
        else:
            last = max(last, end + reach)
    yield first, last
