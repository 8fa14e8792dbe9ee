"""In a list of people of whom only some are ill, those alone are judged and counted."""

import json

import pytest

from core.records import Candidate, Segment
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

SCREEN = Screen(load_rules(), b"k" * 32)
PEOPLE = ("Graham Oduya", "Lucia Ferrante", "Peter Wainwright", "Shona Baird", "Dmitri Volkov", "Hannah Lindqvist")
TELLS = (
    *("printer jams every morning", "calendar does not open", "dictation after carpal tunnel surgery on both wrists"),
    *("new laptop", "VPN drops", "needs a screen reader since her retinal detachment"),
)
ILL = {"Peter Wainwright", "Hannah Lindqvist"}


def in_form(form: str) -> str:
    pairs = list(zip(PEOPLE, TELLS, strict=True))
    if form == "table":
        rows = "".join(f"{10_231 + at},{who},{what},open\n" for at, (who, what) in enumerate(pairs))
        return f"id,requester,subject,status\n{rows}"
    if form == "table of names":  # which is cut into rows by its heading
        return "name,subject,parent\n" + "".join(f"{who},{what},Kate Turner\n" for who, what in pairs)
    if form == "lines":
        return "For Monday\n\n" + "".join(f"{who} - {what}\n" for who, what in pairs)
    return json.dumps({"tickets": [{"user": who, "text": what} for who, what in pairs]}, indent=1)


def candidates(text: str) -> tuple[Candidate, ...]:
    return SCREEN.find([Segment("", text)]).candidates


def named(text: str, found: tuple[Candidate, ...]) -> set[str]:
    places = [at for one in found for at in (one.person, *(at for at, _ in one.others))]
    return {next((name for name in PEOPLE if text.startswith(name, at)), "somebody else") for at in places}


@pytest.mark.parametrize("form", ["table", "table of names", "lines", "records"])
def test_only_who_is_ill_is_judged(form: str) -> None:
    text = in_form(form)
    found = candidates(text)
    assert named(text, found) == ILL
    assert len({one.passage.place for one in found}) == len(found) == len(ILL)
    for one in found:
        entry = text[one.passage.start : one.passage.end]
        assert sum(name in entry for name in PEOPLE) == 1
        assert bool(one.passage.carried) == form.startswith("table")


def test_rows_and_lines_are_named_by_their_number() -> None:
    assert [one.passage.place for one in candidates(in_form("table"))] == ["row 4", "row 7"]
    assert [one.passage.place for one in candidates(in_form("lines"))] == ["line 5", "line 8"]


def test_a_list_of_patients_stays_together() -> None:
    ill = ("asthma", "COPD", "", "migraine", "unwell", "pneumonia")
    text = "name,team,reason\n" + "".join(f"{who},red,{what}\n" for who, what in zip(PEOPLE, ill, strict=True))
    (found,) = candidates(text)
    assert found.passage.place == "rows 2 to 7"


@pytest.mark.parametrize(("cell", "is_ill"), [("Fnordia", True), ("none", False), ("", False), ("keine", False)])
def test_whoever_has_something_in_a_column_of_diagnoses_is_ill(cell: str, is_ill: bool) -> None:
    cells = ("", "none", "asthma", "-", "", cell)
    text = "name,team,allergies\n" + "".join(f"{who},red,{what}\n" for who, what in zip(PEOPLE, cells, strict=True))
    wanted = {"Peter Wainwright"} | ({"Hannah Lindqvist"} if is_ill else set())
    assert named(text, candidates(text)) == wanted


def test_minutes_that_come_back_to_somebody_stay_together() -> None:
    text = (
        "Present: Harriet Bloom, Jim Castle, Olga Petrenko\n"
        "Apologies: Arthur Penrose (in hospital after a stroke)\n\n"
        "1. Jim Castle reported that the roof was repaired.\n"
        "2. Olga Petrenko asked for a bench in the garden.\n"
        "3. Nina Vasquez collects money for flowers for Arthur Penrose.\n"
    )
    (found,) = candidates(text)
    assert text.startswith("Arthur Penrose", found.person) and found.passage.place == "text"


@pytest.mark.parametrize("told", ["had a heart attack in May", "is blind in one eye", "sufrió un ataque al corazón"])
def test_two_everyday_words_may_hint_together(told: str) -> None:
    assert candidates(f"Jill Farrow {told}.")
