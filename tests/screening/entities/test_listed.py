"""Lists of names: two that are known make the rest of them names."""

import pytest

from screening.entities.listed import with_lists
from screening.entities.runs import PERSON, Run


def _people(text: str, known: str, *, could_be_name: bool = True) -> list[str]:
    words = text.split()
    runs = [Run(at, at + 1, PERSON, 0.9) for at, word in enumerate(words) if word in known.split()]
    found = with_lists(runs, words.__getitem__, len(words), lambda word: could_be_name)
    return [words[run.first] for run in found if run.kind == PERSON]


@pytest.mark.parametrize(
    ("text", "known", "people"),
    [
        ("founders : Leehy , Perkins and Hill .", "Leehy Perkins", "Leehy Perkins Hill"),
        ("founders : Leehy , Perkins , and Hill .", "Leehy Perkins", "Leehy Perkins Hill"),
        ("Leehy , Strand and Hill left", "Leehy Hill", "Leehy Strand Hill"),
        ("Leehy and Hill left", "Leehy", "Leehy"),
        ("Leehy , Perkins and Hill Street", "Leehy Perkins", "Leehy Perkins"),
        ("Leehy , Perkins and friends", "Leehy Perkins", "Leehy Perkins"),
        ("Leehy went , Perkins came and Hill stayed", "Leehy Perkins", "Leehy Perkins"),
    ],
)
def test_a_list_that_names_two_people_names_people_throughout(text: str, known: str, people: str) -> None:
    assert _people(text, known) == people.split()


def test_words_that_are_no_names_stay_as_they_are() -> None:
    assert _people("Leehy , Perkins and Monday", "Leehy Perkins", could_be_name=False) == ["Leehy", "Perkins"]


def test_what_was_taken_for_something_else_is_a_name_then() -> None:
    words = ["Leehy", ",", "Strand", "and", "Hill"]
    runs = [Run(0, 1, PERSON, 0.9), Run(2, 3, "LOC", 0.8), Run(4, 5, PERSON, 0.7)]
    found = with_lists(runs, words.__getitem__, len(words), lambda word: True)
    assert [(run.first, run.kind) for run in found] == [(0, PERSON), (2, PERSON), (4, PERSON)]
    assert found[1].score < 0.7
