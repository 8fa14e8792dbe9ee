"""Attributes of letters and their hashes."""

import pytest

from screening.entities.hashes import attribute_hashes
from screening.entities.letters import Letters, letter_attributes, letter_hashes


@pytest.mark.parametrize(
    "letters",
    [("sloan", "Xx"), ("a", "X"), ("ab", "x"), ("abc", "XX"), ("abcd", "x"), ("ørsted", "Xx"), ("sloan",)],
    ids="|".join,
)
def test_the_hashes_are_those_of_the_attributes(letters: Letters) -> None:
    assert sorted(letter_hashes(letters)) == sorted(attribute_hashes(letter_attributes(letters)))


def test_a_word_that_was_never_met_is_told_by_its_ends_alone() -> None:
    assert set(letter_attributes(("sloan", "Xx"))) - set(letter_attributes(("sloan",))) == {"w=sloan", "sw=Xxsloan"}
