"""Where a detector is worth a look -> what its pattern matches there, the same as a search of the whole text would."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

Place = tuple[int, int]  # first character of a trigger, last + 1
_JOINING_WORD = 4  # letters of the longest word such as `of` that may stand inside a name
_FEW_STARTS = 12
_DIGIT = re.compile(r"\d", re.ASCII)


class Looking(Protocol):
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


Look = Callable[[Looking, str, Iterable[Place]], Iterator[re.Match[str]]]


def at_triggers(matcher: Looking, text: str, places: Iterable[Place]) -> Iterator[re.Match[str]]:
    """For patterns that open with their trigger; no place is searched twice."""
    match_at = matcher.regex.match
    searched, tried = 0, -1
    for start, end in places:
        if end <= searched or start == tried:
            continue
        tried = start
        if start >= searched:
            match = match_at(text, start)
        else:
            match = _later_start(matcher.regex, text, max(searched, end - matcher.width), searched, end + matcher.reach)
        if match is not None:
            searched = match.end()
            yield match


def around_triggers(matcher: Looking, text: str, places: Iterable[Place]) -> Iterator[re.Match[str]]:
    """For patterns of which it is known how much of them stands before the trigger; no place is searched twice."""
    regex, width, reach = matcher.regex, matcher.width, matcher.reach
    searched = 0
    for trigger, end in places:
        if end <= searched:
            continue
        start = _first_start(matcher, text, trigger, max(searched, end - width))
        match = regex.match(text, start) if start >= searched else None
        if match is None and start >= 0:
            match = _later_start(regex, text, max(start, searched, end - width), max(trigger, searched), end + reach)
        if match is None:
            searched = max(searched, trigger + 1)  # triggers may overlap: a match of the next can begin inside this one
        else:
            searched = match.end()
            yield match


def _first_start(matcher: Looking, text: str, trigger: int, limit: int) -> int:
    """The first place where a match may begin; -1 for none."""
    start = trigger
    if matcher.lead_characters:
        start = max(limit, 0) + len(text[max(limit, 0) : trigger].rstrip(matcher.lead_characters))
    elif matcher.lead_words:
        start = _words_back(text, trigger, matcher.lead_words, limit)
    if not matcher.digit_first or start >= trigger:
        return start
    digit = _DIGIT.search(text, start, trigger + 1)
    return -1 if digit is None else digit.start()


def _later_start(regex: re.Pattern[str], text: str, first: int, last: int, limit: int) -> re.Match[str] | None:
    """A match that begins in first..last and ends by `limit`; few starts are tried one by one, as a search would look far beyond."""
    if last - first <= _FEW_STARTS:
        for start in range(first, last + 1):
            match = regex.match(text, start)
            if match is not None and match.end() <= limit:
                return match
        return None
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


def in_windows(matcher: Looking, text: str, places: Iterable[Place]) -> Iterator[re.Match[str]]:
    """For patterns of which it is not known where they begin."""
    for start, end in _windows(matcher, places):
        # Seeing further than the last end keeps word boundaries honest.
        for match in matcher.regex.finditer(text, start, min(end + matcher.width + 1, len(text))):
            if match.end() > end:
                break
            yield match


def _windows(matcher: Looking, places: Iterable[Place]) -> Iterator[tuple[int, int]]:
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
