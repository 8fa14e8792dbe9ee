"""Streets and houses that are named after people are nobody."""

import pytest

from core.records import Segment
from screening.people.streets import is_street
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

SCREEN = Screen(load_rules(), b"k" * 32)

# The people are in brackets, and nobody else may be found.
TEXTS = (
    "Patient: [Gerald Andrews], DOB 14/06/1988, lives at Flat 59, Maple Street, Leeds. Type 2 diabetes, on metformin.",
    "Meals for: [Gerald Andrews], Flat 59 Rosemary Lane, phone 0113 496 0000, diabetic diet\n"
    "[Ruth Perry], Flat 6, Victoria House, phone 0113 496 0004, coeliac\n",
    "08:10 Flat 7, Charles Dickens House - [Ruth Perry], chest pain\n"
    "09:30 Room 4, Rose Marie Lodge - [Alan Stubbs], fall, hip fracture\n",
    "[Claire Dubois], résidence Anne Frank, boulevard Charles de Gaulle 4, Nantes; asthme sévère, tél 02 40 00 00 01",
    "Mme [Claire Dubois], apt. 7, place Pierre Semard, Nîmes - fracture de la hanche, tél. 04 66 00 00 01",
    "[Carmen Ortega], Apto 5, calle Miguel Hernández, Alicante, tel. 965 000 001. Asma grave, usa inhalador.",
    "[Sabine Roth], Karl Marx Allee 12, Berlin, Tel. 030 1234567, Brustkrebs, Chemotherapie",
    "[Sabine Roth], Whg. 12, Martin Luther Weg 4, Leipzig, Tel. 0341 123456, Asthma",
)


@pytest.mark.parametrize("marked", TEXTS)
def test_only_people_are_found(marked: str) -> None:
    wanted = [piece.partition("]")[0] for piece in marked.split("[")[1:]]
    text = marked.replace("[", "").replace("]", "")
    found = SCREEN.find([Segment("", text)])
    places = {at for person in found.people for at in person.mentions} | {one.person for one in found.candidates}
    assert {text.find(name) for name in wanted} == places


@pytest.mark.parametrize(
    "text",
    [
        "seen by <Diane Lane> today",
        "Flat 6, <Ruth Perry>, Asthma",
        "rm 4 <Tony Hall> - uti",
        "<Mary Ann Hill> has asthma",
        "<Karen House>, 44, depression",
        "sent via <Tom Hart> on Monday",
        "in the first place, <Tom Hart> fell",
        "<Ruth Perry>, Leeds 12",
        "We saw <Ruth Perry> drive home",
    ],
)
def test_people_who_are_named_like_streets_stay_people(text: str) -> None:
    start, end = text.index("<"), text.index(">") - 1
    assert not is_street(text.replace("<", "").replace(">", ""), start, end)
