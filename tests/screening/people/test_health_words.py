"""Words, phrases and figures by which a passage is seen to be of somebody's health."""

import pytest

from screening.people.health_words import health_hints, hints_at_health, is_hint, is_medical


@pytest.mark.parametrize(
    "text",
    [
        "die Warze ist nach dem Vereisen jetzt ne dicke Blutblase",
        "Dekubitus Steiß Grad 2",
        "Visus li 0.2, Sehtest",
        "war beim Arzt, grüner Star",
        "hat Corona, nix Training heute",
        "elle a la mono",
        "a le zona dans face",
        "4 polypes, patho",
        "mastite + crevasses, EPDS 17",
        "il a lâché son Épival en juin",
        "il tousse depuis hier",
        "está tosiendo mucho y respira fatal",
        "toma Sintrom y Nolotil",
        "le hicieron la audiometria",
        "bekommt L-Thyroxin und Novalgin",
    ],
)
def test_everyday_words_of_illness_in_other_languages_hint(text: str) -> None:
    assert hints_at_health(text)


@pytest.mark.parametrize(
    "text",
    [
        "Después de la reunión hablamos con Pierre",
        "Das Lied von Mono Inc. kommt nach der Pause",
        "zona industrial norte, nave 4",
        "La Corona de Aragón",
        "Wir müssen das bis Freitag abklären",
        "Le greffier a reçu la réclamation",
        "Mallory Sheldon and Theo Tran met in Chester",
    ],
)
def test_everyday_words_of_other_things_do_not(text: str) -> None:
    assert not hints_at_health(text)


def test_different_words_are_counted_and_a_phrase_counts_as_one() -> None:
    assert health_hints("fever and cough, fever") == 2
    assert health_hints("elle a la mono") == 1
    assert health_hints("elle a la monographie") == 0


def test_words_of_phrases_are_no_words_of_medicine() -> None:
    assert not is_hint("mono") and not is_medical("la mono")
