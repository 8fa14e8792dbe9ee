"""Two words that fill a cell of a table -> the parts of a name, without a look at the words around them."""

import re
from collections.abc import Sequence
from functools import partial

from screening.entities.people import FIRST_NAME, LAST_NAME, NamePart, is_degree, is_suffix

_EDGES = frozenset('\n\t,;|"')  # what parts cells: no title, degree or initial is behind it, but for a comma
_WORD = re.compile(r"[A-Za-z]+")
_part = partial(tuple.__new__, NamePart)  # half the time of NamePart(...)


def parts_in_cell(text: str, starts: Sequence[int], ends: Sequence[int]) -> tuple[NamePart, ...] | None:
    """Where the two words begin and end -> first and last name; None where anything else may matter."""
    low, high = starts[0], ends[1]
    if starts[1] - ends[0] != 1 or text[ends[0]] != " ":
        return None
    if (low and text[low - 1] not in _EDGES) or not _ends_cell(text, high):
        return None
    given, surname = text[low : ends[0]], text[starts[1] : high]
    if not (given.isalpha() and surname.isalpha() and given.istitle() and surname.istitle()):
        return None
    if len(given) == 1 or len(surname) == 1 or len(given) == len(surname) == 2:
        return None
    if is_suffix(given) or is_suffix(surname):
        return None
    return _part((low, ends[0], FIRST_NAME)), _part((starts[1], high, LAST_NAME))


def _ends_cell(text: str, end: int) -> bool:
    """Behind a comma a degree may follow, but not where a figure, a small letter or another word does."""
    behind = text[end : end + 2]
    if behind[:1] != ",":
        return not behind or behind[0] in _EDGES
    if not behind[1:].isascii() or not behind[1:].isalnum():
        return False
    if not behind[1:].isupper():
        return True
    word = _WORD.match(text, end + 1)
    return word is not None and not is_degree(word.group())
