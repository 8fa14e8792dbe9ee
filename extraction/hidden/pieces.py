"""What a format yields -> the same, and what hides there: data behind the end of a file, encoded parts of its text."""

from collections.abc import Iterator
from functools import partial

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, Piece, StoppedError
from extraction.hidden.appended import behind_the_end
from extraction.hidden.encoded import hidden_in
from extraction.identify.encrypted import armour_in
from extraction.limits.budget import Budget, LimitError
from extraction.member_names import BEHIND
from extraction.readers.streams.read_member import embedded_content

DECODED = "decoded"
NOT_DECODED = "encoded text in it was not decoded, since it is beyond the read limit"


def appended(media_type: str, content: Content, budget: Budget) -> Iterator[Member]:
    data = behind_the_end(media_type, content.data) if content.descriptor is None else b""
    if data:
        yield Member(BEHIND, partial(embedded_content, data, budget), len(data))


def with_decoded(pieces: Iterator[Piece], budget: Budget) -> Iterator[Piece]:
    number = 0
    armour = ""
    for piece in pieces:
        yield piece
        waiting = [(piece, 0)] if isinstance(piece, Segment) else []
        while waiting:
            segment, depth = waiting.pop()
            armour = armour or armour_in(segment.text)
            for part in hidden_in(segment.text):
                if depth >= budget.limits.depth:
                    raise LimitError(budget.depth_reason)
                number += 1
                if part.text:
                    budget.expand(len(part.text))
                    shown = Segment(DECODED, part.text)
                    yield shown
                    waiting.append((shown, depth + 1))
                else:
                    name = part.name or f"{DECODED} {number}"
                    yield Member(name, partial(embedded_content, part.data, budget), len(part.data))
    if armour:
        raise StoppedError(Status.ENCRYPTED, f"an encrypted part in it ({armour.lower()})")


def without_decoded(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """For a text that comes in windows, each of which is one segment: says so if something was left encoded."""
    left_out = False
    for piece in pieces:
        yield piece
        if isinstance(piece, Segment) and not left_out:
            left_out = bool(armour_in(piece.text)) or next(hidden_in(piece.text), None) is not None
    if left_out:
        raise StoppedError(Status.PARTIAL, NOT_DECODED)
