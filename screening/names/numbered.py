"""Text -> the same with blanks for a figure behind a name: `John Smith 1, SSN ...` names John Smith, whatever he is."""

import re
from collections.abc import Mapping

from screening.entities.gazetteer import ANY_FIRST, ANY_LAST, ANY_NAME, FIRST_SURE, LAST_SURE, commonness
from screening.entities.words import plain_form
from screening.names.figure_places import FigurePlaces

_FIGURE = re.compile(
    r"[0-9](?<=[A-Za-zÀ-ÿ #].)(?:(?<=[A-Za-zÀ-ÿ]{2} .)|(?<=[A-Za-zÀ-ÿ]{2}.)|(?<=[A-Za-zÀ-ÿ] #.))[0-9]{0,2}+"
    r"(?=[ \t]*(?:[,;:|)\t\r\n]|-[ \t]|$))"
)
_PART = r"[A-ZÀ-Þ](?:[^\W\d_]|['’-](?=[^\W\d_])){1,24}+"
_NAME = re.compile(rf"(?<![\w@.'’-])({_PART})(,? )(?:[A-ZÀ-Þ]\.? |(?:van|de|von|der|la|da) ){{0,2}}+$")
_LONGEST_PART = 26
_LOOKED_AT = 40  # characters before the last word
_RARE_FIRST, _RARE_LAST = 2, 3  # how common a word may be and still mostly be a name


def without_numbers(text: str, places: FigurePlaces, lists: Mapping[str, int]) -> str:
    """Only where lists have both words as a first and a last name: `Table 1` and `Type 2` stay as they are."""
    pieces: list[str] = []
    at = 0
    for place in places.numbering:
        if (figure := _FIGURE.match(text, place)) is None:
            continue
        end = place - (text[place - 1] == "#")
        end -= text[end - 1] == " "
        start = text.rfind(" ", max(at, end - _LONGEST_PART), end) + 1
        if not start or not text[start].isupper() or not lists.get(plain_form(text[start:end]), 0) & ANY_NAME:
            continue
        before = _NAME.search(text, max(at, start - _LOOKED_AT), start)
        if before is not None and _is_name(before[1], text[start:end], lists, turned="," in before[2]):
            pieces += (text[at:end], " " * (figure.end() - end))
            at = figure.end()
    return "".join((*pieces, text[at:])) if pieces else text


def _is_name(one: str, two: str, lists: Mapping[str, int], *, turned: bool) -> bool:
    first, last = (lists.get(plain_form(word), 0) for word in ((two, one) if turned else (one, two)))
    return bool(
        (first & FIRST_SURE or (first & ANY_FIRST and commonness(first) <= _RARE_FIRST))
        and (last & LAST_SURE or (last & ANY_LAST and commonness(last) <= _RARE_LAST))
    )
