"""Everyday texts give sentences that name nobody, and people stand only where pronouns stood."""

import json
from pathlib import Path

import pytest

from screening.training.people import Crowd
from screening.training.prose import SOURCES, nameless_sentences, pages_about_people

GAZETTEER = {
    "the": 7 << 9,
    "i": 7 << 9,
    "if": 7 << 9,
    "yesterday": 5 << 9,
    "mark": (5 << 9) | 1,
    "john": 0b11,
    "hill": (4 << 9) | 4,
}
POST = """From: someone@example.org (John Smith)
Subject: Boats

> The others wrote this sentence before.
The boats are all in the harbour and
nobody sails today. John saw them there last week. Mark my words about the weather of today.
The crew of Neptune went home early. Yesterday he said that I was wrong about it.
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in SOURCES:
        texts = ("", POST, "", "", "If she calls, the doctor will tell him about his boat.")
        (tmp_path / name).write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    return tmp_path


def test_sentences_name_nobody(data: Path) -> None:
    assert nameless_sentences(data, GAZETTEER, held_back=False) == [
        "The boats are all in the harbour and nobody sails today.",
        "Yesterday he said that I was wrong about it.",
    ]


def test_every_fourth_text_is_held_back(data: Path) -> None:
    assert nameless_sentences(data, GAZETTEER, held_back=True) == [
        "If she calls, the doctor will tell him about his boat."
    ]


def test_people_stand_in_the_place_of_pronouns() -> None:
    sentences = ["If she calls, the doctor will tell him about his boat.", "The boats are all in the harbour."]
    names = 0
    for page in pages_about_people(sentences, Crowd(5, GAZETTEER, ["Paris"]), 40):
        named = [page.text[mark.start : mark.end] for mark in page.marked]
        assert all(name.split()[-1][0].isupper() and name.strip() == name for name in named)
        left = page.text
        for mark in reversed(page.marked):
            left = f"{left[: mark.start]}{left[mark.end :]}"
        assert not any(word in left for word in named if len(word) > 3)
        names += len(named)
    assert names > 40
