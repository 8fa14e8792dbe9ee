"""A person's number with a date of birth and medical words is PHI without a name."""

import pytest

from core.records import Role, Screening, Segment
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

RULE = "number-with-health"
REPORT = "SSN 219-09-9998, DOB 01/02/1980. Diagnosed with type 2 diabetes, on metformin 500 mg."


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen(load_rules(), b"k" * 32)


def screened(screen: Screen, text: str) -> Screening:
    return screen.screen([Segment("", text)])


@pytest.mark.parametrize(
    "text",
    [
        REPORT,
        "ssn,dob,diagnosis\n219-09-9998,1980-02-01,type 2 diabetes\n219-09-9997,1971-02-01,HIV\n",
        "NHS number 943 476 5919, born 12/05/1971. Chest X-ray shows pneumonia; started on amoxicillin.",
        "S\u200bSN 219\u201109\u20119998, DOB 01/02/1980. Diagnosed with type 2 dia\u00adbetes.",
    ],
)
def test_the_number_stands_for_the_person(screen: Screen, text: str) -> None:
    found = screened(screen, text)
    assert found.positive
    assert RULE in {hit.rule for hit in found.rules}
    assert "subject-with-health" not in {hit.rule for hit in found.rules}
    (candidate,) = found.candidates
    assert candidate.role is Role.SUBJECT
    assert any(piece.start == candidate.person for piece in found.evidence)


def test_the_health_stage_reads_a_subject_and_no_value(screen: Screen) -> None:
    ((passage,),) = screen.passages_of_each([REPORT])
    assert "subjecttoken" in passage and "birthdatetoken" in passage
    assert "219" not in passage and "1980" not in passage


@pytest.mark.parametrize(
    "text",
    [
        "Employee record. SSN 219-09-9998, DOB 01/02/1980. Start date 3 May 2020. Salary 52,000.",
        "SSN 219-09-9998. Diagnosed with type 2 diabetes, on metformin 500 mg.",
        "DOB 01/02/1980. Diagnosed with type 2 diabetes, on metformin 500 mg.",
        "We may collect your Social Security number and date of birth to bill your plan for diabetes care.",
    ],
)
def test_each_of_the_three_is_needed(screen: Screen, text: str) -> None:
    assert RULE not in {hit.rule for hit in screened(screen, text).rules}


def test_who_is_named_is_judged_once(screen: Screen) -> None:
    found = screened(screen, f"Patient: Ann Miller, {REPORT}")
    assert len(found.candidates) == 1
    assert {RULE, "subject-with-health"} <= {hit.rule for hit in found.rules}


@pytest.mark.parametrize("mark", [" 0", " 1", " 7", " 12", "0", "1", " #3", " (2)"])
@pytest.mark.parametrize("name", ["John Smith", "SMITH, JOHN", "Carlos Ramirez", "Priya Patel", "Robert L. Jones"])
@pytest.mark.parametrize("tail", [", SSN 219-09-9998, DOB 01/02/1980, dx asthma", ", Dob 01/02/1980, dx asthma"])
def test_a_figure_behind_a_name_hides_nobody(screen: Screen, name: str, mark: str, tail: str) -> None:
    found = screened(screen, f"{name}{mark}{tail}")
    hits = {hit.rule for hit in found.rules}
    assert {"first-name", "last-name", "subject-with-health", "name-with-birth-date"} <= hits
    assert found.candidates[0].role is not Role.AUTHOR


@pytest.mark.parametrize(
    "authors", ["Mary Sloan1, Tom Hart2", "Mary Sloan 1,2, Tom B. Hart 3", "Mary Sloan1 and Tom Hart2"]
)
def test_authors_with_marks_stay_authors(screen: Screen, authors: str) -> None:
    text = f"Ferritin and restless legs\n{authors}\nInsomnia is common in patients with anemia.\n"
    assert [one for one in screened(screen, text).candidates if one.person < text.index("Tom")] == []


@pytest.mark.parametrize("text", ["Table 1, Figure 2: asthma", "Type 2, Grade 3, Stage 1", "Ubuntu Linux 22, Mac 12"])
def test_figures_behind_other_words_are_no_names(screen: Screen, text: str) -> None:
    assert [span for span in screen.spans(text) if span.characteristic in ("first_name", "last_name")] == []
