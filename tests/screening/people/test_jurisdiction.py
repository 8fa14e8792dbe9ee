"""What is written with somebody shows the country, and the state or province."""

import pytest

from core.records import Span
from screening.people.jurisdiction import jurisdiction_of, read_jurisdictions


@pytest.mark.parametrize(
    ("text", "kind", "value", "where"),
    [
        ("Toronto, ON M5V 2T6", "postal_code", "M5V 2T6", ("CA", "ON")),
        ("x K1A 0B1", "postal_code", "K1A 0B1", ("CA", "ON")),
        ("Sun City, AZ 85351", "postal_code", "85351", ("US", "AZ")),
        ("Sun City, AZ", "city", "Sun City", ("US", "AZ")),
        ("Hamburg 20095", "postal_code", "20095", ("", "")),
        ("SW1A 1AA", "postal_code", "SW1A 1AA", ("GB", "")),
        ("(514) 555-0103", "phone_number", "(514) 555-0103", ("CA", "QC")),
        ("+1 212 555 0103", "phone_number", "+1 212 555 0103", ("US", "NY")),
        ("+44 20 7946 0617", "phone_number", "+44 20 7946 0617", ("GB", "")),
        ("0049 30 901820", "phone_number", "0049 30 901820", ("DE", "")),
        ("020 7946 0617", "phone_number", "020 7946 0617", ("", "")),
        ("078-05-1120", "ssn", "078-05-1120", ("US", "")),
        ("nothing", "organization_name", "nothing", ("", "")),
    ],
)
def test_one_thing_shows_where_somebody_is_from(text: str, kind: str, value: str, where: tuple[str, str]) -> None:
    at = text.index(value)
    assert jurisdiction_of(text, [Span(at, at + len(value), kind, 1.0)]) == where


def test_an_address_outweighs_a_phone_and_a_zip_code_gives_the_state_of_an_american() -> None:
    text = "Springfield, IL 62701, 212-555-0103"
    spans = [Span(0, 11, "city", 1.0), Span(23, 35, "phone_number", 1.0)]
    assert jurisdiction_of(text, spans) == ("US", "IL")
    text = "078-05-1120 62701"
    assert jurisdiction_of(text, [Span(0, 11, "ssn", 1.0), Span(12, 17, "postal_code", 1.0)]) == ("US", "IL")


def test_no_area_code_is_of_two_regions() -> None:
    known = read_jurisdictions()
    assert len(known.areas) > 350 and all(len(code) == 3 and code[0] not in "01" for code in known.areas)
    assert len(known.zips) > 850 and set(known.zips.values()) <= set(known.regions)
