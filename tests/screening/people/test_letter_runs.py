"""What is found by runs of letters is what plain expressions find, in any text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.people.health_words import _FIGURES, _WORDS, CODES, _words, health_hints
from screening.people.letter_runs import Meanings, letter_runs
from screening.people.meant import _WORD, _joined, with_joined_letters

_PIECES = (
    *(
        " ",
        "\n",
        ", ",
        "-",
        "_",
        ".",
        "4",
        "12",
        "é",
        "œ",
        "я",
        "’",
        "a",
        "B",
        "BloodGlucose",
        "DNAtest",
        "fever",
        "Cough",
    ),
    *(
        "ASTHMA",
        "asthrna",
        "pneurnonia",
        "return",
        "5 mg",
        "5mg",
        "µg",
        "2 puffs",
        "A1c",
        "a1C",
        "spo2",
        "3 k/uL",
        "E11.9",
    ),
    *("XE11.92", "D1234", "D12345", "dado de alta", "el alta", "nach der op", "HI*ABK:E1", "dataflow", "mgs", "mg_"),
)
texts = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join) | st.text(max_size=40)
_PLAIN_CODE = re.compile(r"[A-TV-Z]\d(?:[0-9A-Z]\.[0-9A-Z]{1,4}|(?<=D\d)\d{3})\b")
_CLAIMS = re.compile(r"\bHI\*A?B[FJKN]:[A-TV-Z]\d|\*HC:[A-Z\d]\d{4}\b")


@given(texts)
def test_runs_are_what_an_expression_finds(text: str) -> None:
    found = {run.encode("latin-1") for run in re.findall(r"[A-Za-zÀ-ÖØ-öø-ÿ]+", text)}
    assert letter_runs(text) == (None if "œ" in text else found)


@given(texts)
def test_hints_are_those_of_every_word(text: str) -> None:
    words = [word.lower() for word in _WORDS.findall(text)]
    line = f" {' '.join(words)} "
    plain = len(_words().hints.intersection(words)) or int(
        any(phrase in line for phrases in _words().phrases.values() for phrase in phrases)
        or _FIGURES.search(text) is not None
        or _PLAIN_CODE.search(text) is not None
        or _CLAIMS.search(text) is not None
    )
    assert health_hints(text) == plain


@given(texts)
def test_codes_are_found_from_their_signs(text: str) -> None:
    assert any(code.search(text) for code in CODES) == (_PLAIN_CODE.search(text) is not None)


@given(texts)
def test_letters_are_joined_in_every_word(text: str) -> None:
    assert with_joined_letters(text) == _WORD.sub(lambda match: _joined(match[0]), text)


def test_meanings_hold_no_more_than_so_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("screening.people.letter_runs._MOST_REMEMBERED", 10)
    asked: list[str] = []

    def length(run: str) -> int | None:
        asked.append(run)
        return len(run) if len(run) > 1 else None

    meanings = Meanings(length)
    runs = frozenset((b"a", b"bc"))
    assert meanings.among(runs) == meanings.among(runs) == [2]
    assert len(asked) == 2  # each once
    for number in range(50):
        meanings.among(frozenset((b"x" * (number % 7 + 1) + str(number).encode(),)))
    assert len(meanings._dull) + len(meanings._telling) <= 10
