"""What a family publishes of somebody is no leak; a hospital's note about a death may be one."""

import pytest

from core.records import Segment
from screening.people.obituary import is_obituary
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

SCREEN = Screen(load_rules(), b"k" * 32)
OBITUARY = (
    "Mary Ellen Sloan, 81, passed away on 3 May 2023 at Riverside Hospital after a long fight with breast cancer. She"
    " was a nurse in oncology for 30 years. She is survived by her son Tom Sloan. In lieu of flowers, donations may be"
    " made to the hospice."
)


@pytest.mark.parametrize(
    "text",
    [
        OBITUARY,
        "Marie Tremblay s'est éteinte à Gatineau. Les obsèques auront lieu lundi. Condoléances à la famille.",
        "Karl Huber verstarb am 3. Mai. Die Trauerfeier ist am Montag. Statt Blumen bitten wir um Spenden.",
    ],
)
def test_obituaries_are_known_by_several_phrases(text: str) -> None:
    assert is_obituary(text)


@pytest.mark.parametrize(
    "text",
    [
        "Pt Mary Sloan passed away 04:10, family informed, funeral home called. Cause: metastatic breast cancer.",
        "Mary Sloan is seen for visitation rights; her mother passed away of asthma.",
    ],
)
def test_a_note_about_a_death_is_no_obituary(text: str) -> None:
    assert not is_obituary(text)


def test_nobody_in_an_obituary_is_a_candidate_for_the_health_stage() -> None:
    assert not SCREEN.screen([Segment("", OBITUARY)]).candidates
    labelled = OBITUARY.replace("Mary Ellen Sloan", "Patient: Mary Ellen Sloan")
    assert SCREEN.screen([Segment("", labelled)]).candidates


def test_an_obituary_in_a_long_text_of_patients_is_found_too() -> None:
    patients = "\n\n".join(
        f"Patient: {name} {surname} has had severe asthma since May and was admitted at night. " + "He " * 35
        for name in ("Tom", "Ann", "Bob", "Jane", "Paul", "Rita", "Hugo", "Vera", "Olaf", "Nina")
        for surname in ("Hart", "Keller", "Brown", "Lopez", "Moreau", "Novak", "Olsen", "Perry", "Quinn", "Russo") * 3
    )
    assert len(patients) > 50_000
    for text, is_found in ((OBITUARY, False), (OBITUARY.replace("survived", "loved").replace("In lieu", "No"), True)):
        candidates = SCREEN.screen([Segment("", f"{patients}\n\n{text}")]).candidates
        assert len(candidates) > 20
        assert any(candidate.passage.end > len(patients) + 10 for candidate in candidates) is is_found
