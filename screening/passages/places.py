"""A passage and the segments of its text -> its place in the file, which no other passage of the file has."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from core.records import Passage

WHOLE_TEXT = "text"
_NO_PLACES = ("", "body")  # segments that are the text itself


class Places:
    """`paragraph 1` is on every page of a PDF; `page 57` is there once."""

    def __init__(self, passages: Sequence[Passage], starts: Sequence[int], wheres: Sequence[str]) -> None:
        """`starts` are where the segments begin, `wheres` what they are called."""
        self._starts = starts
        self._wheres = wheres
        self._passages = len(passages)
        self._of_segment = Counter(self._segment(passage.start) for passage in passages)

    def named(self, passage: Passage) -> Passage:
        place = self._of(passage)
        return passage if place == passage.place else passage._replace(place=place)

    def _of(self, passage: Passage) -> str:
        first, last = self._segment(passage.start), self._segment(max(passage.start, passage.end - 1))
        where = self._wheres[first] if first == last else ""
        if where in _NO_PLACES:
            return passage.place if self._passages > 1 or not _is_prose(passage) else WHOLE_TEXT
        if self._of_segment[first] == 1 and _is_prose(passage):
            return where
        return f"{passage.place} of {where}"

    def _segment(self, place: int) -> int:
        return max(0, bisect_right(self._starts, place) - 1)


def _is_prose(passage: Passage) -> bool:
    return passage.place.startswith("paragraph")
