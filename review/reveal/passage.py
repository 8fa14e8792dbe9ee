"""A referral -> the passage that decided and what surrounds it, values masked; read in the sandbox, stored nowhere."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from django.conf import settings

from core.records import Span
from core.settings import Settings
from review.models import Finding, Referral
from review.reveal.blocks import Block, blocks_of
from review.reveal.health_terms import HEALTH_TERM, health_terms_in
from review.reveal.piece import Piece
from review.reveal.reveal import Revealed, marked, referred_content, screen
from review.reveal.sandbox import idle_sandbox
from screening.privacy.key import load_key
from screening.privacy.mask import NOTHING, Masker
from screening.ruleset.ruleset import rules_of

AROUND = 300  # characters before and behind what was found
LONGEST = 2_400  # characters shown
_OF_ITS_NAME = "name of the file"  # where the file's name was found, and not its text
_PLAIN = frozenset({HEALTH_TERM, "health_column"})  # what it says of health is what is judged
_WORD = re.compile(r"[^\W_]{3,}")


def surroundings(referral: Referral, finding: Finding) -> tuple[Revealed, list[Block]]:
    """Empty where nothing of the passage has a place in the text, or it lies beyond what is read of a file.

    Raises BusyError while another text is being read: nobody waits for this one.
    """
    here: Settings = settings.LEAKSCREEN
    with idle_sandbox(here) as sandbox:
        found, content = referred_content(referral, here, sandbox)
    if content is None:
        return found, []
    text = content.text[: here.review.reveal_characters]
    place = _place(finding, len(text))
    if place is None:
        return found, []
    spans = screen().spans(text)
    return found, list(blocks_of(masked_pieces(text, spans, *_at_lines(text, *place))))


def _place(finding: Finding, length: int) -> tuple[int, int] | None:
    everywhere = [piece for piece in finding.evidence if piece.get("where") != _OF_ITS_NAME]
    pieces = [piece for piece in everywhere if piece.get("passage") == finding.strongest] or everywhere
    if not pieces:
        return None
    start = min(int(piece["start"]) for piece in pieces)
    end = max(int(piece["end"]) for piece in pieces)
    if end > length:
        return None
    start = max(0, start - AROUND)
    return start, min(length, end + AROUND, start + LONGEST)


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


def masked_pieces(text: str, spans: Sequence[Span], start: int, end: int) -> Iterator[Piece]:
    """Of a part of the text: each value masked, also where a word of it comes again and was not found there."""
    known = {
        word.casefold()
        for span in spans
        if span.characteristic not in _PLAIN
        for word in _WORD.findall(text[span.start : span.end])
    }
    near = [span for span in spans if span.start < end and span.end > start]
    terms = [term for term in health_terms_in(text, spans) if term.start >= start and term.end <= end]
    for piece in _within(marked(text, [*near, *terms]), start, end):
        if not piece.characteristic or piece.characteristic in _PLAIN:
            yield Piece(_WORD.sub(lambda word: _hidden(word, known), piece.text), piece.characteristic)
        else:
            yield Piece(_masker().masked_and_hashed(piece.characteristic, piece.text)[0], piece.characteristic)


def _hidden(word: re.Match[str], known: set[str]) -> str:
    return NOTHING if word[0].casefold() in known else word[0]


def _within(pieces: Iterator[Piece], start: int, end: int) -> Iterator[Piece]:
    """A value at the edge comes whole, since part of it could not be masked as what it is."""
    at = 0
    for piece in pieces:
        before, at = at, at + len(piece.text)
        if at <= start or before >= end:
            continue
        yield piece if piece.characteristic else Piece(piece.text[max(0, start - before) : end - before])


@lru_cache(maxsize=1)
def _masker() -> Masker:
    here: Settings = settings.LEAKSCREEN
    return Masker(load_key(here.privacy.key_file), rules_of(here.rules).characteristics)
