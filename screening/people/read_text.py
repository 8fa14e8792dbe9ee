"""A text and its spans -> what several look for in it, each found once: names, roles, passages and sections."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from core.records import Passage, Span
from screening.passages.cut import passages_of
from screening.people.mentions import Mention, mentions_in
from screening.people.obituary import is_obituary
from screening.people.roles import Standing, standing_of
from screening.same_person import sections_of

_LONG_TEXT = 50_000  # characters
_CHARS_OF_STRETCH = 3_000


class ReadText:
    """It holds content, so it lives as long as its text is screened."""

    __slots__ = ("__dict__", "_asked", "_standings", "lists", "spans", "starts", "text")

    def __init__(self, text: str, spans: Sequence[Span], starts: Sequence[int], lists: Mapping[str, int]) -> None:
        """`starts` are where the segments begin; `lists` say what is known of a word in small letters."""
        self.text = text
        self.spans = spans
        self.starts = starts
        self.lists = lists
        self._asked = 0
        self._standings: dict[tuple[int, int, str], Standing] = {}

    @cached_property
    def mentions(self) -> Sequence[Mention]:
        return list(mentions_in(self.text, self.spans, self.lists))

    @cached_property
    def passages(self) -> Sequence[Passage]:
        return list(passages_of(self.text, self.starts))

    @cached_property
    def sections(self) -> Sequence[int]:
        return sections_of(self.text, self.starts)

    def may_have_obituary(self) -> bool:
        """What the whole text has too little of, no stretch of it has enough of.

        A long text has much to search, so that it is searched only once its stretches have taken as long.
        """
        self._asked += 1
        is_dear = len(self.text) > _LONG_TEXT and self._asked * _CHARS_OF_STRETCH < len(self.text)
        return is_dear or self._has_obituary

    @cached_property
    def _has_obituary(self) -> bool:
        return is_obituary(self.text)

    def standing(self, start: int, end: int, heading: str = "") -> Standing:
        key = start, end, heading
        known = self._standings.get(key)
        if known is None:
            known = self._standings[key] = standing_of(self.text, start, end, heading)
        return known
