"""Names and addresses as they are written, for a list of letters."""

import pytest

from core.records import Span
from screening.people.mentions import Mention
from screening.people.persons import Places
from screening.people.written import written_in


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
        (
            "Ann Hill\nFlat 3, Hall Squares\nRichardview B4 2BL\n",
            {"B4 2BL": "postal_code"},
            "Flat 3, Hall Squares Richardview B4 2BL",
        ),
        ("Ann Hill, Studio 68, Clarke Circle", {"68, Clarke Circle": "street_address"}, "Studio 68, Clarke Circle"),
        ("Ann Hill\nAddress: 202 Alan Shoals, Rachelshire\n", {}, "202 Alan Shoals, Rachelshire"),
        ("Ann Hill\nHome address:\n7 Elm Rise\nLeeds\nPhone: none", {}, "7 Elm Rise, Leeds"),
        ("Ann Hill\nStreet: 7 Elm Rise\nCity: Leeds\nPostal code: LS1 4AP\n", {}, "7 Elm Rise, Leeds, LS1 4AP"),
        ("Oak Clinic, 5 High Street, Leeds LS1 4AP\nRe: Ann Hill", {"5 High Street": "street_address"}, ""),
        ("Oak Medical Centre\n5 High Street\nLeeds\n\nRe: Ann Hill", {"5 High Street": "street_address"}, ""),
        ('Name,Street,City,ZIP,Note\nAnn Hill,"5 Elm Way",Reno,89501,asthma\n', {}, "5 Elm Way, Reno, 89501"),
        ("Name;Adresse;Größe\nAnn Hill;Am Anger 5, Jena;170\n", {}, "Am Anger 5, Jena"),
        (
            "Ann Hill, health card number: 1234, lives at 81 Toby Alley, Scottshire E9W 8JB with a sister",
            {"1234": "health_card_number", "E9W 8JB": "postal_code"},
            "81 Toby Alley, Scottshire E9W 8JB",
        ),
        (
            "Ann Hill, 4 May 1947, 72899 Nicholson Drives Apt. 910, East Reno, BC G5G 2R8",
            {"4 May": "date", "G5G 2R8": "postal_code"},
            "72899 Nicholson Drives Apt. 910, East Reno, BC G5G 2R8",
        ),
        ("Address book of Ann Hill, 3 entries", {}, ""),
    ],
)
def test_an_address_from_its_street_or_its_line(text: str, parts: dict[str, str], address: str) -> None:
    names = ["Ann Hill"] if "Ann" in text else []
    (found,) = written_in(text, [places(text, names, parts)])
    assert "".join(found.addresses) == address


def test_the_fullest_name_and_every_address_once() -> None:
    text = "Ann Hill, 12 Oak Street. Mrs. Hill now lives at 7 Elm Road, before: 12 Oak Street. Ann Mary Hill signed."
    first, again = text.index("12 Oak"), text.rindex("12 Oak")
    spans = [Span(start, start + 13, "street_address", 1.0) for start in (first, again)]
    elm = text.index("7 Elm")
    spans.append(Span(elm, elm + 10, "street_address", 1.0))
    (found,) = written_in(text, [Places(places(text, ["Ann Hill", "Ann Mary Hill"], {}).mentions, spans)])
    assert found.name == "Ann Mary Hill"
    assert found.addresses == ("12 Oak Street", "7 Elm Road")
    assert "Hill" not in repr(found)


def test_a_label_is_of_whoever_was_named_last_and_last_names_come_last() -> None:
    text = "Hill, Ann\nContact: Bob Lee\nAddress: 7 Elm Rise, Leeds\n"
    ann, bob = (places(text, [name], {}) for name in ("Hill, Ann", "Bob Lee"))
    first, second = written_in(text, [ann, bob])
    assert (first.name, first.addresses) == ("Ann Hill", ())
    assert (second.name, second.addresses) == ("Bob Lee", ("7 Elm Rise, Leeds",))


@pytest.mark.parametrize(
    "text",
    [
        '{"last": "Hill",\n "first": "Ann", "street": "7 Elm Rise"}',
        "Last name: Hill\nFirst name: Ann\n",
        "Patient last name = Hill; patient given name = Ann",
        "<family>Hill</family><given>Ann</given>",
    ],
)
def test_labels_between_the_parts_of_a_name_are_no_part_of_it(text: str) -> None:
    spans = [
        Span(start, start + len(part), kind, 1.0)
        for part, kind in (("Hill", "last_name"), ("Ann", "first_name"))
        for start in (text.index(part),)
    ]
    mention = Mention(spans[0].start, spans[1].end, "hill\0ann", True, 1.0)
    (found,) = written_in(text, [Places([mention], spans)])
    assert found.name == "Ann Hill"
