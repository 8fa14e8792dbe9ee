"""Census counts -> what a word can be as a name: first, last, and how surely."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from screening.ruleset.definitions import NameCues

FIRST = 1
LAST = 2
SURE_FIRST = 4  # a first name, and no ordinary word or place
SURE_LAST = 8
TITLE = 16  # what comes before a name

FIRST_FILES = ("dist.male.first", "dist.female.first")
LAST_FILE = "dist.all.last"
ORDINARY_FILE = resources.files("screening.training") / "data" / "ordinary_names.tsv"
WORDS_FILE = resources.files("screening.training") / "data" / "name_words.toml"


@dataclass(frozen=True, slots=True)
class NameWords:
    """Words around names and names that mean something else, as the training alone needs them."""

    titles: tuple[str, ...]
    places: tuple[str, ...]
    place_starts: tuple[str, ...]
    ordinary: tuple[str, ...]


@cache
def name_words() -> NameWords:
    lists = tomllib.loads(WORDS_FILE.read_text(encoding="utf-8"))["names"]
    return NameWords(**{name: tuple(words) for name, words in lists.items()})


def census_shares(file: str) -> dict[str, float]:
    """Name in small letters -> its share of the population in per cent."""
    lines = (resources.files("names") / file).read_text(encoding="ascii").splitlines()
    fields = (line.split() for line in lines)
    return {name.lower(): float(share) for name, share, *_ in fields}


@cache
def lexicon(cues: NameCues) -> dict[str, int]:
    """Every known name -> the sum of its flags."""
    ordinary_first, ordinary_last = ordinary_names()
    words = name_words()
    unsure = {*words.places, *words.ordinary}
    flags: dict[str, int] = {}
    for file in FIRST_FILES:
        for name in census_shares(file):
            flags[name] = FIRST | (0 if name in unsure or name in ordinary_first else SURE_FIRST)
    for name in census_shares(LAST_FILE):
        flags[name] = flags.get(name, 0) | LAST | (0 if name in unsure or name in ordinary_last else SURE_LAST)
    for word in cues.never:
        flags.pop(word, None)
    for word in words.titles:
        flags[word] = flags.get(word, 0) | TITLE
    return flags


@cache
def written_forms(cues: NameCues) -> dict[str, int]:
    """The same flags by the ways a name is written with a capital: Sloan, SLOAN, McCoy."""
    forms: dict[str, int] = {}
    for name, flags in lexicon(cues).items():
        forms[name.capitalize()] = forms[name.upper()] = flags
        if name.startswith("mc") and len(name) > 4:
            forms["Mc" + name[2:].capitalize()] = flags
    return forms


@cache
def ordinary_names() -> tuple[frozenset[str], frozenset[str]]:
    first, last = set(), set()
    for line in ORDINARY_FILE.read_text(encoding="utf-8").splitlines():
        name, _, roles = line.partition("\t")
        if "f" in roles:
            first.add(name)
        if "l" in roles:
            last.add(name)
    return frozenset(first), frozenset(last)
