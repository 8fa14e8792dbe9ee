"""The project's own passages -> texts as they leak and texts that merely look like it, with names filled in."""

import json
import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifiers.training.corpus import held_out

_FOLDER = Path(__file__).parent / "data"
TEMPLATES_FILE = _FOLDER / "own_passages.toml"
WRITTEN_FILE = _FOLDER / "own_passages.jsonl"  # whole texts, a JSON object a line: phi, kind, talk, judge, text
_BLANK = re.compile(r"\{(\w+)\}")
_NUMBERED = re.compile(r"\d$")
_LOWER, _UPPER = 0.12, 0.08  # shares of texts that are written all small, and all in capitals
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True, repr=False)
class OwnPassage:
    text: str
    is_personal: bool
    group: str  # texts of one template stay on the same side of a split
    is_talk: bool = False  # a mail, a chat or the like
    is_held_out: bool = False


def own_passages() -> list[OwnPassage]:
    return [*_filled(), *_written()]


def _written() -> Iterator[OwnPassage]:
    for number, line in enumerate(WRITTEN_FILE.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        group = f"{row['kind']}:{number}"
        yield OwnPassage(row["text"], row["phi"], group, row.get("talk", False), row.get("judge", False))


def _filled() -> Iterator[OwnPassage]:
    document = tomllib.loads(TEMPLATES_FILE.read_text(encoding="utf-8"))
    rng = random.Random(5)  # noqa: S311  not for secrets: the same texts every time
    for name in ("personal", "other"):
        for number, template in enumerate(document[name]):
            for _ in range(document["times"]):
                text = _fill(template, document["draw"], rng)
                group = f"{name}:{number}"
                text = _in_some_case(text, rng)
                yield OwnPassage(text, name == "personal", group, is_held_out=held_out(f"passages:{group}"))


def _fill(template: str, lists: Mapping[str, Sequence[str]], rng: random.Random) -> str:
    values: dict[str, str] = {}
    is_female = rng.random() < 0.5
    values["sex"] = "f" if is_female else "m"
    values["sex_word"] = "female" if is_female else "male"
    values["pronoun"] = "she" if is_female else "he"
    values["title"] = rng.choice(("Mrs", "Ms", "Miss") if is_female else ("Mr", "Mr."))

    def value(blank: str) -> str:
        if blank not in values:
            values[blank] = _value(blank, value, lists, rng)
        return _date(rng) if blank == "date" else values[blank]

    return _BLANK.sub(lambda match: value(match[1]), template)


def _value(blank: str, value: Callable[[str], str], lists: Mapping[str, Sequence[str]], rng: random.Random) -> str:
    if blank.isupper():
        return value(blank.lower()).upper()
    if blank[0].isupper():
        return value(blank.lower()).capitalize()
    if blank.endswith("_initial"):
        return value(blank.removesuffix("_initial"))[0]
    made: dict[str, Callable[[], str]] = {
        "age": lambda: str(rng.randint(2, 94)),
        "number": lambda: str(rng.randint(10_000, 99_999_999)),
        "phone": lambda: f"{rng.randint(201, 989)}-555-{rng.randint(100, 9_999):04}",
        "email": lambda: f"{value('first')}.{value('last')}@example.com".lower(),
        "clinic_email": lambda: "office@clinic.example",
        "doctor": lambda: f"Dr. {value('doctor_last')}",
        "birth_date": lambda: _birth_date(rng),
        "date": lambda: "",
    }
    if blank in made:
        return made[blank]()
    plain = _NUMBERED.sub("", blank).removeprefix("other_").removeprefix("doctor_")
    drawn = rng.choice(lists[plain])
    return drawn.replace("{a}", str(rng.randint(1, 9))).replace("{b}", str(rng.randint(0, 9)))


def _birth_date(rng: random.Random) -> str:
    year, month, day = rng.randint(1930, 2018), rng.randint(1, 12), rng.randint(1, 28)
    forms = (f"{year}-{month:02}-{day:02}", f"{month:02}/{day:02}/{year}", f"{day:02}/{month:02}/{year}")
    return rng.choice((*forms, f"{year}{month:02}{day:02}"))


def _date(rng: random.Random) -> str:
    year, month, day = rng.randint(2018, 2026), rng.randint(1, 12), rng.randint(1, 28)
    forms = (f"{year}-{month:02}-{day:02}", f"{month}/{day}/{year}", f"{day} {_MONTHS[month - 1]}", f"{month}/{day}")
    return rng.choice(forms)


def _in_some_case(text: str, rng: random.Random) -> str:
    drawn = rng.random()
    return text.lower() if drawn < _LOWER else text.upper() if drawn < _LOWER + _UPPER else text
