"""Towns, addresses, organisations, mail and web addresses -> others of the same make that nobody has."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from deidentification.people import Person
from deidentification.surrogates.dice import Dice
from deidentification.surrogates.names import SurrogateNames, as_written
from deidentification.values import plain

_FILE = files("deidentification") / "data" / "places.toml"
_PROVINCES = files("deidentification") / "data" / "provinces.tsv"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NUMBER = re.compile(r"\d+")
_DOCUMENTATION = ("192.0.2", "198.51.100", "203.0.113")  # addresses that belong to nobody (RFC 5737)


@cache
def _words() -> dict[str, frozenset[str]]:
    data = tomllib.loads(_FILE.read_text("utf-8"))
    return {key: frozenset(data[key].split()) for key in ("of_streets", "of_organizations")}


@cache
def _towns() -> tuple[str, ...]:
    return tuple(tomllib.loads(_FILE.read_text("utf-8"))["towns"].split())


@cache
def _provinces() -> dict[str, str]:
    rows = (line.split("\t") for line in _PROVINCES.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {row[0]: row[1] for row in rows}


def province_of(town: str) -> str | None:
    """What is a province already stays one; None for a town that the list does not have."""
    name = " ".join(plain(word) for word in _WORD.findall(town))
    return town if name in _province_names() else _provinces().get(name)


@cache
def _province_names() -> frozenset[str]:
    return frozenset(plain(name) for name in _provinces().values())


class SurrogatePlaces:
    def __init__(self, dice: Dice, names: SurrogateNames) -> None:
        self._dice = dice
        self._names = names

    def town(self, value: str) -> str:
        return as_written(self._names.pick(_towns(), "town", plain(value)), value)

    def address(self, value: str, language: str) -> str:
        """Other numbers, and another name in place of the words that are not `Street` and the like."""
        person = Person("street", plain(value))
        named = False

        def word(match: re.Match[str]) -> str:
            nonlocal named
            text = match.group()
            if plain(text) in _words()["of_streets"]:
                return text
            if named:
                return ""
            named = True
            return as_written(self._names.surname(person, language), text)

        numbered = _NUMBER.sub(lambda match: self._number(match.group(), plain(value)), value)
        return _tidy(_WORD.sub(word, numbered))

    def organization(self, value: str, language: str) -> str:
        """`Ottawa General Hospital` becomes `Millbrook General Hospital`; without such a word, a town and `Group`."""
        kept = [word for word in _WORD.findall(value) if plain(word) in _words()["of_organizations"]]
        town = self._names.pick(_towns(), "organization", plain(value))
        return as_written(" ".join([town, *kept] if kept else [town, "Group"]), value)

    def email(self, value: str) -> str:
        names = _towns()
        seed = value.casefold()
        return f"{self._dice.choice(names, 'mail', seed).lower()}{self._dice.number(10_000, 'mail', seed)}@example.org"

    def url(self, value: str) -> str:
        scheme = re.match(r"[a-z]+://", value, re.IGNORECASE)
        return f"{scheme.group() if scheme else ''}example.org/{self._dice.number(1_000_000, 'url', value)}"

    def ip(self, value: str) -> str:
        if ":" in value:
            return f"2001:db8::{self._dice.number(65_536, 'ip', value):x}"
        return f"{self._dice.choice(_DOCUMENTATION, 'ip', value)}.{1 + self._dice.number(254, 'ip', value)}"

    def _number(self, digits: str, seed: str) -> str:
        lowest = 10 ** (len(digits) - 1)
        return str(lowest + self._dice.number(9 * lowest, "address", digits, seed))


def _tidy(text: str) -> str:
    """Without the marks that stood between words that are gone."""
    text = re.sub(r"[|^~&*\\]", " ", text)
    return re.sub(r" {2,}", " ", re.sub(r" +,", ",", text)).strip(" ,;")
