"""The language of a text, and the texts that have none."""

import time

import pytest

from benchmarks.honesty_cases.case import HARMLESS, LETTER
from benchmarks.honesty_cases.languages import languages
from core.detect_language import language_of
from core.languages import is_judged

CASES = list(languages())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_language_is_told(case: object) -> None:
    language = language_of([case.data.decode()])  # type: ignore[attr-defined]
    assert is_judged(language) is not case.leaks  # type: ignore[attr-defined]
    code = case.name.removesuffix(".txt").split("-")[1]  # type: ignore[attr-defined]
    assert len(code) > 2 or language == code


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (LETTER, "en"),
        (HARMLESS, "en"),
        ("", None),
        ("Müller", None),
        ("Rossi, Maria\nBianchi, Carlo\nVerdi, Anna\n" * 10, None),
        ("a;b;c;i;o;u;e;y\n" * 50, None),
        (
            "Lumo kaj vento venis post la nokto. Ili kantis longe sub arboj. Neniu vidis tion, krom birdoj. "
            "Poste ĉiuj dormis. Matene pluvis multe, sed bele. Infanoj ridis laŭte. Maljunuloj rakontis malnovajn "
            "historiojn pri maroj, montoj, urboj, reĝoj. Vespere refoje kantis vento.",
            "und",
        ),
    ],
)
def test_prose_has_a_language_and_lists_have_none(text: str, language: str | None) -> None:
    assert language_of([text]) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Rozpoznanie: rak piersi lewej. Przyjmuje tamoksyfen. Zgłasza uderzenia gorąca i zmęczenie. Wizyta kontrolna "
         "za trzy miesiące w poradni onkologicznej. Wynik biopsji z marca był dodatni.", "pl"),
        ("Dg: karcinom prsu vlevo. Užívá tamoxifen, potíže: návaly, únava. Kontrola za tři měsíce, mamografie, krevní "
         "obraz, jaterní testy. Stav stabilní, bez známek návratu.", "und"),
        ("Potilas Aino Virtanen tuli sairaalaan rintakivun takia ja hän on levännyt. Hänellä on diabetes ja kohonnut "
         "verenpaine. Lääkkeeksi määrättiin metformiini ja seuraava käynti on kahden viikon kuluttua.", "fi"),
        ("A beteg mellkasi fájdalommal érkezett. Kettes típusú cukorbetegség és magas vérnyomás. Metformin adása, "
         "kontroll két hét múlva a szakrendelésen.", "hu"),
    ],
)  # fmt: skip
def test_a_note_with_few_small_words_has_the_language_of_its_letters(text: str, language: str) -> None:
    assert language_of([text]) == language


def test_names_with_the_letters_of_another_language_do_not_make_a_text_foreign() -> None:
    names = "Łukasz Żak\nÞórður Jónsson\nAyşe Yılmaz\nŠárka Dvořáková\nNguyễn Văn\n"
    assert language_of([names * 10]) is None
    assert language_of([HARMLESS + names]) == "en"


def test_a_long_text_is_sampled_at_both_ends_and_in_the_middle() -> None:
    assert language_of(["1 2 3\n" * 100_000 + CASES[0].data.decode() * 40]) == "it"
    assert language_of(["7 8 9\n" * 3, CASES[0].data.decode()]) == "it"


def test_telling_the_language_takes_little_time() -> None:
    started = time.process_time()
    for _ in range(100):
        language_of([LETTER * 5_000])
    assert time.process_time() - started < 1
