"""A patient and an illness -> the sentences and tables that clinical documents are made of."""

from datetime import date
from random import Random

from leakscreen.demo.conditions import CONDITIONS, Condition, Lab
from leakscreen.demo.draft import Table
from leakscreen.demo.people import Person


def illness(dice: Random, patient: Person, on: date) -> Condition:
    """One that this person can have: nobody is pregnant at eighty. A mistyped birth may be after the visit."""
    age = max(0, patient.age(on))
    return dice.choice(
        [it for it in CONDITIONS if it.ages[0] <= age <= it.ages[1] and (patient.female or not it.women_only)]
    )


def aged(patient: Person, on: date) -> str:
    age = patient.age(on)
    return f"{'an' if age in (8, 11, 18) or 80 <= age < 90 else 'a'} {age}-year-old"


def story(dice: Random, patient: Person, condition: Condition, on: date) -> str:
    subject, weeks = patient.subject.capitalize(), dice.randint(2, 14)
    pieces = list(condition.course)
    dice.shuffle(pieces)
    opening = dice.choice(
        (
            f"{patient.formal} is {aged(patient, on)} who reports {condition.complaint} for {weeks} weeks.",
            f"{subject} noticed {condition.complaint} about {weeks} weeks ago.",
            f"This {patient.age(on)}-year-old patient presents with {condition.complaint}, going on for {weeks} weeks.",
        )
    )
    return f"{opening} Further history: {listed(pieces)}."


def vitals(dice: Random) -> str:
    pressure = f"{dice.randint(104, 168)}/{dice.randint(62, 98)}"
    pulse, temperature, weight = dice.randint(58, 108), dice.uniform(36.2, 38.6), dice.randint(48, 112)
    return f"Blood pressure {pressure}, pulse {pulse}, temperature {temperature:.1f}, weight {weight} kg."


def medicines(dice: Random, condition: Condition) -> list[str]:
    return dice.sample(condition.medicines, min(3, len(condition.medicines)))


def _value(dice: Random, lab: Lab) -> str:
    value = lab.usual * dice.uniform(0.88, 1.12)
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}"


def lab_table(dice: Random, labs: tuple[Lab, ...]) -> Table:
    rows = [("Test", "Result", "Unit", "Reference", "Flag")]
    for lab in labs:
        value = _value(dice, lab)
        flag = "H" if float(value) > lab.high else "L" if float(value) < lab.low else ""
        rows.append((lab.name, value, lab.unit, f"{lab.low:g} - {lab.high:g}", flag))
    return Table(tuple(rows))


def lab_sentence(dice: Random, condition: Condition) -> str:
    return "Laboratory: " + ", ".join(f"{lab.name} {_value(dice, lab)} {lab.unit}" for lab in condition.labs) + "."


def listed(items: tuple[str, ...] | list[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else items[0]


def sentences(items: tuple[str, ...]) -> str:
    return " ".join(f"{item[0].upper()}{item[1:]}." for item in items)
