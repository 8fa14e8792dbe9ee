"""What every match of an expression must hold is told exactly, as whole passes over a text depend on it."""

import re

import pytest

from screening.patterns.required_content import (
    GAP,
    LONG,
    LongNumber,
    beyond_ascii,
    is_plain,
    long_number,
)
from screening.ruleset.ruleset import RuleSet


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        (r"\b\d{5}\b", LongNumber(0, 5)),
        (r"\b[A-Z]{2} ?\d{3}[- ]\d{2,4}\b", LongNumber(3, 11)),
        (r"\d{3}(?:-\d{2}|\d{2})", LongNumber(0, 6)),
        (r"\d{4}", None),
        (r"\d{4}\d?", None),
        (r"\d{3}---\d{2}", None),
        (r"\d{3}(?:-\d{2}|x)", None),
        (r"\d{1,2}/\d{1,2}/\d{2}", None),
        (r"\d{3}[^a]\d{2}", None),
        (r"^\d{5}", None),
        (r"(?:a\d{5}|bcd\d{6})", LongNumber(3, 9)),
    ],
)
def test_a_long_number_in_every_match(expression: str, found: LongNumber | None) -> None:
    assert long_number(expression) == found


def test_the_examples_of_such_detectors_hold_a_long_number(ruleset: RuleSet) -> None:
    number = re.compile(rf"\d(?:\D{{0,{GAP}}}\d){{{LONG - 1}}}")
    such = [each for each in ruleset.detectors if long_number(each.pattern) is not None]
    assert len(such) > 30
    assert [text for each in such for text in each.match if number.search(text) is None] == []


def test_plain_is_what_bytes_tell_as_well_as_characters() -> None:
    assert [is_plain(each) for each in (r"\b[a-z]\d\s", "é", "[^a]", r"\W", ".", "[à-ÿ]")] == [True, *[False] * 5]


def test_a_letter_beyond_ascii_in_every_match() -> None:
    assert [beyond_ascii(each) for each in ("[à-ÿ]@|@é", "[a-zà-ÿ]@", "é?", "é{1,2}a", "a")] == [
        True,
        False,
        False,
        True,
        False,
    ]


def test_a_long_number_behind_letters_of_several_bytes() -> None:
    assert long_number("’é?\\d{5}") == LongNumber(lead=5, width=10)
    assert long_number("\\d{3}’\\d{3}") is None
