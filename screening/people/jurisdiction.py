"""What is written with somebody -> the country, and of the United States and Canada the state or province."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from core.records import Span
from screening.privacy.person_keys import digits_in

_CANADIAN = re.compile(r"[A-Z]\d[A-Z][ -]?\d[A-Z]\d", re.IGNORECASE)
_BRITISH = re.compile(r"[A-Z]{1,2}\d[A-Z\d]?\d? ?\d[A-Z]{2}", re.IGNORECASE)
_ZIP = re.compile(r"\d{5}(?:-\d{4})?")
_STATE_BEFORE = re.compile(r"\b([A-Z]{2})[ ,]{1,3}$")
_STATE_AFTER = re.compile(r",? ([A-Z]{2})\b")
_WRITTEN, _NUMBER, _PHONE = 4, 3, 2  # how much each shows: a phone may have moved with its owner
_AREA_DIGITS = 10
_WRITTEN_OR_DIALLED = ("phone_number", "postal_code", "city", "street_address")


class Jurisdictions(NamedTuple):
    numbers: Mapping[str, str]
    phones: Mapping[str, str]
    areas: Mapping[str, tuple[str, str]]
    canadian: Mapping[str, str]
    zips: Mapping[str, str]
    regions: Mapping[str, str]  # region -> country
    showing: frozenset[str]  # characteristics that show something


@cache
def read_jurisdictions() -> Jurisdictions:
    data = tomllib.loads(files("screening").joinpath("data", "jurisdictions.toml").read_text("utf-8"))
    countries = (("CA", data["canada"]["areas"]), ("US", data["us"]["areas"]))
    areas = {
        code: (country, region)
        for country, regions in countries
        for region, codes in regions.items()
        for code in codes.split()
    }
    zips = {
        f"{prefix:03}": state
        for state, reach in data["us"]["postal"].items()
        for prefix in range(int(reach[:3]), int(reach[4:]) + 1)
    }
    regions = {region: country for country, codes in countries for region in codes}
    showing = frozenset((*data["numbers"], *_WRITTEN_OR_DIALLED))
    return Jurisdictions(data["numbers"], data["phones"], areas, data["canada"]["postal"], zips, regions, showing)


def jurisdiction_of(text: str, spans: Iterable[Span]) -> tuple[str, str]:
    """Country and region that most speaks for; both empty where nothing shows them."""
    known = read_jurisdictions()
    countries: dict[str, int] = {}
    regions: dict[tuple[str, str], int] = {}
    for span in spans:
        if span[2] not in known.showing:
            continue
        country, region, weight = _shown(text, span, known)
        if country and weight:
            countries[country] = countries.get(country, 0) + weight
        if region:
            regions[country, region] = regions.get((country, region), 0) + max(weight, 1)
    if not countries:
        return "", ""
    country = max(countries, key=countries.__getitem__)
    own = [(count, region) for (of, region), count in regions.items() if of == country]
    return country, max(own)[1] if own else ""


def _shown(text: str, span: Span, known: Jurisdictions) -> tuple[str, str, int]:
    kind, value = span.characteristic, text[span.start : span.end]
    if kind == "phone_number":
        return (*_of_phone(value, known), _PHONE)
    if kind == "postal_code":
        written = _STATE_BEFORE.search(text, max(0, span.start - 6), span.start)
        if written is not None and written[1] in known.regions:
            return known.regions[written[1]], written[1], _WRITTEN
        return _of_postal_code(value, known)
    if kind in ("city", "street_address"):
        written = _STATE_AFTER.match(text, span.end)
        if written is not None and written[1] in known.regions:
            return known.regions[written[1]], written[1], _WRITTEN
        return "", "", 0
    return known.numbers.get(kind, ""), "", _NUMBER


def _of_phone(value: str, known: Jurisdictions) -> tuple[str, str]:
    digits = digits_in(value)
    opening = value.lstrip(" (")
    if opening.startswith(("+", "00")):
        digits = digits.removeprefix("00") if opening.startswith("00") else digits
        if not digits.startswith("1"):
            return next((known.phones[digits[:size]] for size in (3, 2) if digits[:size] in known.phones), ""), ""
    national = digits[1:] if len(digits) == _AREA_DIGITS + 1 and digits.startswith("1") else digits
    if len(national) == _AREA_DIGITS and not national.startswith("0"):
        return known.areas.get(national[:3], ("", ""))
    return "", ""


def _of_postal_code(value: str, known: Jurisdictions) -> tuple[str, str, int]:
    code = value.strip().upper()
    if _CANADIAN.fullmatch(code):
        return "CA", known.canadian.get(code[0], ""), _WRITTEN
    if _ZIP.fullmatch(code):  # five digits are usual in many countries, so they show the state, but no country
        return "US", known.zips.get(code[:3], ""), 0
    return ("GB", "", _WRITTEN) if _BRITISH.fullmatch(code) else ("", "", 0)
