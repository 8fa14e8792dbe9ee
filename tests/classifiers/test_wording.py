import re
from importlib.resources.abc import Traversable

import numpy
import pytest
from wordfreq import zipf_frequency

from classifiers.health import HealthModel
from classifiers.model_file import SHIPPED_MODEL
from classifiers.style import word_columns
from classifiers.wording import _TERMS_FILE, _WORDS_FILE, in_english, with_english_terms


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
    rows = rows_of(_WORDS_FILE.read_text(encoding="utf-8"))
    words = {word for row in rows[1:] for cell in row[1:] for word in cell.split()}
    frequency = numpy.array([zipf_frequency(word, "en") for word in words if not word.endswith("?")])
    assert frequency.max() < 3.2  # the lists of frequencies change a little


@pytest.mark.parametrize("file", [_WORDS_FILE, _TERMS_FILE])
def test_both_files_have_the_same_languages_and_no_accents(file: Traversable) -> None:
    rows = rows_of(file.read_text(encoding="utf-8"))
    assert rows[0] == ["en", "fr", "es", "de"]
    assert {len(row) for row in rows} == {len(rows[0])}
    assert all(cell.isascii() for row in rows for cell in row)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Meine Frau hat Brustkrebs und nimmt jetzt Medikamente",
            "Meine Frau hat breast cancer und nimmt jetzt medication",
        ),
        ("Er hat eine Sehnenscheidenentzündung und ist krank", "Er hat eine inflammation und ist sick leave"),
        ("ER HAT MIT DEM KNIE EINE MENISKUS-OP", "ER HAT MIT DEM KNIE EINE torn meniscus-surgery"),
        ("Ma sœur a de la fièvre depuis lundi", "Ma sœur a de la fever depuis lundi"),
        ("An operation of the op-ed team in Krebs, Germany", "An operation of the op-ed team in Krebs, Germany"),
    ],
)
def test_medical_words_become_the_english_terms_in_their_place(text: str, expected: str) -> None:
    assert with_english_terms(text) == expected


def test_english_terms_weigh_something_in_the_shipped_model() -> None:
    model = HealthModel.from_bytes(SHIPPED_MODEL.read_bytes())
    terms = [row[0] for row in rows_of(_TERMS_FILE.read_text(encoding="utf-8"))[1:]]
    known = model.term_places(terms, least_weight=0.2)
    assert [term for term, places in zip(terms, known, strict=True) if not places] == []


def rows_of(table: str) -> list[list[str]]:
    return [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
