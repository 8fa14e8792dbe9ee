import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from classifiers.training.corpus import (
    EVERYDAY,
    NOTE,
    STRUCTURED,
    TALK,
    Example,
    read_corpus,
    read_plainly,
    read_sets,
    teaches_documents,
)
from core.errors import SourceError
from tests.classifiers.small_corpus import write_small_corpus


def read_all(folder: Path) -> list[Example]:
    return read_corpus(folder, read_plainly)


def test_every_set_is_read_with_its_kind(tmp_path: Path) -> None:
    write_small_corpus(tmp_path)
    kinds = {(example.source, example.kind) for example in read_all(tmp_path)}
    assert {
        ("health_aci_bench", NOTE),
        ("health_aci_bench", TALK),
        ("nonhealth_speeches", EVERYDAY),
        ("health_files", STRUCTURED),
    } <= kinds


def test_the_split_does_not_change_and_holds_out_less_than_half(tmp_path: Path) -> None:
    write_small_corpus(tmp_path)
    first, second = read_all(tmp_path), read_all(tmp_path)
    assert [example.is_held_out for example in first] == [example.is_held_out for example in second]
    assert 0.1 < sum(example.is_held_out for example in first) / len(first) < 0.5


def test_the_note_and_the_dialogue_of_a_visit_are_on_one_side(tmp_path: Path) -> None:
    write_small_corpus(tmp_path)
    sides: dict[str, set[bool]] = {}
    for example in read_all(tmp_path):
        if example.source == "health_aci_bench":
            visit = example.text.rsplit(" ", 1)[-1]
            sides.setdefault(visit, set()).add(example.is_held_out)
    assert len(sides) > 5
    assert all(len(side) == 1 for side in sides.values())


def test_structured_records_are_read_by_the_reader_that_is_given(tmp_path: Path) -> None:
    write_small_corpus(tmp_path)
    asked: list[Path] = []

    def read(paths: Sequence[Path]) -> list[str]:
        asked.extend(paths)
        return ["one word " * 60 for _ in paths]

    structured = [example.text for example in read_corpus(tmp_path, read) if example.kind == STRUCTURED]
    assert len(structured) == len(asked) == 12
    assert set(structured) == {"one word " * 60}


def test_a_text_with_an_unusual_line_end_is_one_row(tmp_path: Path) -> None:
    write_small_corpus(tmp_path)
    row = json.dumps({"id": "odd", "text": "one\u2028two\x85three"}, ensure_ascii=False)
    (tmp_path / "nonhealth_speeches.jsonl").write_text(row + "\n", encoding="utf-8")
    assert [example.text for example in read_all(tmp_path) if example.source == "nonhealth_speeches"] == [
        "one\u2028two\x85three"
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("health_mtsamples.jsonl", None, "health_mtsamples.jsonl: training data cannot be read"),
        ("health_mtsamples.jsonl", "{}\n", "line 1 is not a JSON object with a text and an id"),
        ("tab_train92_dev21.jsonl", '{"doc_id": 1, "text": "a"}\nnonsense\n', "line 2 is not a JSON object"),
        ("health_files", None, "no HL7, C-CDA or FHIR file"),
    ],
)
def test_missing_and_broken_data_is_named(tmp_path: Path, name: str, content: str | None, message: str) -> None:
    write_small_corpus(tmp_path)
    path = tmp_path / name
    if path.is_dir():
        for child in path.iterdir():
            child.unlink()
    elif content is None:
        path.unlink()
    else:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        read_all(tmp_path)


def write_set(folder: Path, name: str, *texts: str) -> None:
    rows = [json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts]
    (folder / name).write_text("".join(rows), encoding="utf-8")


def test_further_sets_have_their_kind_in_their_name(tmp_path: Path) -> None:
    write_set(tmp_path, "talk-letters.jsonl", "first\u2028line", "second")
    write_set(tmp_path, "everyday-news-today.jsonl", "third")
    sets = [(one.text, one.kind, one.source) for one in read_sets(tmp_path)]
    assert sets == [
        ("third", EVERYDAY, "further:news-today"),
        ("first\u2028line", TALK, "further:letters"),
        ("second", TALK, "further:letters"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("letters.jsonl", "{}", "must begin with note-"),
        ("talk-letters.jsonl", '{"text": "a"}\n{}', "line 2 is not a JSON object with a text"),
        ("talk-letters.jsonl", "text", "line 1 is not a JSON object with a text"),
        ("talk-letters.txt", "text", "has no file <kind>-<name>"),
    ],
)
def test_further_sets_that_cannot_be_used_are_named(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        read_sets(tmp_path)


def test_sets_for_passages_teach_no_documents(tmp_path: Path) -> None:
    for name in ("general-lists.jsonl", "general-pages.passages.jsonl"):
        tmp_path.joinpath(name).write_text('{"text": "Asthma is common."}\n', encoding="utf-8")
    assert [one.source for one in read_sets(tmp_path) if teaches_documents(one)] == ["further:lists"]
