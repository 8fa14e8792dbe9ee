"""Identifiers are tied to the person that they are told of, and to nobody where that cannot be told."""

import re
import time

import pytest

from core.records import Risk, Segment, Span
from screening.findings import merged
from screening.ruleset.ruleset import load_rules
from screening.same_person import SamePerson, sections_of
from screening.screen import Screen

RULES = load_rules()
SCREEN = Screen(RULES, b"k" * 32)
FILLER = "The committee met again and spoke about the weather for a long time. " * 40


def marked(text: str) -> tuple[str, list[Span]]:
    """`[first_name:Mary]` marks a span."""
    plain, spans = "", []
    while text:
        before, opening, rest = text.partition("[")
        plain += before
        if not opening:
            break
        inner, _, text = rest.partition("]")
        characteristic, _, value = inner.partition(":")
        spans.append(Span(len(plain), len(plain) + len(value), characteristic, 1.0))
        plain += value
    return plain, spans


CASES = [
    ("[first_name:Mary] [last_name:Sloan], SIN [sin:1]", ["mary sloan"] * 3),
    ("SIN [sin:1] of [first_name:Mary] [last_name:Sloan]", ["mary sloan"] * 3),
    ("[last_name:SLOAN] , [first_name:MARY] [initials:E]\nphone [phone_number:2]", ["mary sloan"] * 4),
    (
        "[first_name:Mary] [last_name:Sloan] saw [first_name:Tom] [last_name:Hart], SIN [sin:1]",
        ["mary sloan"] * 2 + ["tom hart"] * 3,
    ),
    (
        "[first_name:Mary] [last_name:Sloan] and [first_name:Tom] [last_name:Hart]",
        ["mary sloan"] * 2 + ["tom hart"] * 2,
    ),
    (
        "[first_name:Mary];[last_name:Sloan];[sin:1]\n[first_name:Tom] [last_name:Hart];[sin:2]\n",
        ["mary", "sloan", "sloan", "tom hart", "tom hart", "tom hart"],
    ),
    (
        "[first_name:Mary] [last_name:Sloan]\t[sin:1]\n[first_name:Tom] [last_name:Hart]\t[sin:2]\n",
        ["mary sloan"] * 3 + ["tom hart"] * 3,
    ),
    ("[first_name:Mary] [last_name:Sloan] came. Mrs. [last_name:Sloan] has SIN [sin:1]", ["mary sloan"] * 4),
    (f"[first_name:Mary] [last_name:Sloan]\n\n\n{FILLER}[sin:1]", ["mary sloan"] * 2 + [""]),
    (f"[first_name:Mary] [last_name:Sloan] {FILLER}[sin:1]", ["mary sloan"] * 3),
    (
        f"[first_name:Mary] [last_name:Sloan], [first_name:Tom] [last_name:Hart] {FILLER}[sin:1]",
        ["mary sloan"] * 2 + ["tom hart"] * 2 + [""],
    ),
    ("[sin:1] [phone_number:2]", ["", ""]),
    (  # numbers above the names
        "MRN: [medical_record_number:7]\nPatient: [first_name:Mary] [last_name:Sloan]\nborn [birth_date:1]\nDx: gout\n"
        "MRN: [medical_record_number:8]\nPatient: [first_name:Tom] [last_name:Hart]\nborn [birth_date:2]\n",
        ["mary sloan"] * 4 + ["tom hart"] * 4,
    ),
    (
        "Phone: [phone_number:7]\nPatient: [first_name:Mary] [last_name:Sloan]\n \n"
        "Phone: [phone_number:8]\nPatient: [first_name:Tom] [last_name:Hart]\n",
        ["mary sloan"] * 3 + ["tom hart"] * 3,
    ),
    (
        '{"mrn": "[medical_record_number:7]", "name": "[first_name:Mary] [last_name:Sloan]"}, '
        '{"mrn": "[medical_record_number:8]", "name": "[first_name:Tom] [last_name:Hart]"}',
        ["mary sloan"] * 3 + ["tom hart"] * 3,
    ),
    (  # a row whose name nobody knows is not of whoever is in the row above
        "[first_name:Mary] [last_name:Sloan];[birth_date:1]\nQx Zw;[birth_date:2]\n"
        "[first_name:Tom] [last_name:Hart];[birth_date:3]\n",
        ["mary sloan"] * 3 + [""] + ["tom hart"] * 3,
    ),
    (
        "[first_name:Mary] [last_name:Sloan], SIN [sin:1], formerly SIN [sin:2]",
        ["mary sloan"] * 4,
    ),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_spans_belong_to_the_person_that_they_are_told_of(text: str, expected: list[str]) -> None:
    plain, spans = marked(text)
    keys = SamePerson(RULES.nearness).persons(plain, spans, sections_of(plain))
    assert [" ".join(reversed([part for part in key.split("\0") if part])) for key in keys] == expected


def test_a_page_ends_a_section() -> None:
    plain, spans = marked("[first_name:Mary] [last_name:Sloan]\n[sin:1]")
    assert SamePerson(RULES.nearness).persons(plain, spans, sections_of(plain, [plain.index("\n") + 1]))[-1] == ""


TOGETHER = "Mary Sloan, 12 Elm Street, Ottawa, SIN 517 238 432"
APART = f"Mary Sloan wrote.\n\n\n{FILLER}\n\n\nDeliver to 12 Elm Street, Ottawa.\n\n\n{FILLER}\n\n\nSIN 517 238 432"


def test_the_same_parts_of_one_person_are_a_higher_risk_than_apart() -> None:
    together, apart = SCREEN.screen([Segment("", TOGETHER)]), SCREEN.screen([Segment("", APART)])
    assert together.bits == apart.bits
    assert (together.risk, together.persons, together.tied) == (Risk.HIGH, 1, together.bits)
    assert (apart.risk, apart.persons, apart.tied) == (Risk.MEDIUM, 0, 0)


def test_evidence_says_whose_it_is() -> None:
    text = "Mary Sloan, SIN 517 238 432\n\n\nTom Hart, SIN 130 692 544\n\n\nSusan Lopez was there too."
    evidence = SCREEN.screen([Segment("", text)]).evidence
    assert [(piece.characteristic, piece.person) for piece in evidence] == [
        ("first_name", 1),
        ("last_name", 1),
        ("sin", 1),
        ("first_name", 2),
        ("last_name", 2),
        ("sin", 2),
        ("first_name", 0),
        ("last_name", 0),
    ]


def test_a_person_met_in_two_parts_is_one_person() -> None:
    first, second = (
        SCREEN.find([Segment("", text)])
        for text in ("Mary Sloan, SIN 517 238 432", "Tom Hart, 613-555-0142\nMary Sloan, 12 Elm Street")
    )
    screening = SCREEN.judge(merged(first, second, 50))
    assert screening.persons == 2
    assert {piece.person for piece in screening.evidence if piece.characteristic in ("sin", "street_address")} == {1}
    assert screening.risk is Risk.HIGH


def test_without_a_name_nothing_says_that_the_parts_are_of_different_persons() -> None:
    assert SCREEN.screen([Segment("", "12 Elm Street, Ottawa. SIN 517 238 432")]).risk is Risk.MEDIUM


def test_many_names_in_one_section_take_time_in_proportion() -> None:
    """A number far from every name must not make all names of its section be looked at."""

    def seconds(lines: int) -> float:
        text = "\n".join(f"Ann Roe{number}" for number in range(lines)) + "\n" * 2
        names = [Span(match.start(), match.end(), "last_name", 0.9) for match in re.finditer(r"Roe\d+", text)]
        far = text + "x " * 400 + "\n" + "123-45-6789\n" * lines
        numbers = [Span(match.start(), match.end(), "ssn", 0.9) for match in re.finditer(r"123-45-6789", far)]
        started = time.process_time()
        SamePerson(RULES.nearness).persons(far, [*names, *numbers], sections_of(far))
        return time.process_time() - started

    assert min(seconds(8_000) for _ in range(3)) < 20 * max(seconds(1_000), 0.002)  # one may meet the garbage collector
