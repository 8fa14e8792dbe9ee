"""A referral -> the passage that decided and what surrounds it, values masked; read in the sandbox, stored nowhere."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from django.conf import settings

from core.records import Span
from core.settings import Settings
from review.models import Finding, Referral
from review.reveal.blocks import Block, Places, blocks_by_place
from review.reveal.health_terms import HEALTH_TERM, health_terms_in
from review.reveal.piece import Piece
from review.reveal.reveal import (
    CSV,
    SHOWN,
    Revealed,
    marked,
    places_from,
    referred_content,
    screen,
    window_around,
)
from review.reveal.sandbox import idle_sandbox
from screening.privacy.key import load_key
from screening.privacy.mask import NOTHING, Masker
from screening.ruleset.ruleset import rules_of

AROUND = 300  # characters before and behind what was found
LONGEST = 2_400  # characters shown
FARTHEST = 20_000_000  # characters that are read to reach a passage
_OF_ITS_NAME = "name of the file"  # where the file's name was found, and not its text
_PLAIN = frozenset({HEALTH_TERM, "health_column"})  # what it says of health is what is judged
_WORD = re.compile(r"[^\W_]{3,}")


def surroundings(referral: Referral, finding: Finding) -> tuple[Revealed, list[Block]]:
    """Empty where nothing of the passage has a place in the text, or it lies beyond what is read of a file.

    Raises BusyError while another text is being read: nobody waits for this one.
    """
    here: Settings = settings.LEAKSCREEN
    place, most = deciding_place(finding), here.review.reveal_characters
    if place is None or place[1] > FARTHEST:
        return Revealed(SHOWN), []
    with idle_sandbox(here) as sandbox:
        found, content = referred_content(referral, here, sandbox, most=max(most, place[1] + AROUND))
    if content is None:
        return found, []
    begin = window_around(content.text, *place, most)
    text = content.text[begin : begin + most]
    if place[1] - begin > len(text):
        return found, []
    start, end = _at_lines(text, *_around(place[0] - begin, place[1] - begin, len(text)))
    is_csv = found.media_type == CSV
    ranges = _ranges(places_from(content.places, begin), start, end)
    heading = text.find("\n") + 1 if is_csv and not begin else 0
    if 0 < heading <= start:
        ranges = [("", 0, heading), *ranges]
    parts = masked_parts(text, screen().spans(text), ranges)
    if is_csv:  # rows far below its heading are one table with it
        parts = iter([("", [piece for _, pieces in parts for piece in pieces])])
    return found, list(blocks_by_place(parts, is_csv))


def deciding_place(finding: Finding) -> tuple[int, int] | None:
    """Where the passage that decided begins and ends in the text; of older results, all that was found."""
    everywhere = [piece for piece in finding.evidence if piece.get("where") != _OF_ITS_NAME]
    pieces = [piece for piece in everywhere if piece.get("passage") == finding.strongest] or everywhere
    if not pieces:
        return None
    return min(int(piece["start"]) for piece in pieces), max(int(piece["end"]) for piece in pieces)


def _around(start: int, end: int, length: int) -> tuple[int, int]:
    start = max(0, start - AROUND)
    return start, min(length, end + AROUND, start + LONGEST)


def _ranges(places: Places, start: int, end: int) -> list[tuple[str, int, int]]:
    """The parts of a stretch of the text, each with its place."""
    starts = [at for at, _ in places[1:]]
    ranges = [(where, at, after) for (at, where), after in zip(places, [*starts, end], strict=True)] or [("", 0, end)]
    return [(where, max(at, start), min(after, end)) for where, at, after in ranges if at < end and after > start]


def _at_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """No word is cut, and a line only where it is long."""
    before = text.rfind("\n", max(0, start - AROUND), start)
    behind = text.find("\n", end, end + AROUND)
    start = before + 1 if before >= 0 else start
    while 0 < start < len(text) and text[start - 1].isalnum():
        start -= 1
    end = behind if behind >= 0 else end
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end


def masked_parts(
    text: str, spans: Sequence[Span], ranges: Sequence[tuple[str, int, int]]
) -> Iterator[tuple[str, list[Piece]]]:
    """Of parts of the text: each value masked, also where a word of it comes again and was not found there."""
    known = {
        word.casefold()
        for span in spans
        if span.characteristic not in _PLAIN
        for word in _WORD.findall(text[span.start : span.end])
    }
    marks = list(marked(text, [*spans, *health_terms_in(text, spans)]))
    for where, start, end in ranges:
        yield where, [_masked(piece, known) for piece in _within(marks, start, end)]


def _masked(piece: Piece, known: set[str]) -> Piece:
    if not piece.characteristic or piece.characteristic in _PLAIN:
        return Piece(_WORD.sub(lambda word: _hidden(word, known), piece.text), piece.characteristic)
    return Piece(_masker().masked_and_hashed(piece.characteristic, piece.text)[0], piece.characteristic)


def _hidden(word: re.Match[str], known: set[str]) -> str:
    return NOTHING if word[0].casefold() in known else word[0]


def _within(pieces: Iterable[Piece], start: int, end: int) -> Iterator[Piece]:
    """A value at the edge comes whole, since part of it could not be masked as what it is."""
    at = 0
    for piece in pieces:
        before, at = at, at + len(piece.text)
        if at <= start or before >= end:
            continue
        is_value = piece.characteristic and piece.characteristic not in _PLAIN
        if is_value and before < start:
            continue  # it was shown where it begins
        yield piece if is_value else Piece(piece.text[max(0, start - before) : end - before], piece.characteristic)


@lru_cache(maxsize=1)
def _masker() -> Masker:
    here: Settings = settings.LEAKSCREEN
    return Masker(load_key(here.privacy.key_file), rules_of(here.rules).characteristics)
