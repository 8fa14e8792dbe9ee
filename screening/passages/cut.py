"""A text and where its segments begin -> its passages, cut by the structure that each segment has."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.records import Passage
from screening.passages.json_records import json_passages
from screening.passages.prose import prose_passages
from screening.passages.sql_rows import sql_passages

WHOLE_CHARS = 1_800  # a shorter text is one passage: its parts explain each other


def passages_of(text: str, starts: Sequence[int] = (0,)) -> Iterator[Passage]:
    """Passages in the order of the text; none overlaps another."""
    if len(text) <= WHOLE_CHARS or len(starts) <= 1:
        yield from _in_stretch(text, 0, len(text))
        return
    for start, after in pairwise([*starts, len(text) + 1]):
        if after - 1 > start:
            yield from _in_stretch(text, start, after - 1)


def _in_stretch(text: str, start: int, end: int) -> Iterator[Passage]:
    for structured in (json_passages, sql_passages):
        passages = structured(text, start, end)
        if passages:
            yield from passages
            return
    yield from prose_passages(text, start, end, WHOLE_CHARS)
