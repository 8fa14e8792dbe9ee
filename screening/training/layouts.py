"""Layouts with blanks -> documents of many kinds with invented people, and the place of each name."""

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from screening.entities.runs import PERSON
from screening.training.labelled import ADDRESS, ORGANIZATION, PLACE, Labelled, Marked
from screening.training.people import Crowd, Person

SHIPPED_LAYOUTS = Path(__file__).parent / "data" / "layouts.txt"
_BLANK = re.compile(r"\{\{|\}\}|\{([a-z0-9]+)(?:\.([a-zA-Z]+))?\}|\{([A-Z]+)\}")
_REPEATED = re.compile(r"^\*(\d+) ")
_TITLES = {True: ("Mrs.", "Ms.", "Miss", "Mrs", "Ms"), False: ("Mr.", "Mr", "Mr.", "Mister")}
_KIN = {
    True: ("mother", "wife", "daughter", "sister", "aunt", "grandmother"),
    False: ("father", "husband", "son", "brother", "uncle", "neighbor"),
}
_JOBS = (
    "teacher",
    "plumber",
    "retired nurse",
    "student",
    "truck driver",
    "farmer",
    "lawyer",
    "baker",
    "engineer",
    "cook",
    "mason",
)
_DEGREES = ("MD", "M.D.", "RN", "DO", "NP", "PA-C", "LPN", "CRNA", "DDS", "PharmD", "LCSW", "Ph.D.")
_OF_TWO = ("double", "doublelast", "nick")  # names of two people make one
_SPEAKERS = ("Doctor", "Patient", "Nurse", "Client", "Therapist", "Caller", "Agent", "Speaker", "Guest")


@dataclass(frozen=True, slots=True)
class Layout:
    kind: str
    number: int
    body: str


@cache
def _fillings() -> dict[str, list[str]]:
    """Kind of blank -> what may fill it."""
    with SHIPPED_LAYOUTS.with_name("fillings.toml").open("rb") as file:
        return {name: lines.strip().split("\n") for name, lines in tomllib.load(file).items()}


def read_layouts(path: Path) -> list[Layout]:
    layouts: list[Layout] = []
    for block in path.read_text(encoding="utf-8").split("@@ ")[1:]:
        kind, _, body = block.partition("\n")
        layouts.append(Layout(kind.strip(), len(layouts), body.strip("\n")))
    return layouts


class _Page:
    """A document while it is written."""

    def __init__(self, crowd: Crowd, sentences: Sequence[str], chat: Sequence[str]) -> None:
        self.text = ""
        self.marked: list[Marked] = []
        self._crowd = crowd
        self._sentences = sentences
        self._chat = chat
        self._people: dict[str, Person] = {}

    def fresh_line(self) -> None:
        for name in [name for name in self._people if name.startswith("q")]:
            del self._people[name]

    def add(self, text: str, label: str | None = None) -> None:
        if label is not None:
            self.marked.append(Marked(len(self.text), len(self.text) + len(text), label))
        self.text += text

    def blank(self, name: str, form: str | None) -> None:
        if form is not None:
            self._person(self._people.setdefault(name, self._crowd.person()), form)
        else:
            self._value(name)

    def _person(self, person: Person, form: str) -> None:
        pronouns = {"he": ("he", "she"), "him": ("him", "her"), "his": ("his", "her")}
        if form in pronouns:
            self.add(pronouns[form][person.female])
            return
        if form == "titled":
            self.add(self._crowd.random.choice(_TITLES[person.female]) + " ")
            self.add(person.last, PERSON)
            return
        if form == "LASTFIRST":
            between = self._crowd.random.choice((" , ", ", ", ","))
            self.add(f"{person.last.upper()}{between}{person.first.upper()} {person.middle}", PERSON)
            return
        self.add(self._written(person, form), PERSON)

    def _written(self, person: Person, form: str) -> str:
        middle = f" {person.middle}." if self._crowd.random.random() < 0.15 else ""
        point = self._crowd.random.choice((".", ".", ""))
        whole = f"{person.first}{middle} {person.last}"
        space, between = self._crowd.random.choice((("", " "), ("", " "), (" ", " "), ("", "")))
        other = self._crowd.person() if form in _OF_TWO else person
        shapes = {
            "full": whole,
            "first": person.first,
            "last": person.last,
            "lastfirst": f"{person.last}, {person.first}{middle}",
            "initlast": f"{person.first[0]}{point} {person.last}",
            "initslast": f"{person.first[0]}.{space}{person.middle}.{between}{person.last}",
            "firstinit": f"{person.first} {person.last[0].upper()}{point}",
            "turned": f"{person.last} {person.first}",
            "turnedupper": f"{person.last} {person.first}".upper(),
            "turnedlow": f"{person.last} {person.first}".lower(),
            "cited": f"{person.last} {person.first[0].upper()}{self._crowd.random.choice((person.middle, ''))}",
            "lastinit": f"{person.last} {person.first[0]}{point}",
            "lastfirstupper": f"{person.last}, {person.first}{middle}".upper(),
            "lastfirstlow": f"{person.last}, {person.first}".lower(),
            "double": f"{person.first} {other.first} {person.last}",
            "doublelast": f"{person.first} {person.last} {other.last}",
            "nick": f'{person.first} "{other.first}" {person.last}',
            "mi": person.middle,
            "initials": f"{person.first[0]}{person.last[0]}",
            "upper": whole.upper(),
            "lastupper": person.last.upper(),
            "firstupper": person.first.upper(),
            "fulllow": whole.lower(),
            "firstlow": person.first.lower(),
            "lastlow": person.last.lower(),
        }
        return shapes[form]

    def _value(self, name: str) -> None:
        crowd = self._crowd
        upper, low = name.endswith("upper"), name.endswith("low")
        plain = name.removesuffix("upper").removesuffix("low")
        labelled = {
            "org": (crowd.organization, ORGANIZATION),
            "hospital": (crowd.hospital, ORGANIZATION),
            "city": (crowd.city, PLACE),
            "city2": (crowd.city, PLACE),
            "address": (crowd.address, ADDRESS),
        }
        if plain in labelled:
            draw, label = labelled[plain]
            value = draw()
            self.add(value.upper() if upper else value.lower() if low else value, label)
            return
        value = self._plain_value(plain.lower())
        self.add(value.upper() if upper or plain.isupper() else value.lower() if low else value)

    def _plain_value(self, name: str) -> str:
        number = self._crowd.random.randint
        choice = self._crowd.random.choice
        if name == "sentence":
            return choice(self._sentences)
        if name == "chat":
            return choice(self._chat)
        if name in _fillings():
            return choice(_fillings()[name])
        if name == "kin":
            return choice(_KIN[choice((True, False))])
        values: dict[str, Callable[[], str]] = {
            "phone": self._crowd.phone,
            "date": self._crowd.date,
            "mrn": lambda: f"{number(100000, 99999999)}",
            "email": self._crowd.email,
            "age": lambda: str(number(1, 99)),
            "num": lambda: str(number(1, 9999)),
            "time": lambda: f"{number(1, 12)}:{number(0, 59):02}",
            "sex": lambda: choice(("male", "female", "man", "woman")),
            "sexletter": lambda: choice("MF"),
            "job": lambda: choice(_JOBS),
            "degree": lambda: choice(_DEGREES),
            "speaker": lambda: choice(_SPEAKERS),
            "thing": self._crowd.thing,
            "one": self._crowd.word,
            "capital": lambda: self._crowd.word().upper(),
            "made": self._crowd.invented,
            "version": lambda: f"{number(0, 12)}.{number(0, 40)}.{number(0, 9)}",
            "acronym": lambda: "".join(choice("ABCDEFGHIKLMNOPRSTUVW") for _ in range(number(2, 4))),
            "code": lambda: self._crowd.invented() + choice(("", "stocks", "_final", "CL", "2", "_v3", "List")),
        }
        return values[name]()


def written(layout: Layout, crowd: Crowd, sentences: Sequence[str], chat: Sequence[str]) -> Labelled:
    page = _Page(crowd, sentences, chat)
    for number, line in enumerate(layout.body.split("\n")):
        if number:
            page.add("\n")
        repeated = _REPEATED.match(line)
        times = crowd.random.randint(2, 2 * int(repeated.group(1))) if repeated else 1
        for time in range(times):
            if time:
                page.add("\n")
                page.fresh_line()
            _fill(page, line[repeated.end() :] if repeated else line)
    return Labelled(layout.kind, f"layout {layout.number}", page.text, tuple(page.marked))


def _fill(page: _Page, line: str) -> None:
    at = 0
    for match in _BLANK.finditer(line):
        page.add(line[at : match.start()])
        at = match.end()
        if match.group() in ("{{", "}}"):
            page.add(match.group()[0])
        elif match.group(3):
            page.blank(match.group(3), None)
        else:
            page.blank(match.group(1), match.group(2))
    page.add(line[at:])
