"""The sentence that says first why a file was referred."""

from typing import Any

import pytest

from core.reasons import reason_sentence


def piece(characteristic: str, passage: str = "row 3,112", person: int | None = 1) -> dict[str, Any]:
    return {"characteristic": characteristic, "passage": passage, "person": person}


NAME = [piece("first_name"), piece("last_name")]


@pytest.mark.parametrize(
    ("strongest", "role", "evidence", "terms", "sentence"),
    [
        (
            "row 3,112",
            "subject",
            [*NAME, piece("birth_date"), piece("email", "row 9")],
            ["asthma", "wheezing"],
            "Row 3,112 names one patient with a birth date, and mentions 2 health terms: asthma, wheezing.",
        ),
        (
            "rows 2 to 4",
            "subject",
            [*(piece("last_name", "rows 2 to 4", person) for person in (1, 2, 3)), piece("sin", "rows 2 to 4")],
            ["asthma"],
            "Rows 2 to 4 name 3 patients with an SIN, and mention 1 health term: asthma.",
        ),
        (
            "rows 2 to 4",
            "subject",
            [
                {**piece("last_name", "rows 2 to 4", 1), "role": "subject"},
                {**piece("last_name", "rows 2 to 4", 2), "role": "professional"},
                {**piece("last_name", "rows 2 to 4", 3), "role": "author"},
            ],
            [],
            "Rows 2 to 4 name 3 people, one of them a patient.",
        ),
        (
            "paragraph 1",
            "author",
            [],
            [f"t{number}" for number in range(10)],
            "Paragraph 1 names one person (who wrote it), and mentions at least 10 health terms: "
            "t0, t1, t2, t3, t4, t5 and others.",
        ),
        (
            "row 3,112",
            "subject",
            [piece("ssn", person=0), piece("birth_date", person=0)],
            ["asthma"],
            "Row 3,112 names nobody, but has an SSN and a birth date, and mentions 1 health term: asthma.",
        ),
        (
            "lines 3 to 8",
            "subject",
            [
                {**piece("first_name", "lines 3 to 8", 0), "start": 0, "end": 4, "hmac": "mary", "role": "subject"},
                {**piece("last_name", "lines 3 to 8", 0), "start": 5, "end": 10, "hmac": "sloan", "role": "subject"},
                {**piece("last_name", "lines 3 to 8", 0), "start": 30, "end": 34, "hmac": "hart", "role": "subject"},
                {**piece("first_name", "lines 3 to 8", 0), "start": 36, "end": 39, "hmac": "tom", "role": "subject"},
                {**piece("first_name", "lines 3 to 8", 0), "start": 60, "end": 64, "hmac": "mary", "role": "subject"},
                {**piece("last_name", "lines 3 to 8", 0), "start": 65, "end": 70, "hmac": "sloan", "role": "subject"},
                {**piece("last_name", "lines 3 to 8", 0), "start": 80, "end": 84, "hmac": "pike", "role": "author"},
            ],
            ["asthma"],
            "Lines 3 to 8 name 3 people, 2 of them patients, and mention 1 health term: asthma.",
        ),
        ("character 1,200", None, [], [], "The passage at character 1,200 names one person."),
        ("after record 3", "other", [], [], "The text after record 3 names one person."),
        ("page 57", "subject", [], [], "Page 57 names one patient."),
        ("headers", "subject", [], [], "The headers name one patient."),
        (
            "text",
            "subject",
            [
                {**piece("last_name", "text", 1), "role": "subject"},
                {**piece("last_name", "text", 2), "role": "professional"},
                *(
                    piece(name, "text")
                    for name in ("hospital", "date", "phone_number", "birth_date", "ssn", "vehicle_id")
                ),
            ],
            ["# mg", "type # diabetes", "crohn s disease", "hiv infection"],
            "The text names 2 people, one of them a patient, with an SSN, a birth date, a phone number and a vehicle id"
            ", and mentions 3 health terms: type … diabetes, crohn's disease, HIV infection.",
        ),
        ("", "subject", NAME, ["asthma"], ""),
        (None, None, [], [], ""),
    ],
)
def test_the_reason_is_one_sentence(
    strongest: str | None, role: str | None, evidence: list[dict[str, Any]], terms: list[str], sentence: str
) -> None:
    assert reason_sentence(strongest, role, evidence, terms) == sentence


def test_names_and_vague_details_are_not_listed_and_evidence_of_older_results_is_borne() -> None:
    evidence = [*NAME, piece("quantity"), piece("phone_number"), {"characteristic": "email", "masked": "j***"}]
    assert reason_sentence("row 3,112", "subject", evidence, []) == ("Row 3,112 names one patient with a phone number.")


@pytest.mark.parametrize(("persons", "more"), [(496, " The whole file identifies 496 people."), (1, ""), (None, "")])
def test_people_elsewhere_in_the_file_are_counted(persons: int | None, more: str) -> None:
    assert reason_sentence("row 3,112", "subject", NAME, [], persons) == f"Row 3,112 names one patient.{more}"
