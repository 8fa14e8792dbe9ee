"""A person -> another name of the same make: language, likely sex, capitals, initials."""

import tomllib
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from deidentification.people import INITIALS, PROFESSIONAL, SURNAME, Naming, Part, Person
from deidentification.surrogates.dice import Dice
from screening.privacy.person_keys import plain_name

_FILE = files("deidentification") / "data" / "names.toml"
_USUAL = "en"
_MOST_TURNS = 200
_GIVEN, _SURNAMES, _SECOND = "given", "surname", "second surname"


class _Lists(NamedTuple):
    female: tuple[str, ...]
    male: tuple[str, ...]
    surnames: tuple[str, ...]


@cache
def _lists() -> dict[str, _Lists]:
    data = tomllib.loads(_FILE.read_text("utf-8"))
    return {
        language: _Lists(*(tuple(table[key].split()) for key in ("female", "male", "surnames")))
        for language, table in data.items()
    }


@cache
def _sexes() -> dict[str, str]:
    """Given names that only women or only men of the lists have."""
    sexes: dict[str, str] = {}
    for lists in _lists().values():
        for sex, names in (("female", lists.female), ("male", lists.male)):
            for name in names:
                plain = plain_name(name)
                sexes[plain] = sex if sexes.get(plain, sex) == sex else ""
    return sexes


class SurrogateNames:
    """Seeded by the whole person: two of the same first name get different ones, so counts of names say nothing."""

    def __init__(self, dice: Dice, taken: Collection[str]) -> None:
        self._dice = dice
        self._taken = taken  # words of the folder's own names, which no surrogate may be

    def part(self, text: str, naming: Naming, part: Part, language: str) -> str:
        word = text[part.start : part.end]
        if _is_given(naming, part):
            name = self.given(naming.person, language)
            if part.kind == INITIALS or len(word) == 1:
                return name[0]
        else:
            surnames = [one for one in naming.parts if not _is_given(naming, one)]
            name = self.surname(naming.person, language, second=part is not surnames[0])
        return as_written(name, word)

    def given(self, person: Person, language: str) -> str:
        lists = _lists().get(language) or _lists()[_USUAL]
        sex = _sexes().get(person.given, "")
        names = lists.female if sex == "female" else lists.male if sex == "male" else lists.female + lists.male
        return self.pick(names, _GIVEN, *person)

    def surname(self, person: Person, language: str, *, second: bool = False) -> str:
        lists = _lists().get(language) or _lists()[_USUAL]
        return self.pick(lists.surnames, _SECOND if second else _SURNAMES, *person)

    def pick(self, words: Sequence[str], *seed: str) -> str:
        """One of the words that the folder itself does not have."""
        word = ""
        for turn in range(_MOST_TURNS):
            word = self._dice.choice(words, *seed, turn=turn)
            if plain_name(word) not in self._taken:
                break
        return word


def _is_given(naming: Naming, part: Part) -> bool:
    if part.kind == PROFESSIONAL:
        return part is not naming.parts[-1]
    return part.kind != SURNAME


def as_written(name: str, word: str) -> str:
    if len(word) > 1 and word.isupper():
        return name.upper()
    return name.lower() if word.islower() else name
