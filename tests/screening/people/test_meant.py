"""Letters that a scanner misread, and figures that are meant."""

import pytest

from screening.people.meant import as_meant, with_joined_letters

MISREAD = {
    "carcin0ma": "carcinoma",
    "KUZNETS0VA, RAlSA": "KUZNETSOVA, RAISA",
    "KAMALA DEVl": "KAMALA DEVI",
    "D0B": "DOB",
}


@pytest.mark.parametrize(("read", "meant"), MISREAD.items())
def test_misread_letters_are_mended_in_place(read: str, meant: str) -> None:
    assert as_meant(read) == meant


@pytest.mark.parametrize("text", ["HbA1c 7.0", "vitamin B12", "CO2 40", "A0B1", "SLOAN|MARY", "asthma|eczema"])
def test_figures_that_are_meant_stay(text: str) -> None:
    assert as_meant(text) == text


@pytest.mark.parametrize(("read", "meant"), [("pneurnonia", "pneumonia"), ("Asthrna", "Asthma")])
def test_letters_read_as_two_are_joined_where_a_medical_word_comes_out(read: str, meant: str) -> None:
    assert with_joined_letters(read) == meant


@pytest.mark.parametrize("word", ["burn", "return", "modern", "hernia", "skiing"])
def test_other_words_stay(word: str) -> None:
    assert with_joined_letters(word) == word
