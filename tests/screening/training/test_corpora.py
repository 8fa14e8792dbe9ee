"""Words tagged as a person lose what is an address, unless all that is tagged is asked for."""

from pathlib import Path

import pytest

from screening.entities.runs import PERSON
from screening.training.corpora import web_texts

WORDS = [
    ("Traci", "B-PER"),
    ("Warner@ENRON", "I-PER"),
    ("and", "O"),
    ("paulhastings.com", "B-PER"),
    ("met", "O"),
    ("Ann", "B-PER"),
]


@pytest.mark.parametrize(
    ("as_tagged", "names"),
    [(False, ["Traci Warner", "Ann"]), (True, ["Traci Warner@ENRON", "paulhastings.com", "Ann"])],
)
def test_names_are_mended(tmp_path: Path, as_tagged: bool, names: list[str]) -> None:
    path = tmp_path / "words.iob2"
    path.write_text(
        "# newdoc id = mail-1\n"
        + "".join(f"{at}\t{word}\t{label}\n" for at, (word, label) in enumerate(WORDS, 1))
        + "\n"
    )
    (text,) = web_texts(path, as_tagged=as_tagged)
    assert text.text == "Traci Warner@ENRON and paulhastings.com met Ann"
    assert [text.text[mark.start : mark.end] for mark in text.marked if mark.label == PERSON] == names
