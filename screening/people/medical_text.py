"""A stretch of a text and the names in it -> whether its other words hint at somebody's health."""

from collections.abc import Sequence

from screening.people.health_words import health_hints, hints_at_health
from screening.people.hint_places import places_of
from screening.people.meant import with_joined_letters
from screening.people.mentions import Mention

_MISREAD_CHARS = 12_000  # a longer text is not searched for letters that a scanner read as two
_ROWS_CHARS = 750
Stretch = tuple[int, int]


def is_medical_stretch(text: str, start: int, end: int, mentions: Sequence[Mention]) -> bool:
    """Full names are left out of the look, as some of them are names of diseases too; `Corona` alone may be one."""
    if not hints_in(text, start, end):
        return len(text) <= _MISREAD_CHARS and hints_at_health(with_joined_letters(text[start:end]))
    names = [(one[0], one[1], "") for one in mentions if one.is_full and start <= one[0] and one[1] <= end]
    if not names:
        return True
    known = places_of(text).hints_outside(start, end, names) if _is_one_of_many(text, start, end) else None
    return hints_at_health(without_values(text, start, end, names)) if known is None else known


def medical_among(text: str, entries: Sequence[tuple[Stretch, Sequence[Mention]]]) -> list[bool]:
    """Of neighbouring stretches, each with the names in it, which are medical."""
    start, end = (entries[0][0][0], entries[-1][0][1]) if entries else (0, 0)
    places = places_of(text) if _is_one_of_many(text, start, end) else None
    words = None if places is None else places.words(start, end)
    names = [mention for _, mentions in entries for mention in mentions if mention.is_full]
    if words is None or places is None or not all(places.are_ends(name[0], name[1]) for name in names):
        return [is_medical_stretch(text, *stretch, mentions) for stretch, mentions in entries]
    words = [word for word in words if not any(name[0] <= word < name[1] for name in names)]
    return [any(low <= word < high for word in words) for (low, high), _ in entries]


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
