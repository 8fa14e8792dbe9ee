"""A stretch of a text and the names in it -> whether its other words hint at somebody's health."""

from collections.abc import Sequence

from screening.people.health_words import hints_at_health
from screening.people.meant import with_joined_letters
from screening.people.mentions import Mention

_MISREAD_CHARS = 12_000  # a longer text is not searched for letters that a scanner read as two


def is_medical_stretch(text: str, start: int, end: int, mentions: Sequence[Mention]) -> bool:
    """Full names are left out of the look, as some of them are names of diseases too; `Corona` alone may be one."""
    if not hints_at_health(text[start:end]):
        return len(text) <= _MISREAD_CHARS and hints_at_health(with_joined_letters(text[start:end]))
    names = [(one.start, one.end, "") for one in mentions if one.is_full]
    return not names or hints_at_health(without_values(text, start, end, names))


def without_values(text: str, start: int, end: int, replaced: Sequence[tuple[int, int, str]]) -> str:
    """The stretch with a word in place of each value."""
    pieces: list[str] = []
    at = start
    for low, high, word in replaced:
        if at <= low and high <= end:
            pieces += (text[at:low], " ", word, " ")
            at = high
    return "".join((*pieces, text[at:end]))
