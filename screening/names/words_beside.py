"""data/beside_names.toml -> what French and Spanish have beside names: titles, offices, streets, firms, diseases."""

import re
import tomllib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib import resources

from screening.entities.words import plain_form

_FILE = resources.files("screening") / "data" / "beside_names.toml"
_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_LATIN = re.compile(r"[a-zß-öø-ÿœ]+")  # in half the time
_TELLING = ("places", "seats", "near", "houses", "things")
_RANKS = r"g[ée]n[ée]ral|coronel|colonel|mar[ée]chal|pr[ée]sidente?|comandante|capit[áa]n|docteur|doctora?|dra?"
_RANK = rf"(?:(?:{_RANKS})\b\.? )?"
_ADJECTIVES = r"(?: (?:general|universitari[oa]?|central|regional|cl[íi]nico|universitaire)){0,2}"
_FIRMS_BEFORE = r"(?:(?-i:[A-ZÀ-Þ])[\w'’&+.-]{1,20}(?: [\w'’&+-]{1,20}){0,2}(?:, | et | y ))*"  # sociétés A, B et
_NUMBER = r"n(?:[úu]m)?\.?[°ºo]? ?\d{1,3}"
# `C/ Mayor` is a street; `Pérez c/ Gómez` and `PÉREZ C/ GÓMEZ` are a case of one against the other.
_CALLE = r"(?-i:C/(?<![A-ZÀ-Þ] C/)|c/(?:(?<![^\W\d_] c/)|(?<= (?:en|la|de|el) c/))) ?"


_NOTHING: frozenset[int] = frozenset()
STREET, TOWN, NEAR, HOUSE, DISEASE = range(5)  # what a name behind a telling word is


@dataclass(frozen=True, slots=True)
class WordsBeside:
    """Of one language. Words are without accents."""

    titles: frozenset[str]
    offices: frozenset[str]  # are no part of the name
    houses: frozenset[str]
    beyond: frozenset[str]  # begin what is behind a name
    small: frozenset[str]
    articles: frozenset[str]
    telling: Mapping[str, Sequence[int]]  # word with or without accents -> what it may tell
    parts_of_telling: frozenset[str]  # looked for first
    patterns: Sequence[re.Pattern[str]]  # by what is told: from the telling word to where the name begins
    between: re.Pattern[str]  # the parts of one name

    def told(self, before: str) -> Set[int]:
        """What the words before a name tell of it."""
        if self.parts_of_telling.isdisjoint(_LATIN.findall(before.lower())):
            return _NOTHING
        return {
            kind
            for word in _WORD.finditer(before)
            for kind in self.telling.get(word[0].lower(), ())
            if self.patterns[kind].match(before, word.start())
        }


@cache
def words_beside(language: str) -> WordsBeside | None:
    groups = _document().get(language)
    if groups is None:
        return None
    places, seats, near, houses, things = (_any_of(groups[name]) for name in _TELLING)
    of = r"(?: (?:de|du|des|del|de la|de los|de las|de l['’]|d['’]))?"
    telling: dict[str, list[int]] = {"c": [STREET]}  # `c/`
    for kind, name in enumerate(_TELLING):
        for word in groups[name].split():
            for form in {word.removesuffix("."), plain_form(word.removesuffix("."))}:
                telling.setdefault(form, []).append(kind)
    return WordsBeside(
        titles=_plain(groups["titles"]),
        offices=_plain(groups["offices"]),
        houses=_plain(groups["houses"]),
        beyond=_plain(groups["beyond"]),
        small=_plain(groups["small"]),
        articles=_plain(groups["articles"]),
        telling=telling,
        parts_of_telling=frozenset(part for word in telling for part in _LATIN.findall(word)),
        patterns=(
            _pattern(rf"(?:{places}{of} |{_CALLE}){_RANK}$"),
            _pattern(rf"{seats}\b(?:[ '’](?:{_any_of(groups['of_seats'])}|{_NUMBER})){{0,6}} (?:{groups['of']}) ?$"),
            _pattern(rf"{near}(?: le \d{{1,2}} \w{{3,9}})? (?:{groups['at']}) ?$"),
            _pattern(rf"{houses}{_ADJECTIVES} {_RANK}[\"“«]? ?{_FIRMS_BEFORE}$"),
            _pattern(rf"{things}(?: \w{{1,12}})? (?:de |d['’]|del )$"),
        ),
        between=re.compile(rf" |-|\.[ -]?| (?:{groups['joining']}) ?"),
    )


@cache
def _document() -> dict[str, dict[str, str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _plain(words: str) -> frozenset[str]:
    return frozenset(plain_form(word.removesuffix(".")) for word in words.split())


def _any_of(words: str) -> str:
    """With and without accents; the point of an abbreviation may be left out."""
    forms = {re.escape(form) for word in words.split() for form in (word, plain_form(word))}
    return f"(?:{'|'.join(sorted(form + '?' if form.endswith('.') else form for form in forms))})"


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
