import time

import pytest

from screening.names.json_fields import named_fields


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"person": {"given": ["Ana"], "family" : "Ní Roe"}, "notes": "gout"}',
            ["first_name Ana", "last_name Ní", "last_name Roe"],
        ),
        ('{"patientLastName":\n "Roe", "pt_fname": "ana"}', ["last_name Roe", "first_name ana"]),
        ('{"name": "Blue Star", "title": "Ana Roe"}', []),
        (
            '{"mrn": 4471223, "patient_name": "Ana Roe", "dob":"1970-03-12", "ssn": "219-09-9999"}',
            [
                "medical_record_number 4471223",
                "first_name Ana",
                "last_name Roe",
                "birth_date 1970-03-12",
                "ssn 219-09-9999",
            ],
        ),
        ('{"chart": 4012, "member_id": "A77120", "display_name": "Ana Roe"}', []),  # nobody is named or born
        ('{"first": 1, "last": "2024-01-01", "surname": ""}', []),
    ],
)
def test_keys_say_what_values_are(text: str, expected: list[str]) -> None:
    spans = named_fields(text, bool)
    assert [f"{span.characteristic} {text[span.start : span.end]}" for span in spans] == expected


def test_a_value_that_lists_know_as_something_else_is_no_name() -> None:
    assert named_fields('{"first": "page", "last": "item"}', lambda word: False) == []


@pytest.mark.parametrize(
    "text",
    [
        '"mrn": "' + "1" * 300_000,
        '"dob": ' * 50_000 + "1970-01-01",
        '"a": ' * 100_000,
        '"family": [' * 50_000,
        '"' * 300_000 + ":",
        '"ab":' + " " * 300_000,
    ],
)
def test_hostile_fields_take_no_time(text: str) -> None:
    start = time.process_time()
    named_fields(text, bool)
    assert time.process_time() - start < 2
