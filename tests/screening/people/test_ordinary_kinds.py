"""Kinds of text that tell of nobody's health, and patients in them who stay patients."""

import pytest

from core.records import Segment
from screening.screen import Screen

ORDINARY = {
    "made up": "Scenario: Mary Sloan has diabetes and a nurse opens her chart. Answer: a breach. Trainer: Tom Hart.",
    "fictional patient": "Patient: Mary Sloan (fictional), DOB 1971-02-03, asthma, salbutamol.",
    "animals": "Mary Sloan rang, her spaniel is vomiting since the puppy class, start metronidazole 250 mg.",
    "news": "Former senator Mary Sloan, 71, has asthma and was admitted on Monday, her spokesman said in a statement.",
    "sport": "Midfielder Tom Hart will miss the season with a hamstring tear, a blow before the league opener.",
    "notice": "Flu jabs and asthma checks, no appointment needed. Mary Sloan will be there.",
    "trade": "Warranty terms for the nebulizer (asthma), out of stock until May. Mary Sloan",
    "paper": "Abstract. We review asthma in a cohort of children. Mary Sloan",
    "directory": "Asthma and diabetes, accepting new, waitlist 4 months: Mary Sloan",
}
SPARED = {
    "animals": "Patient: Mary Sloan, bitten by a spaniel at the vets, rabies vaccine given, on amoxicillin.",
    "trade": "Mrs. Sloan fainted next to the roster board during her shifts, known epilepsy.",
    "paper": "Department of Cardiology. Correspondence about Mrs. Sloan: heart failure, on bisoprolol.",
}


@pytest.mark.parametrize("kind", ORDINARY)
def test_nobody_in_such_a_text_is_judged(kind: str, screen: Screen) -> None:
    assert not screen.screen([Segment("", ORDINARY[kind])]).candidates


@pytest.mark.parametrize("kind", SPARED)
def test_a_patient_in_it_is(kind: str, screen: Screen) -> None:
    assert screen.screen([Segment("", SPARED[kind])]).candidates
