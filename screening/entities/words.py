"""A word -> the attributes that the model weighs, its class among 32, and flags for sentences and documents."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from screening.entities.gazetteer import (
    ANY_FIRST,
    ANY_LAST,
    ANY_NAME,
    ANY_PLACE,
    CITY,
    COMMON_MOST,
    COUNTRY,
    FIRST_SURE,
    FOREIGN,
    GERMAN,
    LAST_SURE,
    MEDICAL,
    TITLE_THERE,
    Gazetteer,
    commonness,
    lists_of,
)
from screening.entities.word_groups import cue_numbers, words_of

CLASSES = 32
CUES = 16
(
    BORDER, LINE, BLANK_LINE, COLUMN, COMMA, POINT, COLON, QUOTE, HYPHEN, OTHER_MARK,
    DIGITS_2, DIGITS_4, DIGITS_MORE, INITIAL, TITLE, PARTICLE, MONTH,
    CAP_FIRST, CAP_LAST, CAP_BOTH, CAP_PLACE, CAP_COMMON, CAP_UNSURE, CAP_UNKNOWN,
    UPPER_NAME, UPPER_COMMON, UPPER_OTHER, LOW_FIRST, LOW_LAST, LOW_COMMON, LOW_OTHER, ODD,
) = range(CLASSES)  # fmt: skip

# Flags of a word.
ENDS_LINE = 1
ENDS_SENTENCE = 2
LETTERS = 4
HAS_CAPITAL = 8
ALL_CAPITALS = 16
LEGAL = 32
CANDIDATE = 64  # could be part of a name: a sentence without any needs no decision
ANNOUNCES = 128  # comes before names: titles
UNKNOWN = 256  # in no list
ROLE = 512  # says who someone is, right before the name: `donor`
OF_ABROAD = 1024  # a common word of another language, and of English none
OF_GERMAN = 2048

_TITLES = words_of("titles")
_PARTICLES = words_of("particles")
_MONTHS = words_of("months")
_MONTHS_OR_WORDS = words_of("months_that_are_words")
_LEGAL = words_of("legal")
_ROLES = words_of("roles")
_CUES = cue_numbers()
_SPECIAL = _TITLES | _PARTICLES | _MONTHS | _LEGAL
_COMMON = 4  # on the scale of the gazetteer: every second page has it
_REMEMBERED_FORMS = 16_384  # words have few forms
_UPPERS = re.compile(r"[A-Z]+")
_LOWERS = re.compile(r"[a-z]+")

Cases = tuple[bool, bool, bool, bool]  # all capitals, a capital first, small letters behind it, all small letters


class Word(NamedTuple):
    form: tuple[str, ...]  # attributes that it shares with all words of its form and lists
    own: tuple[str, ...]  # those of its own; of words with a form, the letters that they are made of
    group: int
    flags: int
    cue: int


def describe(word: str, gazetteer: Gazetteer, *, hidden: bool = False) -> Word:
    """`hidden` leaves out whatever depends on having met the word before; training uses it to learn new names."""
    if not word[0].isalpha():
        return _white_space(word) if word.isspace() else _number(word) if word.isdecimal() else _mark(word)
    plain = plain_form(word)
    code = gazetteer.get(plain, 0) if not hidden else 0
    titled = code & TITLE_THERE
    shape = _shape(word)
    cases = word.isupper(), word[0].isupper(), word[1:].islower(), word.islower()
    special = TITLE if titled else _special_group(word, plain) if plain in _SPECIAL else 0
    form, group, flags = _described(shape, cases, code - titled, min(len(word), 10), special)
    if titled:
        flags |= ANNOUNCES
    if plain in _SPECIAL:
        flags |= _special_flags(plain)
    if plain in _ROLES:
        flags |= ROLE
    own = (plain,) if hidden else (plain, shape[:2])
    return Word(form, own, group, flags, _CUES.get(plain, 0))


def plain_form(word: str) -> str:
    """Small letters without accents and apostrophes, as the lists have it."""
    plain = word.lower()
    if plain.isascii():
        plain = plain.replace("'", "") if "'" in plain else plain
        return word if plain == word else plain  # one text for both takes less memory
    return "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c) and c not in "'’")


def has_small_letters(word: str) -> bool:
    """Whether a word is in capitals and can be written otherwise; single letters are initials rather than words."""
    return len(word) > 1 and word.isupper() and not word.lower().isupper()


def _white_space(word: str) -> Word:
    if "\n" not in word:
        return Word((), ("w=<column>",), COLUMN, 0, 0)
    blank = word.count("\n") > 1
    return Word((), ("w=<blank>",) if blank else ("w=<line>",), BLANK_LINE if blank else LINE, ENDS_LINE, 0)


def _number(word: str) -> Word:
    size = len(word)
    attributes = [f"w={word}" if size < 5 else "w=#", f"d={min(size, 9)}", "s=9"]
    if size == 4 and word[:2] in ("18", "19", "20"):
        attributes.append("year")
    if size < 3 and 0 < int(word) < 32:
        attributes.append("day")
    return Word((), tuple(attributes), DIGITS_2 if size < 3 else DIGITS_4 if size < 5 else DIGITS_MORE, 0, 0)


def _mark(word: str) -> Word:
    if word == ",":
        group = COMMA
    elif word[0] in ".!?;…":
        group = POINT
    elif word in ":|=":
        group = COLON
    elif word[0] in "'\"’“”‘()[]<>{}":
        group = QUOTE
    else:
        group = HYPHEN if word[0] in "-–—/_" else OTHER_MARK
    return Word((), (f"w={word[:3]}", "s=."), group, ENDS_SENTENCE if word[0] in ".!?" else 0, 0)


def _shape(word: str) -> str:
    """Xx, X, x, XxX ...: runs of capitals and of small letters; XX for a word of capitals alone."""
    if word.isupper():
        return "X" if len(word) == 1 else "XX"
    if word.isascii() and word.isalpha():
        if word.islower():
            return "x"
        if word[1:].islower():
            return "Xx"
    elif not word.isascii():
        word = "".join("A" if c.isupper() else "a" for c in word)
    return _LOWERS.sub("x", _UPPERS.sub("X", word))[:4]


@lru_cache(maxsize=_REMEMBERED_FORMS)
def _described(shape: str, cases: Cases, code: int, length: int, special: int) -> tuple[tuple[str, ...], int, int]:
    """The attributes that words of this form share, their class and their flags; `special`: a class from the lists."""
    group = special or _group(length == 1, cases, code)
    common = commonness(code)
    form = f"s={shape}", f"c={group}", f"g={lists_of(code)}", f"f={common}", f"sf={shape}{common}", f"l={length}"
    return form, group, _flags(length == 1, cases, code)


def _special_group(word: str, plain: str) -> int:
    """The class of titles, particles and months; 0 for what only looks like one."""
    if plain in _TITLES and word != "MS":
        return TITLE
    if len(word) == 1:
        return 0
    if plain in _PARTICLES:
        return PARTICLE
    if plain in _MONTHS and (word[0].isupper() or plain not in _MONTHS_OR_WORDS):
        return MONTH
    return 0


def _group(single: bool, cases: Cases, code: int) -> int:
    upper, capital, small_behind, small = cases
    if single:
        return INITIAL if upper else LOW_OTHER
    if upper:
        if code & ANY_NAME and commonness(code) < _COMMON:
            return UPPER_NAME
        return UPPER_COMMON if commonness(code) or code & MEDICAL else UPPER_OTHER
    if capital:
        return _capitalised(code) if small_behind or code else CAP_UNKNOWN
    if not small:
        return ODD
    if code & FIRST_SURE or (code & ANY_FIRST and not commonness(code)):
        return LOW_FIRST
    if code & ANY_LAST and commonness(code) < _COMMON:
        return LOW_LAST
    return LOW_COMMON if commonness(code) or code & MEDICAL else LOW_OTHER


def _capitalised(code: int) -> int:
    common = commonness(code) >= _COMMON
    if code & FIRST_SURE:
        return CAP_BOTH if code & LAST_SURE else CAP_FIRST
    if code & ANY_NAME:
        if common:
            return CAP_UNSURE
        if code & (CITY | COUNTRY):
            return CAP_PLACE
        return CAP_FIRST if code & ANY_FIRST else CAP_LAST
    if code & ANY_PLACE:
        return CAP_PLACE
    return CAP_COMMON if commonness(code) > 1 or code & MEDICAL else CAP_UNKNOWN


def _special_flags(plain: str) -> int:
    return (LEGAL if plain in _LEGAL else 0) | (ANNOUNCES if plain in _TITLES else 0)


def _flags(single: bool, cases: Cases, code: int) -> int:
    upper, capital, _, _ = cases
    flags = LETTERS | (HAS_CAPITAL if capital else 0)
    if upper and not single:
        flags |= ALL_CAPITALS
    if (
        (capital and commonness(code) < COMMON_MOST)
        or code & FIRST_SURE
        or (code & ANY_NAME and commonness(code) < _COMMON)
    ):
        flags |= CANDIDATE
    if not code:
        flags |= UNKNOWN
    return flags | (OF_ABROAD if code & FOREIGN else 0) | (OF_GERMAN if code & GERMAN else 0)
