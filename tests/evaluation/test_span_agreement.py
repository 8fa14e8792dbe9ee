"""Agreement on marked spans, against figures worked out by hand and against other libraries."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, f1_score

from core.errors import LabelError
from evaluation.span_agreement import Annotated, Figures, by_category, by_pair, span_agreement
from evaluation.spans import Marked
from leakscreen.commands import span_agreement as command

TEXT = "Ann Lee saw Bob Ray in York"
ANN = (Marked(0, 7, "PER"), Marked(12, 19, "PER"), Marked(23, 27, "LOC"))
BOB = (Marked(0, 7, "PER"), Marked(12, 15, "PER"), Marked(23, 27, "ORG"))
DOCUMENT = Annotated(TEXT, {"ann": ANN, "bob": BOB})


def near(figures: Figures, *wanted: float) -> bool:
    return (figures.entity_f, figures.kappa, figures.fleiss, figures.alpha) == pytest.approx(wanted)


def test_a_sentence_by_hand() -> None:
    """Tokens: ann P P O P P O L, bob P P O P O O G.

    Exact: 1 of 3 and 3 entities; Ao = 5/7, Ae = 18/49; Fleiss' Ae = 76/196; alpha = 1 - 13 * 4 / 120.
    Partial: 2 of 3 and 3 entities; Ao = 6/7, Ae = 26/49; Fleiss' Ae = (81 + 25)/196; alpha = 1 - 13 * 2 / 90.
    """
    found = span_agreement([DOCUMENT])
    assert (found.documents, found.people, found.entities, found.tokens) == (1, 2, 6, 7)
    assert near(found.exact, 1 / 3, 17 / 31, 8 / 15, 17 / 30)
    assert near(found.partial, 2 / 3, 16 / 23, 62 / 90, 64 / 90)


def test_by_category_and_by_pair() -> None:
    kinds = by_category([DOCUMENT])
    assert (kinds["PER"].exact.entity_f, kinds["PER"].partial.entity_f) == (0.5, 1.0)
    assert (kinds["LOC"].exact.entity_f, kinds["LOC"].exact.kappa) == (0.0, 0.0)
    three = [Annotated(TEXT, {"ann": ANN, "bob": BOB, "eve": ANN}), Annotated("Ann", {"ann": (Marked(0, 3, "PER"),)})]
    pairs = by_pair(three)
    assert {name: pair.exact.entity_f for name, pair in pairs.items()} == {
        "ann and bob": pytest.approx(1 / 3),
        "ann and eve": 1.0,
        "bob and eve": pytest.approx(1 / 3),
    }
    # A document that one person read says nothing; pooled: (1 + 3 + 1) of (3 + 3) / 2 each.
    assert span_agreement(three).documents == 1
    assert span_agreement(three).exact.entity_f == pytest.approx(10 / 18)


def test_nobody_marked_anything() -> None:
    found = span_agreement([Annotated("Nothing here", {"ann": (), "bob": ()})])
    assert found.exact == Figures(None, None, None, None)


@given(st.lists(st.tuples(st.sampled_from("OAB"), st.sampled_from("OAB")), min_size=1, max_size=30))
def test_scikit_learn_agrees_on_tokens(pairs: list[tuple[str, str]]) -> None:
    text = " ".join("x" * len(pairs))
    sides = [
        tuple(Marked(2 * at, 2 * at + 1, kind) for at, kind in enumerate(side) if kind != "O")
        for side in zip(*pairs, strict=True)
    ]
    found = span_agreement([Annotated(text, dict(zip("ab", sides, strict=True)))])
    first, second = zip(*pairs, strict=True)
    if found.exact.kappa is not None:
        assert found.exact.kappa == pytest.approx(cohen_kappa_score(first, second))
    if found.exact.entity_f is not None:
        # Entities of one token each: F over the two categories, pooled.
        assert found.exact.entity_f == pytest.approx(
            f1_score(first, second, labels=["A", "B"], average="micro", zero_division=0)
        )


def test_the_command_compares_files_of_any_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ann.jsonl").write_text(json.dumps({"id": "1", "text": TEXT, "spans": ANN}), encoding="utf-8")
    (tmp_path / "bob").mkdir()
    lines = [f"T{n}\t{kind} {start} {end}\t{TEXT[start:end]}" for n, (start, end, kind) in enumerate(BOB)]
    (tmp_path / "bob" / "1.ann").write_text("\n".join(lines), encoding="utf-8")
    command.run([str(tmp_path / "ann.jsonl"), f"robert={tmp_path / 'bob'}"], True)
    found = json.loads(capsys.readouterr().out)
    assert list(found["pair"]) == ["ann and robert"]
    assert found["all"]["all"]["partial"]["entity_f"] == pytest.approx(2 / 3)
    assert list(found["category"]) == ["LOC", "ORG", "PER"]
    command.run([str(tmp_path / "ann.jsonl"), str(tmp_path / "bob")], False)
    assert "0.3333" in capsys.readouterr().out
    with pytest.raises(LabelError, match="no document was annotated by two people"):
        command.run([str(tmp_path / "ann.jsonl")], True)
    with pytest.raises(LabelError, match="two annotators are called ann"):
        command.run([str(tmp_path / "ann.jsonl")] * 2, True)


def test_annotators_of_one_file_of_tab(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def mentions(spans: tuple[Marked, ...]) -> dict[str, object]:
        return {
            "entity_mentions": [
                {"entity_id": str(start), "identifier_type": "QUASI", "entity_type": kind}
                | {"start_offset": start, "end_offset": end}
                for start, end, kind in spans
            ]
        }

    row = {"doc_id": "1", "text": TEXT, "annotations": {"ann": mentions(ANN), "bob": mentions(BOB)}}
    (tmp_path / "tab.json").write_text(json.dumps([row]), encoding="utf-8")
    command.run([str(tmp_path / "tab.json")], True)
    found = json.loads(capsys.readouterr().out)
    assert found["pair"]["ann and bob"]["exact"]["entity_f"] == pytest.approx(1 / 3)
