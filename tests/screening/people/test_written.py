"""Names and addresses as they are written, for a list of letters."""

import pytest

from core.records import Span
from screening.people.mentions import Mention
from screening.people.persons import Places
from screening.people.written import written_of


def places(text: str, names: list[str], parts: dict[str, str]) -> Places:
    def at(value: str) -> tuple[int, int]:
        return text.index(value), text.index(value) + len(value)

    mentions = [Mention(*at(name), name.casefold(), True, 1.0) for name in names]
    return Places(mentions, [Span(*at(value), kind, 1.0) for value, kind in parts.items()])


@pytest.mark.parametrize(
    ("text", "parts", "address"),
    [
        (
            "Ann Hill, 12 Oak Street,\n  Toronto, ON M5V 2T6\n",
            {"12 Oak Street": "street_address", "Toronto": "city", "M5V 2T6": "postal_code"},
            "12 Oak Street, Toronto, ON M5V 2T6",
        ),
        ("Ann Hill lives at 12 Oak Street.", {"12 Oak Street": "street_address"}, "12 Oak Street"),
        ("Address: 6 Allen Falls, Joshburgh HS5 2DP", {"HS5 2DP": "postal_code"}, "6 Allen Falls, Joshburgh HS5 2DP"),
        (
            "Ann Hill;416-555-0143;6 Allen Falls;HS5 2DP",
            {"416-555-0143": "phone_number", "HS5 2DP": "postal_code"},
            "6 Allen Falls;HS5 2DP",
        ),
        ("Ann Hill, Toronto", {"Toronto": "city"}, ""),
    ],
)
def test_an_address_from_its_street_or_its_line(text: str, parts: dict[str, str], address: str) -> None:
    names = ["Ann Hill"] if "Ann" in text else []
    found = written_of(text, places(text, names, parts))
    assert "".join(found.addresses) == address


def test_the_fullest_name_and_every_address_once() -> None:
    text = "Ann Hill, 12 Oak Street. Mrs. Hill now lives at 7 Elm Road, before: 12 Oak Street. Ann Mary Hill signed."
    first, again = text.index("12 Oak"), text.rindex("12 Oak")
    spans = [Span(start, start + 13, "street_address", 1.0) for start in (first, again)]
    elm = text.index("7 Elm")
    spans.append(Span(elm, elm + 10, "street_address", 1.0))
    found = written_of(text, Places(places(text, ["Ann Hill", "Ann Mary Hill"], {}).mentions, spans))
    assert found.name == "Ann Mary Hill"
    assert found.addresses == ("12 Oak Street", "7 Elm Road")
    assert "Hill" not in repr(found)
