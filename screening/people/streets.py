"""A name in a text -> whether it is that of a street or a house, which are named after people."""

import re

# Hardly anybody bears these.
_SURELY = frozenset(
    (
        *("allee", "platz", "straße", "strasse", "str", "gasse", "damm", "ufer", "mews", "avenue", "ave"),
        *("boulevard", "blvd", "road", "rd", "crescent", "terrace", "highway", "parkway", "drive", "towers"),
        *("gardens", "apartments"),
    )
)
# Some do, but not behind two other names.
_MOSTLY = frozenset(
    (
        *("house", "lodge", "manor", "court", "street", "villa", "villas", "building", "square", "mansion"),
        *("mansions", "weg", "hof"),
    )
)
# Many do; behind the number of a flat they are streets all the same.
_PERHAPS = frozenset(
    (
        *("lane", "hill", "grove", "green", "hall", "brook", "close", "way", "walk", "row", "place", "park"),
        *("ring"),
    )
)
_WORD_BEHIND = re.compile(r"[ -]([A-ZÀ-Þ][^\W\d_]+)")
_WORDS = re.compile(r"[^\W_]+")
_TOWN_AND_CODE = re.compile(r", [A-Z][a-zß-ÿ]+(?:[ -][A-Z][a-zß-ÿ]+)*,? [A-Z]{0,2}\d")
_FLAT = re.compile(
    r"\b(?:flat|apartment|apt|appt|appartement|apto|apartamento|piso|wohnung|whg)\.?[ ]?#?\d{1,4}[a-z]?,?\s$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:(?:\b(?:rue|avenue|boulevard|place|impasse|allée|chemin|quai|square|résidence|calle|avenida|plaza|paseo|residencia"
    r"|haus|rua|praça|piazza|viale|corso)|\b(?:av|bd|avda|pza)\.|\bc/) ?(?:de la |de |du |des |del |d['’])?)$",
    re.IGNORECASE,
)
_CHARS = 28  # before and behind a name that are looked at
_CHARS_OF_TOWN = 60
_CHARS_OF_NUMBER = 7
_ENDS_OF_LABELS = (" ", "/", "'", "’")
_BEHIND = _SURELY | _MOSTLY


def is_street(text: str, start: int, end: int) -> bool:
    """`Flat 59, Maple Street`, `Charles Dickens House`, `résidence Anne Frank`, `Karl Marx Allee`."""
    behind = _WORD_BEHIND.match(text, end)
    if behind is not None and behind[1].lower() in _BEHIND:
        return True
    before = text[max(0, start - _CHARS) : start]
    if before[-1:] in _ENDS_OF_LABELS and _BEFORE.search(before) is not None:
        return True
    words = _WORDS.findall(text[start:end].lower())
    word = words[-1] if len(words) > 1 else ""
    if word in _SURELY or (word in _MOSTLY and len(words) > 2):
        return True
    return (
        any(map(str.isdigit, before[-_CHARS_OF_NUMBER:]))
        and _FLAT.search(before) is not None
        and (word in _MOSTLY or word in _PERHAPS or _TOWN_AND_CODE.match(text, end, end + _CHARS_OF_TOWN) is not None)
    )
