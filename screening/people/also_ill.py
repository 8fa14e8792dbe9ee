"""The people of a passage -> those beside its subject of whose health it tells too: a list has a line for each."""

import re
from collections.abc import Sequence
from itertools import pairwise

from core.records import Passage, Role
from screening.people.health_words import is_medical
from screening.people.medical_text import hints_in
from screening.people.mentions import Mention
from screening.people.patient_lists import begins_line
from screening.people.people_here import LEAST_ALONE, Person, least_alone
from screening.people.roles import names_department

_ENDS = re.compile(r"[.!?;](?=\s)|\n(?![a-z])")  # of what is said of somebody; a wrapped line goes on in small letters
_MAY_BE_ILL = (Role.SUBJECT, Role.RELATIVE, Role.OTHER)
_LEAST_LINES = 2
_WORD = re.compile(r"[^\W\d_]+")
_HOUSE_BEFORE = re.compile(
    r"[^\W_\n]\W{1,3}\d{1,6}[A-Za-z]? $"
)  # `Neurology, 02533 `; a line may begin with a bed's number
_TOWN_BEHIND = re.compile(r",? (?:Apt|Suite|Unit|Flat)\b|, [A-Z]")
_HOUSE_CHARS = 16


def also_ill(text: str, passage: Passage, people: Sequence[Person], subject: Person) -> list[Person]:
    """Whoever else may be meant and has a medical word of their own, or a line of their own in a list of the ill."""
    # Whatever is no name, such as `coeliac` behind one, is part of what is said of somebody.
    here = [
        person
        for person in people
        if person.mention.likelihood > 0 and passage.start <= person.mention.start < passage.end
    ]
    if passage.place.startswith("row"):
        here = _one_a_row(text, passage.start, here)
    if len(here) < 2:
        return []
    least = least_alone(text, passage)
    ends = [passage.start, *(person.mention.end for person in here)]
    starts = [*(person.mention.start for person in here), passage.end]
    ill = [
        _is_medical(text, end, after) or _is_medical_before(text, before, start)
        for before, start, end, after in zip(ends, starts, ends[1:], starts[1:], strict=False)
    ]
    listed = _listed(text, here, ill, subject)
    return [
        person
        for person, is_ill in zip(here, ill, strict=True)
        if (is_ill or person in listed)
        and person.mention.key != subject.mention.key
        and _may_be_ill(text, person, least)
    ]


def _one_a_row(text: str, start: int, here: Sequence[Person]) -> list[Person]:
    """A row of a table is about its subject, not the street where that lives (`8 Chloe Brook`), nor a parent.

    Without a subject it is about whoever is named first.
    """
    rows = [text.count("\n", start, person.mention.start) for person in here]
    taken = {row for row, person in zip(rows, here, strict=True) if person.role is Role.SUBJECT}
    kept = []
    for row, person in zip(rows, here, strict=True):
        if person.role is not Role.OTHER or row not in taken:
            kept.append(person)
        if person.role is Role.OTHER and person.mention.is_full:
            taken.add(row)
    return kept


def _may_be_ill(text: str, person: Person, least: float) -> bool:
    return (
        person.role in _MAY_BE_ILL
        and not (person.role is Role.OTHER and _is_street(text, person.mention))
        and not (person.role is Role.OTHER and names_department(text, person.mention.end))
        and not person.is_greeted
        and (person.mention.is_full or person.is_labelled)
        and person.may_be_subject(least)
        and not (
            person.role is Role.OTHER
            and person.likelihood < LEAST_ALONE
            and any(map(is_medical, _WORD.findall(person.mention.key)))  # `MR BRAIN`
        )
    )


def _is_street(text: str, mention: Mention) -> bool:
    """`Dr. Jenna Mathis, Neurology, 02533 Debra Knoll, South Harold`."""
    before = text[max(0, mention.start - _HOUSE_CHARS) : mention.start]
    return _HOUSE_BEFORE.search(before) is not None and _TOWN_BEHIND.match(text, mention.end) is not None


def _listed(text: str, here: Sequence[Person], ill: Sequence[bool], subject: Person) -> list[Person]:
    """Those who begin a line as the subject does, where most of such lines are medical."""
    lines = [at for at, person in enumerate(here) if begins_line(text, person.mention)]
    if len(lines) < _LEAST_LINES or not any(here[at].mention == subject.mention for at in lines):
        return []
    medical = sum(any(ill[low:high]) for low, high in pairwise([*lines, len(here)]))
    return [here[at] for at in lines] if medical >= max(_LEAST_LINES, len(lines) / 2) else []


def _is_medical(text: str, start: int, limit: int) -> bool:
    end = _ENDS.search(text, start, limit)
    return hints_in(text, start, end.start() if end else limit) > 0


def _is_medical_before(text: str, limit: int, start: int) -> bool:
    """What lies between two names in one sentence is told of the first of them."""
    begin = max((end.end() for end in _ENDS.finditer(text, limit, start)), default=limit)
    return begin > limit and hints_in(text, begin, start) > 0
