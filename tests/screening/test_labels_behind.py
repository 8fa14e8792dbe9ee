"""A label between a name and a number belongs to neither, and a month below a heading for names is one."""

import pytest

from core.records import Role, Segment
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

SCREEN = Screen(load_rules(), b"k" * 32)


def found(text: str) -> list[tuple[str, str]]:
    return [(span.characteristic, text[span.start : span.end]) for span in SCREEN.spans(text)]


@pytest.mark.parametrize("label", ["DOB", "D.O.B.", "DOB:", "D.O.B.:"])
@pytest.mark.parametrize("between", [" ", ", "])
def test_a_date_of_birth_behind_a_name_makes_a_patient_and_no_doctor(label: str, between: str) -> None:
    text = f"Mary Sloan{between}{label} 03/04/1970 seen for asthma"
    assert found(text) == [("first_name", "Mary"), ("last_name", "Sloan"), ("birth_date", "03/04/1970")]
    (person,) = SCREEN.screen([Segment("", text)]).people
    assert person.role is Role.SUBJECT


@pytest.mark.parametrize(
    ("text", "characteristic"),
    [
        ("Tremblay Marie DDN 1970-04-03, asthme", "birth_date"),
        ("SLOAN MARY NHC 8841203, diabetes", "medical_record_number"),
    ],
)
def test_labels_of_other_languages(text: str, characteristic: str) -> None:
    names = [value for name, value in found(text) if name in ("first_name", "last_name")]
    assert names == text.split(" ")[:2]
    assert characteristic in dict(found(text))


def test_a_degree_is_one_still() -> None:
    assert found("Jane Whitfield, D.O., will see her.")[0] == ("health_professional_name", "Jane Whitfield")


def test_a_month_is_a_name_below_a_heading_for_names() -> None:
    table = "First name,Last name,DOB\nApril,Page,1970-03-04\nMary,Sloan,1971-02-03\n"
    assert found(table)[:2] == [("first_name", "April"), ("last_name", "Page")]
    assert len(SCREEN.screen([Segment("", table)]).people) == 2


def test_a_column_of_nhs_numbers_has_no_phone_numbers() -> None:
    table = "name,nhs no,dx\nMary Sloan,943 476 5919,asthma\nTom Hart,401 023 2137,flu\n"
    assert [name for name, value in found(table) if value[0].isdigit()] == ["nhs_number", "nhs_number"]
