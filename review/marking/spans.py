"""What a person marked, as it was sent -> checked spans; and a text -> what the screen suggests to mark."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.crypto import salted_hmac

from core.errors import ReviewError
from evaluation.formats.document import DIRECT, NO_MASK, QUASI, Entity, Mention
from evaluation.spans import Marked
from review.reveal.reveal import Revealed
from screening.ruleset.ruleset import rules_of

IDENTIFIERS = (DIRECT, QUASI, NO_MASK)
MOST_SPANS = 20_000
_SALT = "leakscreen.marked-text"
_NO_IDENTIFIERS = frozenset({"subject", "health_term", "health_column"})  # what is said of somebody, not who it is
# Ends of what says alone who somebody is; everything else does so only together.
_DIRECT_ENDS = ("name", "number", "sin", "ssn", "email", "iban", "card")


class Mark(NamedTuple):
    """Spans with the same entity number, above 0, are the same thing; 0 is a thing of its own."""

    start: int
    end: int
    category: str
    identifier: str
    entity: int = 0


def categories() -> tuple[str, ...]:
    return _categories(settings.LEAKSCREEN.rules)


@lru_cache(maxsize=2)
def _categories(rules: Any) -> tuple[str, ...]:
    return tuple(each.id for each in rules_of(rules).characteristics if each.id not in _NO_IDENTIFIERS)


def checked(given: Any, characters: int) -> tuple[Mark, ...]:
    """In the order of the text; what is no span of this text is refused, and nothing of the text is repeated."""
    if not isinstance(given, list) or len(given) > MOST_SPANS:
        raise ReviewError(f"spans must be a list of at most {MOST_SPANS:,}")
    known = frozenset(categories())
    marks = []
    for number, one in enumerate(given, 1):
        if not isinstance(one, list | tuple) or len(one) != len(Mark._fields):
            raise ReviewError(f"span {number}: expected start, end, category, identifier and entity")
        mark = Mark(*one)
        if any(isinstance(each, bool) or not isinstance(each, int) for each in (mark.start, mark.end, mark.entity)):
            raise ReviewError(f"span {number}: start, end and entity must be whole numbers")
        if not 0 <= mark.start < mark.end <= characters or not 0 <= mark.entity <= MOST_SPANS:
            raise ReviewError(f"span {number}: lies outside the text, or is empty")
        if mark.category not in known or mark.identifier not in IDENTIFIERS:
            raise ReviewError(
                f"span {number}: unknown category, or identifier that is none of {', '.join(IDENTIFIERS)}"
            )
        marks.append(mark)
    return tuple(sorted(set(marks)))


def text_of(revealed: Revealed) -> str:
    return "".join(piece.text for piece in revealed.pieces)


def suggested(revealed: Revealed) -> tuple[Mark, ...]:
    """What the screen found."""
    known, at, marks = frozenset(categories()), 0, []
    for piece in revealed.pieces:
        if piece.characteristic in known:
            marks.append(Mark(at, at + len(piece.text), piece.characteristic, identifier_of(piece.characteristic)))
        at += len(piece.text)
    return tuple(marks)


def identifier_of(category: str) -> str:
    """A first guess, for people to correct."""
    return DIRECT if category.endswith(_DIRECT_ENDS) and category != "organization_name" else QUASI


def keyed_hash(text: str) -> str:
    return str(salted_hmac(_SALT, text.encode("utf-8", "surrogatepass"), algorithm="sha256").hexdigest())


def as_marked(marks: Iterable[Mark]) -> tuple[Marked, ...]:
    return tuple(Marked(mark.start, mark.end, mark.category) for mark in marks if mark.identifier != NO_MASK)


def as_entities(marks: Sequence[Mark]) -> tuple[Entity, ...]:
    """Mentions of one entity together, named by the first."""
    grouped: dict[tuple[int, int], list[Mark]] = {}
    for number, mark in enumerate(marks):
        grouped.setdefault((mark.entity, 0) if mark.entity else (0, number + 1), []).append(mark)
    return tuple(
        Entity(
            group[0].category,
            group[0].identifier,
            tuple(Mention(mark.start, mark.end, mark.identifier != NO_MASK) for mark in group),
        )
        for group in grouped.values()
    )
