"""Words -> whether they are medical, and whether one of them hints at somebody's health."""

import gzip
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from screening.people.letter_runs import Meanings, letter_runs

_FILE = resources.files("screening") / "data" / "health_words.txt.gz"
# Words, and parts of words that are joined as `BloodGlucose` is.
_WORDS = re.compile(r"[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿœ]++|[A-ZÀ-ÖØ-Þ]{2,}+")
# A dose, a reading with its unit.
_FIGURES = re.compile(
    r"\d(?:\s?(?:mg|MG|Mg|mcg|MCG|µg|ml|ML|mL|mmol|umol|mmhg|mmHg|bpm|iu|IU|units|UNITS|puffs|tabs?|TABS?|tablets?|TABLETS?"
    r"|g/d[lL]|k/u[lL]|K/u[lL]|[uU]/[lL])|(?<=[aA]1)[cC]|(?<=[sS][pP][oO]2))\b"
)
# What every figure has: a unit; in `A1c`, `spo2`, `µg` and `K/uL` a run of letters is a part of it.
_UNIT = re.compile(
    r"mg|MG|Mg|mcg|MCG|g|ml|ML|mL|mmol|umol|mmhg|mmHg|bpm|iu|IU|units|UNITS|puffs|tabs?|TABS?|tablets?|TABLETS?|[kKuUcC]"
    r"|[sS][pP][oO]"
)
# Of a disease or a procedure; a sign first, because it is searched fast. In a claim diseases have no dot.
CODES = (re.compile(r"\.(?<=[A-TV-Z]\d[0-9A-Z]\.)[0-9A-Z]{1,4}\b"), re.compile(r"D\d{4}\b"))
IN_CLAIMS = (("HI*", re.compile(r"\bHI\*A?B[FJKN]:[A-TV-Z]\d")), ("*HC:", re.compile(r"\*HC:[A-Z\d]\d{4}\b")))
_HEALTH_HEADING = re.compile(  # a word of one
    r"diagnos\w*|diag|dx\d?|icd\w*|medications?|meds?|rx|drugs?|allerg\w*|symptoms?|condition|problems?|pblm|treatment|tx"
    r"|procedure|proc|cpt|test|result|lab|blood|vaccin\w*|illness|disease|injury|reason|absence|disability"
)
_ILLNESS_HEADING = re.compile(  # of a column in which whoever has an entry is ill, or was
    r"diagnos\w*|diag|dx\d?|icd\w*|medications?|meds?|rx|drugs?|allerg\w*|symptoms?|treatment|tx|vaccin\w*|illness|disease"
    r"|injury|disability"
)
_WORD = re.compile(r"[^\W_]+")


class _Words(NamedTuple):
    medical: frozenset[str]
    hints: frozenset[str]  # those of them that hint at somebody's health, in the plural too
    phrases: Mapping[str, tuple[str, ...]]  # that do so together, with blanks around them, by their last word


@cache
def _words() -> _Words:
    lines = gzip.decompress(_FILE.read_bytes()).decode().split("\n")
    hints = {line[1:] for line in lines if line.startswith("+") and " " not in line}
    phrases: dict[str, tuple[str, ...]] = {}
    for phrase in (line[1:] for line in lines if " " in line):
        last = phrase.rpartition(" ")[2]
        phrases[last] = (*phrases.get(last, ()), f" {phrase} ")
    medical = frozenset(line.removeprefix("+") for line in lines if " " not in line)
    return _Words(medical, frozenset(hints | {f"{word}s" for word in hints}), phrases)


def is_medical(word: str) -> bool:
    """Whether a word, in small letters, belongs to the language of medicine."""
    words = _words().medical
    return word in words or word.removesuffix("s") in words


def is_hint(word: str) -> bool:
    """Whether one word alone hints at somebody's health."""
    return word.lower() in _words().hints


class Meaning(NamedTuple):
    """What a run of letters adds: `BloodGlucose` has two words."""

    hints: tuple[str, ...]
    ends_phrase: bool
    is_unit: bool


def _meaning_of(run: str) -> Meaning | None:
    words = [word.lower() for word in _WORDS.findall(run)]
    hints = tuple(word for word in words if word in _words().hints)
    meaning = Meaning(hints, any(map(_words().phrases.__contains__, words)), _UNIT.fullmatch(run) is not None)
    return meaning if any(meaning) else None


MEANINGS = Meanings(_meaning_of)


@lru_cache(maxsize=1_024)  # a passage is asked about by several, one after the other
def health_hints(text: str) -> int:
    """A cheap look before the health stage: how many different words of it hint at somebody's health.

    Without any, a phrase, a figure with a unit or a code counts as one. Most passages that name somebody have none.
    """
    runs = letter_runs(text)
    if runs is None:
        words = _words_in(text)
        return len(_words().hints.intersection(words)) or int(_has_phrase(words) or _has_figure_or_code(text))
    meanings = MEANINGS.among(runs)
    if number := len({hint for meaning in meanings for hint in meaning.hints}):
        return number
    return int(
        (any(meaning.ends_phrase for meaning in meanings) and _has_phrase(_words_in(text)))
        or (any(meaning.is_unit for meaning in meanings) and _FIGURES.search(text) is not None)
        or _has_code(text)
    )


def _words_in(text: str) -> list[str]:
    return " ".join(_WORDS.findall(text)).lower().split(" ")


def _has_figure_or_code(text: str) -> bool:
    return _FIGURES.search(text) is not None or _has_code(text)


def _has_code(text: str) -> bool:
    return any(code.search(text) is not None for code in CODES) or any(
        part in text and code.search(text) is not None for part, code in IN_CLAIMS
    )


def _has_phrase(words: Sequence[str]) -> bool:
    phrases = _words().phrases
    lasts = phrases.keys() & words
    if not lasts:
        return False
    line = f" {' '.join(words)} "
    return any(phrase in line for last in lasts for phrase in phrases[last])


def hints_at_health(text: str, least: int = 1) -> bool:
    """Whether there are so many hints, or a figure with a unit, or a code."""
    number = health_hints(text)
    return number >= least or (number > 0 and _has_figure_or_code(text))


@lru_cache(maxsize=256)
def is_health_heading(heading: str) -> bool:
    """Whether a heading, such as that of a table, says that diagnoses, drugs or the like are below."""
    return any(map(_HEALTH_HEADING.fullmatch, _WORD.findall(heading.lower())))


@lru_cache(maxsize=256)
def is_illness_heading(heading: str) -> bool:
    """Whether only people who are ill, or take something, have anything below a heading of a column."""
    return any(map(_ILLNESS_HEADING.fullmatch, _WORD.findall(heading.lower())))
