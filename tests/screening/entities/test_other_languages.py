"""Texts in French and Spanish are read by the models of their languages, all others as without them."""

import pytest

from core.records import Span
from screening.entities.by_language import FinderByLanguage
from screening.entities.model import shipped_legal_model, shipped_model, shipped_model_of

FINDER = FinderByLanguage(shipped_model(), shipped_legal_model(), shipped_model_of)
ENGLISH_ALONE = FinderByLanguage(shipped_model(), shipped_legal_model(), lambda _: None)
PEOPLE = {"first_name", "last_name", "initials", "health_professional_name"}
FRENCH = (
    "La Cour d'appel a rejeté le recours que M. Gaspard Lhermite avait formé contre la société. Le requérant soutient"
    " que le Gouvernement n'a pas répondu. Selon le Tribunal, Mme Odile Karpinski et Lhermite vivaient ensemble, et la"
    " Convention ne dit rien de cela."
)
SPANISH = (
    "El Tribunal Supremo ha desestimado el recurso de don Anselmo Iturralde contra la sentencia de la Audiencia. Según"
    " la Sra. Brzezinska, el Gobierno no informó al demandante, y el Ministerio de Justicia tampoco. Iturralde vive"
    " ahora con su hermana en el pueblo."
)
ENGLISH = "Mr. Peter Salinger and his wife Olga were seen by Dr. Hart in the clinic. They live near the river now."
GERMAN = "Die Patientin Frau Ilse Krautwurst wurde von Herrn Dr. Baumann gesehen und dann nach Hause entlassen."


def find(finder: FinderByLanguage, text: str) -> list[Span]:
    return finder.find_each([text], 0.5)[0].spans


def people(finder: FinderByLanguage, text: str) -> set[str]:
    return {
        word
        for span in find(finder, text)
        if span.characteristic in PEOPLE
        for word in text[span.start : span.end].split()
    }


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (FRENCH, {"Gaspard", "Lhermite", "Odile", "Karpinski"}),
        (SPANISH, {"Anselmo", "Iturralde", "Brzezinska"}),
    ],
)
def test_names_in_a_court_text_and_nothing_else(text: str, names: set[str]) -> None:
    assert people(FINDER, text) == names


def test_a_language_with_its_own_model_is_read_by_it() -> None:
    assert find(FINDER, FRENCH) != find(ENGLISH_ALONE, FRENCH)


@pytest.mark.parametrize("text", [ENGLISH, GERMAN, "", "12 34"])
def test_other_texts_are_read_as_without_these_models(text: str) -> None:
    assert find(FINDER, text) == find(ENGLISH_ALONE, text)


def test_texts_of_several_languages_together_are_read_as_each_alone() -> None:
    texts = [ENGLISH, FRENCH, "", SPANISH, GERMAN, FRENCH]
    for together, text in zip(FINDER.find_each(texts, 0.5), texts, strict=True):
        alone = find(FINDER, text)
        assert [span[:3] for span in together.spans] == [span[:3] for span in alone]
        assert [span.score for span in together.spans] == pytest.approx([span.score for span in alone])


def test_only_spanish_and_french_have_models_of_their_own() -> None:
    assert {language for language in ("de", "en", "es", "fr", "it") if shipped_model_of(language)} == {"es", "fr"}
