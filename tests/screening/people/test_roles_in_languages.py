"""Words next to a name show patients, owners and authors in French, Spanish and German."""

import pytest

from core.records import Role
from screening.people.roles import standing_of
from screening.screen import Screen

SUBJECTS = [
    ("L'enfant Gabin Tessier est porteur d'une maladie", "Gabin Tessier"),
    ("Bonjour, Nadège Collin est hospitalisée", "Nadège Collin"),
    ("Remboursement pour l'adhérent Gérard Pons", "Gérard Pons"),
    ("Hugo Serrano tuvo un accidente", "Hugo Serrano"),
    ("La niña Carla Esteban no viene", "Carla Esteban"),
    ("Gutachten über Ahrens vom Mai", "Ahrens"),
    ("Rentnerin Ahrens lebt allein", "Ahrens"),
]
NO_SUBJECTS = [
    ("Chat de Mme Pons : vaccin à jour", "Pons"),
    ("El perro de la señora Quintana: otitis", "Quintana"),
    ("Katze von Frau Pohl: entwurmt", "Pohl"),
    ("Le fonds Marcelle Dupuis finance la recherche", "Marcelle Dupuis"),
    ("Sebastian Greiner ist neuer Vorsitzender", "Sebastian Greiner"),
]


def role(text: str, name: str) -> Role:
    start = text.index(name)
    return standing_of(text, start, start + len(name)).role


@pytest.mark.parametrize(("text", "name"), SUBJECTS)
def test_words_that_stand_beside_patients_show_one(text: str, name: str) -> None:
    assert role(text, name) is Role.SUBJECT


@pytest.mark.parametrize(("text", "name"), NO_SUBJECTS)
def test_owners_of_animals_and_officials_are_no_patients(text: str, name: str) -> None:
    assert role(text, name) in (Role.AUTHOR, Role.OTHER)


@pytest.mark.parametrize("word", ["hopital", "medecins", "comprimes", "lungenentzuendung", "fausse couche"])
def test_everyday_words_of_illness_make_a_passage_worth_judging_without_accents_too(screen: Screen, word: str) -> None:
    text = f"Mme Odile Roux : {word} hier, je la remplace cette semaine"
    assert screen.passages_of_each([text])[0]


@pytest.mark.parametrize(
    "beginning",
    ["Gutachten über Ahrens.", "Epikrise Ahrens\n", "Material von Ahrens, Einsender Dr. Berger.", "Kind Ahrens, Kita."],
)
def test_a_last_name_alone_behind_german_words_for_patients_is_somebody(screen: Screen, beginning: str) -> None:
    note = "Anamnese: Husten, Fieber, Atemnot. Befund: Pneumonie, CRP erhöht. Therapie: Ampicillin i.v."
    passages = screen.passages_of_each([f"{beginning} {note}"])[0]
    assert any("subjecttoken" in passage for passage in passages)


def test_nouns_behind_these_words_are_nobody(screen: Screen) -> None:
    text = "Verlauf bei Pneumonie: Husten, Fieber, Atemnot. Behandlung von Kindern mit Asthma."
    assert not screen.passages_of_each([text])[0]
