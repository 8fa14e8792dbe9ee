"""A word -> the attributes that the model weighs, its class among 32, and the flags that steer sentences and documents."""

import re
import unicodedata
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
    LAST_SURE,
    MEDICAL,
    Gazetteer,
    commonness,
    lists_of,
)
from screening.entities.word_groups import cue_numbers, words_of

CLASSES = 32
CUES = 16
(
    BORDER, LINE, BLANK_LINE, COLUMN, COMMA, POINT, COLON, QUOTE, HYPHEN, OTHER_MARK, DIGITS_2, DIGITS_4, DIGITS_MORE, INITIAL, TITLE,
    PARTICLE,
    MONTH, CAP_FIRST, CAP_LAST, CAP_BOTH, CAP_PLACE, CAP_COMMON, CAP_UNSURE, CAP_UNKNOWN, UPPER_NAME, UPPER_COMMON, UPPER_OTHER, LOW_FIRST,
    LOW_LAST, LOW_COMMON, LOW_OTHER, ODD,
) = range(CLASSES)  # fmt: skip

# Flags of a word.
ENDS_LINE = 1
ENDS_SENTENCE = 2
LETTERS = 4
HAS_CAPITAL = 8
ALL_CAPITALS = 16
LEGAL = 32
CANDIDATE = 64  # could be part of a name: where none stands, there is no need to decide
ANNOUNCES = 128  # stands before names: titles
UNKNOWN = 256  # in no list

_TITLES = words_of("titles")
_PARTICLES = words_of("particles")
_MONTHS = words_of("months")
_MONTHS_OR_WORDS = words_of("months_that_are_words")
_LEGAL = words_of("legal")
_CUES = cue_numbers()
_COMMON = 4  # on the scale of the gazetteer: every second page has it
_UPPERS = re.compile(r"[A-Z]+")
_LOWERS = re.compile(r"[a-z]+")


class Word(NamedTuple):
    attributes: tuple[str, ...]
    group: int
    flags: int
    cue: int


def describe(word: str, gazetteer: Gazetteer, *, hidden: bool = False) -> Word:
    """`hidden` tells nothing that depends on having met the word before; training uses it so that new names are learned too."""
    if word.isspace():
        return _white_space(word)
    if word.isdecimal():
        return _number(word)
    if not word[0].isalpha():
        return _mark(word)
    plain = plain_form(word)
    code = gazetteer.get(plain, 0) if not hidden else 0
    group = _group(word, plain, code)
    return Word(tuple(_attributes(word, plain, code, group, hidden)), group, _flags(word, plain, code), _CUES.get(plain, 0))


def plain_form(word: str) -> str:
    """Small letters without accents and apostrophes, as the lists have it."""
    plain = word.lower()
    if plain.isascii():
        return plain.replace("'", "")
    return "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c) and c not in "'’")


def _white_space(word: str) -> Word:
    if "\n" not in word:
        return Word(("w=<column>",), COLUMN, 0, 0)
    blank = word.count("\n") > 1
    return Word(("w=<blank>",) if blank else ("w=<line>",), BLANK_LINE if blank else LINE, ENDS_LINE, 0)


def _number(word: str) -> Word:
    size = len(word)
    attributes = [f"w={word}" if size < 5 else "w=#", f"d={min(size, 9)}", "s=9"]
    if size == 4 and word[:2] in ("18", "19", "20"):
        attributes.append("year")
    if size < 3 and 0 < int(word) < 32:
        attributes.append("day")
    return Word(tuple(attributes), DIGITS_2 if size < 3 else DIGITS_4 if size < 5 else DIGITS_MORE, 0, 0)


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
    return Word((f"w={word[:3]}", "s=."), group, ENDS_SENTENCE if word[0] in ".!?" else 0, 0)


def _shape(word: str) -> str:
    """Xx, X, x, XxX ...: runs of capitals and of small letters."""
    if not word.isascii():
        word = "".join("A" if c.isupper() else "a" for c in word)
    return _LOWERS.sub("x", _UPPERS.sub("X", word))


def _attributes(word: str, plain: str, code: int, group: int, hidden: bool) -> list[str]:
    shape = "X" if len(word) == 1 and word.isupper() else "XX" if word.isupper() else _shape(word)[:4]
    common = commonness(code)
    lists = lists_of(code)
    found = [f"s={shape}", f"c={group}", f"g={lists}", f"f={common}", f"sf={shape}{common}", f"l={min(len(word), 10)}"]
    if not hidden:
        found.append(f"w={plain}")
        found.append(f"sw={shape[:2]}{plain}")
    if len(plain) > 2:
        found += (f"p2={plain[:2]}", f"x2={plain[-2:]}", f"p3={plain[:3]}", f"x3={plain[-3:]}")
        if len(plain) > 4:
            found += (f"p4={plain[:4]}", f"x4={plain[-4:]}")
    found.append(f"x1={plain[-1:]}")
    return found


def _group(word: str, plain: str, code: int) -> int:
    if plain in _TITLES and word != "MS":
        return TITLE
    if len(word) == 1:
        return INITIAL if word.isupper() else LOW_OTHER
    if plain in _PARTICLES:
        return PARTICLE
    if plain in _MONTHS and (word[0].isupper() or plain not in _MONTHS_OR_WORDS):
        return MONTH
    if word.isupper():
        if code & ANY_NAME and commonness(code) < _COMMON:
            return UPPER_NAME
        return UPPER_COMMON if commonness(code) or code & MEDICAL else UPPER_OTHER
    if word[0].isupper():
        return _capitalised(code) if word[1:].islower() or code else CAP_UNKNOWN
    if not word.islower():
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


def _flags(word: str, plain: str, code: int) -> int:
    capital = word[0].isupper()
    flags = LETTERS | (HAS_CAPITAL if capital else 0)
    if len(word) > 1 and word.isupper():
        flags |= ALL_CAPITALS
    if plain in _LEGAL:
        flags |= LEGAL
    if plain in _TITLES:
        flags |= ANNOUNCES
    if (capital and commonness(code) < COMMON_MOST) or code & FIRST_SURE or (code & ANY_NAME and commonness(code) < _COMMON):
        flags |= CANDIDATE
    if not code:
        flags |= UNKNOWN
    return flags
