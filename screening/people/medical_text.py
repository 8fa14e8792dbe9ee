"""A stretch of a text and the names in it -> whether its other words hint at somebody's health."""

from collections.abc import Sequence

from screening.people.health_words import health_hints, hints_at_health
from screening.people.hint_places import places_of
from screening.people.meant import with_joined_letters
from screening.people.mentions import Mention

_MISREAD_CHARS = 12_000  # a longer text is not searched for letters that a scanner read as two
_ROWS_CHARS = 750


def is_medical_stretch(text: str, start: int, end: int, mentions: Sequence[Mention]) -> bool:
    """Full names are left out of the look, as some of them are names of diseases too; `Corona` alone may be one."""
    if not hints_in(text, start, end):
        return len(text) <= _MISREAD_CHARS and hints_at_health(with_joined_letters(text[start:end]))
    names = [(one[0], one[1], "") for one in mentions if one.is_full and start <= one[0] and one[1] <= end]
    if not names:
        return True
    known = places_of(text).hints_outside(start, end, names) if _is_one_of_many(text, start, end) else None
    return hints_at_health(without_values(text, start, end, names)) if known is None else known


def hints_in(text: str, start: int, end: int) -> int:
    """How many words of a stretch hint at somebody's health."""
    return places_of(text).hints(start, end) if _is_one_of_many(text, start, end) else health_hints(text[start:end])


def _is_one_of_many(text: str, start: int, end: int) -> bool:
    """Whether it is likely a row, or a few of them, of a long table."""
    return len(text) > _MISREAD_CHARS and end - start <= _ROWS_CHARS


def without_values(text: str, start: int, end: int, replaced: Sequence[tuple[int, int, str]]) -> str:
    """The stretch with a word in place of each value."""
    pieces: list[str] = []
    at = start
    for low, high, word in replaced:
        if at <= low and high <= end:
            pieces += (text[at:low], " ", word, " ")
            at = high
    return "".join((*pieces, text[at:end]))
