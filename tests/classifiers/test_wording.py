import re

import numpy
import pytest
from wordfreq import zipf_frequency

from classifiers.style import word_columns
from classifiers.wording import _FILE, in_english


def english(text: str) -> list[str]:
    return in_english(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ma sœur a été opérée lundi", ["sister", "operated", "monday"]),
        ("MA SOEUR A ETE OPEREE LUNDI", ["sister", "operated", "monday"]),
        ("Mi hermana fue operada el lunes", ["sister", "operated", "monday"]),
        ("Meine Schwester wurde am Montag operiert", ["sister", "operated", "monday"]),
        ("Der Hund war beim Tierarzt und die Katze auch", ["dog", "was", "vet", "cat"]),
    ],
)
def test_words_say_the_same_in_every_language(text: str, expected: list[str]) -> None:
    assert set(expected) <= set(english(text))


@pytest.mark.parametrize(
    "text",
    [
        "The war is on, and the son of the main actor sold his pain au chocolat to a chat room",
        "Metformin 500 mg, seen in clinic on Monday by Dr. Lebrun, no fever since",
        "Potilas leikattiin maanantaina sairaalassa",
    ],
)
def test_english_and_unknown_languages_stay_as_they_are(text: str) -> None:
    assert english(text) == []


def test_what_a_word_says_is_one_of_the_columns_of_a_passage() -> None:
    said = {int(word_columns(word)[0]) for word in ("sister", "operated", "monday")}
    assert said <= set(word_columns("Ma sœur a été opérée lundi").tolist())
    assert not said & set(word_columns("Potilas leikattiin maanantaina").tolist())


def test_words_that_english_has_too_are_marked() -> None:
    rows = [line.split("\t") for line in _FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert {len(row) for row in rows} == {len(rows[0])}
    words = {word for row in rows[1:] for cell in row[1:] for word in cell.split()}
    assert all(word.isascii() for word in words)
    frequency = numpy.array([zipf_frequency(word, "en") for word in words if not word.endswith("?")])
    assert frequency.max() < 3.2  # the lists of frequencies change a little
