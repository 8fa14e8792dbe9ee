"""Spans of a text -> which of them belong to the same person: by line, by nearness, and by section."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple, Protocol

from core.records import Span
from screening.ruleset.definitions import Nearness

NOBODY = 0
_SECTION = re.compile(r"\n[ \t]*(?:\n[ \t]*\n|[-=_*]{5,}[ \t]*(?=\n))")
_PAGE_END = re.compile("\f")
_GIVEN = frozenset({"first_name", "initials"})
_SURNAME = "last_name"
_PARTS = _GIVEN | {_SURNAME}
# Somebody has one of each, so that a second one is of whoever is named next.
_ONE_EACH = frozenset(
    {
        "birth_date",
        "medical_record_number",
        "health_card_number",
        "nhs_number",
        "ssn",
        "sin",
        "national_id_number",
    }
)
_APART = re.compile(r"\n[ \t\r]*\n|\}\s{0,40},\s{0,40}\{")  # a blank line, or two records of JSON
_WITHIN_A_NAME = 14  # characters: `Sloan , Charles E`, `van der`
_JOINTS = " ,.'’-"


class Mentioned(Protocol):
    """A place where somebody is named."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def key(self) -> str: ...


class _Mention(NamedTuple):
    """One place where a person is named; the same name has the same key."""

    start: int
    end: int
    key: str


_mention = partial(tuple.__new__, _Mention)  # half the time of _Mention(...)


def sections_of(text: str, borders: Sequence[int] = ()) -> Sequence[int]:
    """Where the sections of a text begin; borders are further such places, as those of pages."""
    ends = [match.end() for sign in (_SECTION, _PAGE_END) for match in sign.finditer(text)]
    return sorted({0, *borders, *ends})


class SamePerson:
    """Ties identifiers to the person that they belong to."""

    def __init__(self, nearness: Nearness, particles: Sequence[str] = ()) -> None:
        self._nearness = nearness
        words = "".join(rf"|\b{re.escape(particle)}\b" for particle in particles)
        self._joint = re.compile(rf"(?:[{_JOINTS}]{words})*")

    def persons(self, text: str, spans: Sequence[Span], sections: Sequence[int]) -> list[str]:
        """For each span the key of its person, empty where it is nobody's; spans come in the order of the text."""
        mentions = _joined(self._mentions(text, spans))
        return [mention.key if mention else "" for mention in self.mentions_of(text, spans, mentions, sections)]

    def mentions_of(
        self, text: str, spans: Sequence[Span], mentions: Sequence[Mentioned], sections: Sequence[int]
    ) -> Sequence[Mentioned | None]:
        """For each span the mention of its person; mentions come in the order of the text too."""
        return _Ties(text, mentions, sections, self._nearness).of(spans) if mentions else [None] * len(spans)

    def _mentions(self, text: str, spans: Sequence[Span]) -> list[_Mention]:
        """Neighbouring parts of a name make one mention."""
        parts = [span for span in spans if span[2] in _PARTS]
        groups: list[list[Span]] = [parts[:1]] if parts else []
        kinds = {parts[0].characteristic == _SURNAME} if parts else set()
        for left, right in pairwise(parts):
            between = text[left[1] : right[0]]
            if between == " " or self._is_one_name(between, complete=len(kinds) == 2):
                groups[-1].append(right)
            else:
                groups.append([right])
                kinds.clear()
            kinds.add(right.characteristic == _SURNAME)
        return [_mention((group[0][0], group[-1][1], _key(text, group))) for group in groups]

    def _is_one_name(self, between: str, *, complete: bool) -> bool:
        """`Sloan, Charles` is one name, `Charles Sloan, Tom` are two."""
        if len(between) > _WITHIN_A_NAME or self._joint.fullmatch(between) is None:
            return False
        return not (complete and "," in between)


class _Ties:
    def __init__(self, text: str, mentions: Sequence[Mentioned], sections: Sequence[int], nearness: Nearness) -> None:
        self._text = text
        self._mentions = mentions
        self._starts = [mention.start for mention in mentions]
        self._sections = sections
        self._nearness = nearness
        self._first: dict[tuple[str, str], tuple[str, int]] = {}  # by person and characteristic: value and place

    def of(self, spans: Sequence[Span]) -> list[Mentioned | None]:
        mentions, starts, sections, text = self._mentions, self._starts, self._sections, self._text
        ends = [mention.end for mention in mentions]
        line, line_of = 0, -1  # where the line ends on which the mention of this number does
        braces = "}" in text
        count, last, far = len(starts), len(sections), self._nearness.after_a_name
        tied: list[Mentioned | None] = []
        after = section = 0  # the first of each behind the span; all come in the order of the text
        for start, end, characteristic, _ in spans:
            while after < count and starts[after] <= start:
                after += 1
            before = mentions[after - 1] if after else None
            if before is not None and start < ends[after - 1]:
                tied.append(before)
                continue
            while section < last and sections[section] <= start:
                section += 1
            low, high = sections[section - 1], sections[section] if section < last else len(self._text) + 1
            if before is not None and starts[after - 1] < low:
                before = None
            following = mentions[after] if after < count and starts[after] < high else None
            if before is not None and line_of != after:
                beyond = ends[after - 1] + far
                line, line_of = text.find("\n", ends[after - 1], beyond), after
                line = beyond if line < 0 else line
            if (
                before is not None
                and start <= line
                and start - (gone := ends[after - 1]) <= far
                and not (braces and text.find("}", gone, start) >= 0)
            ):  # on the same line and in the same record, as most are
                if characteristic in _ONE_EACH:
                    self._first.setdefault((before.key, characteristic), (text[start:end], start))
                tied.append(before)
                continue
            nearest = self._nearest(start, end, before, following)
            if characteristic in _ONE_EACH and nearest is not None:
                nearest = self._without_another(start, end, characteristic, nearest, following)
            tied.append(nearest or self._only_one(low, high, start))
        return tied

    def _without_another(
        self, start: int, end: int, characteristic: str, nearest: Mentioned, following: Mentioned | None
    ) -> Mentioned | None:
        """`MRN: 7`, a name, `MRN: 8`: the second is of whoever is named below it, as the first was, or of nobody."""
        value = self._text[start:end]
        first, place = self._first.setdefault((nearest.key, characteristic), (value, start))
        if first == value or self._is_on_line(min(nearest.end, start), max(nearest.start, start)):
            return nearest
        below = self._nearness.before_a_name + 1 if following is None else following.start - end
        if following is None or place > nearest.start or below > min(self._nearness.before_a_name, start - nearest.end):
            return None
        self._first.setdefault((following.key, characteristic), (value, start))
        return following

    def _nearest(self, start: int, end: int, before: Mentioned | None, following: Mentioned | None) -> Mentioned | None:
        """Somebody before, unless only who follows is on the same line, or in the same paragraph or record."""
        is_below = following is not None and following.start - end <= self._nearness.before_a_name
        if before is not None and start - before.end <= self._nearness.after_a_name:
            if following is None:
                return before
            if is_below and self._is_apart(before.end, start) and not self._is_apart(end, following.start):
                return following
            if self._is_on_line(before.end, start) or not self._is_on_line(end, following.start):
                return before
            return following if is_below else None
        if following is not None and is_below:
            return following if before is None or self._is_on_line(end, following.start) else None
        return None

    def _is_on_line(self, start: int, end: int) -> bool:
        return self._text.find("\n", start, end) < 0

    def _is_apart(self, start: int, end: int) -> bool:
        return _APART.search(self._text, start, end) is not None

    def _only_one(self, section: int, end: int, start: int) -> Mentioned | None:
        """A section that names one person alone is about that person."""
        low, high = bisect_left(self._starts, section), bisect_left(self._starts, end)
        if not 0 < high - low <= self._nearness.looked_at:
            return None
        first = self._mentions[low]
        if any(mention.key != first.key for mention in self._mentions[low:high]):
            return None
        return first if abs(start - first.start) <= self._nearness.section else None


def _key(text: str, group: Sequence[Span]) -> str:
    first_name = surname = ""
    for start, end, characteristic, _ in reversed(group):  # the first of each stays
        if characteristic == "first_name":
            first_name = text[start:end]
        elif characteristic == _SURNAME:
            surname = text[start:end]
    return f"{surname}\0{first_name}".casefold()


def _joined(mentions: Sequence[_Mention]) -> list[_Mention]:
    """`Sloan` and `Charles` alone mean the Charles Sloan who was named before them."""
    full: dict[str, str] = {}
    joined = []
    for mention in mentions:
        surname, _, first_name = mention.key.partition("\0")
        key = mention.key
        if surname and first_name:
            full[surname + "\0"] = full["\0" + first_name] = key
        else:
            key = full.get(key, key)
        joined.append(mention if key is mention.key else mention._replace(key=key))
    return joined
