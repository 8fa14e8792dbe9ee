"""What a model of names for one language learns from: counts of letters, marked pages, layouts."""

import json
from pathlib import Path

import pytest

from screening.entities.gazetteer import COMMON_SHIFT, FIRST, LAST
from screening.training.distil_language import Cased, counted
from screening.training.labelled import Labelled, Marked
from screening.training.layouts import SHIPPED_LAYOUTS, read_layouts, written
from screening.training.marked_pages import marked_pages
from screening.training.people import Crowd
from screening.training.train_language import LANGUAGES, nameless

LISTS = {"rose": FIRST | LAST | 5 << COMMON_SHIFT, "mot": 5 << COMMON_SHIFT}


def test_words_are_counted_within_sentences_alone() -> None:
    assert counted(["La rose de Rose. Rose dort. L'été, la rose et Rose"])["rose"] == Cased(small=2, capital=2)


def test_pages_keep_their_marks(tmp_path: Path) -> None:
    path = tmp_path / "fr_news.jsonl"
    path.write_text(json.dumps({"text": "Ana vint.", "marks": [[0, 3, "PER"]]}) + "\n")
    assert [(each.text, each.marked) for each in marked_pages(path)] == [("Ana vint.", (Marked(0, 3, "PER"),))]


def test_a_sentence_with_a_mark_or_a_capital_is_not_nameless() -> None:
    plain = "Rien de tout cela ne fut jamais retrouvé dans la maison."
    text = f"{plain} Puis on parla longtemps de Paris et de la mer. Lui aussi resta encore longtemps dans la maison."
    third = text.index("Lui")
    assert nameless([Labelled("", "", text, (Marked(third, third + 3, "PER"),))]) == [plain]


@pytest.mark.parametrize("language", LANGUAGES)
def test_layouts_of_a_language_are_filled_with_people_of_it(language: str) -> None:
    crowd = Crowd(1, LISTS, ["Nantes"], language=language)
    for layout in read_layouts(SHIPPED_LAYOUTS.with_name(f"layouts_{language}.txt")):
        document = written(layout, crowd, ["Une phrase."], ["Une phrase."])
        assert "{" not in document.text
        assert layout.kind == "plain" or any(mark.label == "PER" for mark in document.marked)
