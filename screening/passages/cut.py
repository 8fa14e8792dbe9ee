"""A text and where its segments begin -> its passages, cut by the structure that each segment has."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.records import Passage
from screening.passages.json_records import json_passages
from screening.passages.messages import message_passages
from screening.passages.prose import prose_passages
from screening.passages.sql_rows import sql_passages

_WORD = re.compile(r"\w")
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
            yield from _with_rest(text, start, end, passages)
            return
    yield from message_passages(text, start, end, WHOLE_CHARS) or prose_passages(text, start, end, WHOLE_CHARS)


def _with_rest(text: str, start: int, end: int, passages: Sequence[Passage]) -> Iterator[Passage]:
    """What stands between records counts too: a dump has comments, and an object has values behind its lists."""
    at, before = start, ""
    for passage in (*passages, None):
        after = end if passage is None else passage.start
        if _WORD.search(text, at, after):
            for rest in prose_passages(text, at, after, WHOLE_CHARS):
                yield rest._replace(place=f"after {before}") if before else rest
        if passage is not None:
            yield passage
            at, before = passage.end, passage.place
