"""A name in a text -> whether it is that of a street or a house, which are named after people."""

import re
from string import ascii_letters, digits

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
_FIGURES_OF_FLAT = 4
_BEFORE_WORDS = (" ", "-")
_ENDS_OF_LABELS = (" ", "/", "'", "’")
_BEHIND = _SURELY | _MOSTLY


def is_street(text: str, start: int, end: int) -> bool:
    """`Flat 59, Maple Street`, `Charles Dickens House`, `résidence Anne Frank`, `Karl Marx Allee`."""
    behind = _WORD_BEHIND.match(text, end) if text[end : end + 1] in _BEFORE_WORDS else None
    if behind is not None and behind[1].lower() in _BEHIND:
        return True
    last = text[start - 1 : start] if start else ""
    if last in _ENDS_OF_LABELS and _BEFORE.search(text[max(0, start - _CHARS) : start]) is not None:
        return True
    word, is_long = _last_word(text[start:end])
    if word in _SURELY or (is_long and word in _MOSTLY):
        return True
    return (
        last.isspace()
        and _may_be_flat(text[max(0, start - _CHARS_OF_NUMBER) : start - 1])
        and _FLAT.search(text[max(0, start - _CHARS) : start]) is not None
        and (word in _MOSTLY or word in _PERHAPS or _TOWN_AND_CODE.match(text, end, end + _CHARS_OF_TOWN) is not None)
    )


def _may_be_flat(before: str) -> bool:
    """Whether it may end with the number of a flat, which has at most four figures; an id in a table has more."""
    if not before.isascii():
        return True
    plain = before.rstrip(",")
    number = plain.rstrip(ascii_letters)
    figures = len(number) - len(number.rstrip(digits))
    return 0 < figures <= _FIGURES_OF_FLAT and len(plain) - len(number) <= 1


def _is_plain(first: str, last: str) -> bool:
    """One or two words of plain letters, as most names are."""
    return first.isascii() and last.isascii() and first.isalpha() and (not last or last.isalpha())


def _last_word(name: str) -> tuple[str, bool]:
    """In small letters, and whether there are more than two; empty where there is only one."""
    first, _, last = name.partition(" ")
    if _is_plain(first, last):
        return last.lower(), False
    words = _WORDS.findall(name.lower())
    return words[-1] if len(words) > 1 else "", len(words) > 2
