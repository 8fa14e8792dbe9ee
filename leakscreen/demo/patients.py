"""A seed -> files about patients whose names are written in several ways, and who is in each: truth for linking.

Among the patients are twins, namesakes and couples. Names get initials, typing errors, capitals and maiden names; a
date of birth has a wrong digit now and then.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

from leakscreen.demo import clinical
from leakscreen.demo.formats import render
from leakscreen.demo.mail import render_mail
from leakscreen.demo.make import new_folder
from leakscreen.demo.people import Person, make_people
from leakscreen.demo.tree import clean

_TWINS, _NAMESAKES, _COUPLES = 0.02, 0.02, 0.05  # of the patients
_INITIAL, _TYPING_ERROR, _MAIDEN_NAME, _CAPITALS, _WRONG_BIRTH = 0.06, 0.08, 0.03, 0.05, 0.015  # of the mentions
_FORMS = {"pdf": "txt", "pptx": "html", "xlsx": "csv"}  # quick to make, and the names are the same
_AT_ONCE = 24  # people of whom a document is made
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NEXT_TO = {"a": "s", "e": "r", "i": "o", "o": "p", "n": "m", "m": "n", "t": "r", "r": "t", "s": "a", "l": "k"}


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Somebody who is or may be named in a file, as written there."""

    uri: str
    person: int
    first: str
    last: str
    born: date
    is_patient: bool  # whose health the file tells of; others are doctors, writers and contacts
    card: str  # the number of the health card, whether or not the file has it


def make_patients(folder: Path, *, patients: int = 300, files: int = 600, seed: int = 1) -> list[Mentioned]:
    """The same seed gives the same bytes under the same names."""
    root = new_folder(folder)
    dice = Random(seed)  # noqa: S311 - repeatable content, no secret
    everybody = population(dice, patients)
    maiden = {person.number: other.last for person, other in zip(everybody, make_people(dice, patients), strict=True)}
    mentioned: list[Mentioned] = []
    for number in range(files):
        template = clinical.TEMPLATES[number % len(clinical.TEMPLATES)]
        people = tuple(as_written(dice, person, maiden[person.number]) for person in dice.sample(everybody, _AT_ONCE))
        draft = template(dice, people)
        form = dice.choice(draft.formats)
        form = _FORMS.get(form, form)
        path = root / f"{number // 100:03}" / f"{number:05} {clean(draft.template)}.{form}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(render_mail(dice, draft, people, []) if form == "eml" else render(draft, form))
        patients_here = {person.number for person in draft.about}
        mentioned += [
            Mentioned(
                str(path),
                one.number,
                one.first,
                one.last,
                one.born,
                one.number in patients_here,
                one.health_card.partition(": ")[2],
            )
            for one in people
        ]
    return mentioned


def population(dice: Random, count: int) -> tuple[Person, ...]:
    """Patients with numbers from 1, some of them twins, namesakes or couples of the one before."""
    people = [replace(person, number=number) for number, person in enumerate(make_people(dice, count), 1)]
    for before, at in zip(range(0, count - 1, 2), range(1, count, 2), strict=False):
        one, other, chance = people[before], people[at], dice.random()
        if chance < _TWINS and other.first != one.first:
            people[at] = replace(other, last=one.last, born=one.born, street=one.street, city=one.city, phone=one.phone)
        elif chance < _TWINS + _NAMESAKES:
            people[at] = replace(other, first=one.first, last=one.last, female=one.female)
        elif chance < _TWINS + _NAMESAKES + _COUPLES:
            people[at] = replace(other, last=one.last, street=one.street, city=one.city, phone=one.phone)
    return tuple(people)


def as_written(dice: Random, person: Person, maiden_name: str) -> Person:
    """The person as somebody types it in."""
    first, last, born = person.first, person.last, person.born
    if person.female and dice.random() < _MAIDEN_NAME:
        last = maiden_name
    if dice.random() < _TYPING_ERROR:
        if dice.random() < 0.5:
            first = _mistyped(dice, first)
        else:
            last = _mistyped(dice, last)
    if dice.random() < _INITIAL:
        first = f"{first[0]}."
    if dice.random() < _CAPITALS:
        first, last = first.upper(), last.upper()
    if dice.random() < _WRONG_BIRTH:
        born = _wrong(dice, born)
    return replace(person, first=first, last=last, born=born)


def _mistyped(dice: Random, name: str) -> str:
    """Two letters exchanged, one left out, doubled, or hit beside; never the first."""
    if len(name) < 4:
        return name
    at = dice.randrange(1, len(name) - 1)
    letter = name[at]
    return dice.choice(
        (
            name[:at] + name[at + 1] + letter + name[at + 2 :],
            name[:at] + name[at + 1 :],
            name[:at] + letter + name[at:],
            name[:at] + _NEXT_TO.get(letter, dice.choice(_LETTERS)) + name[at + 1 :],
        )
    )


def _wrong(dice: Random, born: date) -> date:
    """Another year, or another day of the same month."""
    if dice.random() < 0.5 and (born.month, born.day) != (2, 29):
        return born.replace(year=born.year + dice.choice((-10, -1, 1, 10)))
    return born.replace(day=1) + timedelta(days=dice.randrange(28))
