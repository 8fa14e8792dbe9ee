"""In a list each line is about somebody else: all of them are affected, not only the likeliest."""

import pytest

from core.records import Segment
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

SCREEN = Screen(load_rules(), b"k" * 32)
DISEASES = ("asthma", "COPD", "migraine", "hypertension", "pneumonia", "depression")
FIRST = ("Maura", "Tony", "Farida", "Gus", "Leonora", "Chad", "Edith", "Curtis", "Shawna", "Hannah")
LAST = ("Kilbride", "Bascombe", "Rahimi", "Pappas", "Whyte", "Ostrander", "Pomeroy", "Malloy")

# The likeliest subject is in brackets twice, further people in brackets; others have none.
LISTS = {
    "lines": "rm 3 [Edith Pomeroy] 91 - fell 0215, skin tear\nrm 4 Mr [Achterberg] - ?uti, dipstick positive\n"
    "rm 7 [[Ines Fonseca]] - refused all meds, lorazepam given",
    "sentences": "Hi Dana, [[Marcus Oyelowo]] has epilepsy and needs Diastat on the bus. [Wren Castaldo] was just "
    "diagnosed with celiac. And [Jaylen Pruitt] is starting Vyvanse next week. Thx, Robin Hale",
    "a line without a word of illness, in a list of the ill": "1. [Shawna Teague] – 60 days!\n"
    "2. [Dominic Petrakis] – no show, relapse on fentanyl\n3. [[Hannah Voss]] – suboxone, needs refill",
    "staff and family": "Dr. Harriet Lowe asked me to see Mr. [[Benedict Okafor]] for abdominal pain. Discussed with "
    "Dr. Sam Pike. His wife, Grace Hill, drove him. CT shows appendicitis.",
    "streets in a table of patients": "Time,Patient,Date of birth,Address,Diagnosis\n"
    '08:00,[[Gerald Andrews]],1988-06-14,"8 Chloe Brook, Ballshire B0U 0TN",atrial fibrillation (I48.91)\n'
    '08:20,[Ronald Morgan],1962-07-31,"Flat 58, Walters Manor, North Jemma S5 5LR",chronic kidney disease (N18.4)\n',
    "the street of a doctor": "Dr. Jenna Mathis, Neurology, 02533 Debra Knoll, South Harold, ON B9P6R5\n\n"
    "Thank you for seeing [[Frances Randall]], a 60-year-old female with throbbing one-sided headaches.",
    "the signature of a doctor": "[[Justin Adams]], born 28/09/1959, has chronic kidney disease, takes sevelamer."
    "\n\nKimberly Castillo, Nephrology, General Hospital, 647 555 0105",
    "an illness that the model of names takes for a name": "Table 1: [[Irma Feldkamp]] - diabetic, minced\n"
    "         [Walter Nkemelu] - renal diet (dysphagia)\nTable 2: [Rosalind Achebe] - coeliac",
    "before the name": "Asthma: [[Kaylee Brandt]]\nSeizures: [Theo Marsh]\nBus driver is Tom Hart",
}


def unmarked(text: str) -> str:
    return text.replace("[", "").replace("]", "")


def names_in(text: str, places: list[int]) -> set[str]:
    return {" ".join(text[at : at + 40].replace(",", " ").split()[:2]) for at in places}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_further_people_of_whose_health_a_passage_tells(text: str) -> None:
    plain = unmarked(text)
    wanted = {
        " ".join(plain[plain.index(name) :].replace(",", " ").split()[:2])
        for name in (piece.partition("]")[0] for piece in text.split("[")[1:])
        if name
    }
    (candidate,) = SCREEN.find([Segment("", plain)]).candidates
    assert names_in(plain, [candidate.person, *(at for at, _ in candidate.others)]) == wanted


def test_offsets_of_others_are_those_of_the_text_as_it_was() -> None:
    plain = "\u200b" + unmarked(LISTS["lines"])
    (candidate,) = SCREEN.find([Segment("", plain)]).candidates
    assert {plain[at : at + 5] for at, _ in candidate.others} == {"Edith", "Achte"}


def appointments(count: int) -> str:
    rows = (f"{8 + at // 6}:{at % 6}0 {FIRST[at % 10]} {LAST[at // 10]} {DISEASES[at % 6]}" for at in range(count))
    return "Monday list\n\n" + "\n".join(rows) + "\n"


def test_a_long_list_of_patients_is_judged_a_few_lines_at_a_time() -> None:
    found = SCREEN.find([Segment("", appointments(60))])
    assert [candidate.passage.place for candidate in found.candidates][:2] == ["lines 1 to 6", "lines 7 to 12"]
    assert len(found.people) == 60


def test_a_list_of_people_without_illness_stays_in_one_piece() -> None:
    staff = "\n".join(f"{first} {last}, accounts" for first in FIRST for last in LAST[:2])
    (candidate,) = SCREEN.find([Segment("", staff + "\nThe flu shot is on Monday.")]).candidates
    assert candidate.passage.place == "text" and not candidate.others
