"""The language of a text, and the texts that have none."""

import time

import pytest

from benchmarks.honesty_cases.case import HARMLESS, LETTER
from benchmarks.honesty_cases.languages import languages
from core.languages import is_judged
from screening.language import language_of

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


def test_a_long_text_is_sampled_at_both_ends_and_in_the_middle() -> None:
    assert language_of(["1 2 3\n" * 100_000 + CASES[0].data.decode() * 40]) == "it"
    assert language_of(["7 8 9\n" * 3, CASES[0].data.decode()]) == "it"


def test_telling_the_language_takes_little_time() -> None:
    started = time.process_time()
    for _ in range(100):
        language_of([LETTER * 5_000])
    assert time.process_time() - started < 1
