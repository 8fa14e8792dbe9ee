import json
import re
from pathlib import Path
from typing import Any

import pytest

from core.errors import LabelError
from evaluation.benchmark import differences, measure
from evaluation.categories import category_of, label_of
from evaluation.corpus import read_corpus
from evaluation.formats.document import CorpusDocument
from evaluation.information import information_content, vocabulary
from evaluation.spans import Marked
from evaluation.tab import TabCounts, published, tab_counts, tab_scores

TEXT = (
    "The case (no. 12345/67) was lodged against the Kingdom of Sweden by a British national, John Doe. "
    "Mr Doe, who is British, complained on 1 October 2021. He had worked as a researcher for the state."
)
TOKEN = re.compile(r"[\w/]+")  # the paper counts an application number as one token


def places(phrase: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", TEXT)]


def mention(entity: str, identifier: str, kind: str, span: tuple[int, int]) -> dict[str, Any]:
    return {
        "entity_id": entity,
        "identifier_type": identifier,
        "entity_type": kind,
        "start_offset": span[0],
        "end_offset": span[1],
    }


def annotation(person: str, quasi: list[tuple[str, list[tuple[int, int]]]]) -> list[dict[str, Any]]:
    direct = [mention(f"{person}1", "DIRECT", "CODE", places("no. 12345/67")[0])]
    direct += [mention(f"{person}3", "DIRECT", "PERSON", span) for span in (places("John Doe")[0], places("Doe")[1])]
    direct.append(mention(f"{person}9", "NO_MASK", "ORG", places("state")[0]))
    return direct + [mention(f"{person}{name}", "QUASI", "MISC", span) for name, spans in quasi for span in spans]


FIRST = annotation("a", [("2", [places("British national")[0], places("British")[1]]), ("4", places("1 October 2021"))])
SECOND = annotation(
    "b", [("2", places("Kingdom of Sweden")), ("4", places("1 October 2021")), ("5", places("researcher"))]
)
ROW = {
    "doc_id": "1",
    "text": TEXT,
    "dataset_type": "test",
    "annotations": {"a": {"entity_mentions": FIRST}, "b": {"entity_mentions": SECOND}},
}
NAMES = [places("John Doe")[0], places("Doe")[1]]


@pytest.fixture
def document(tmp_path: Path) -> CorpusDocument:
    (tmp_path / "tab.json").write_text(json.dumps([ROW]), encoding="utf-8")
    (read,) = read_corpus(tmp_path / "tab.json")
    return read


def test_the_first_system_of_the_papers_paragraph(document: CorpusDocument) -> None:
    counts = tab_counts(document, [*places("12345/67"), *NAMES, *places("1 October 2021")], token=TOKEN)
    assert (counts.direct_found, counts.direct) == (4, 4)
    assert (counts.quasi_found, counts.quasi) == (2, 5)
    assert (counts.weight_rightly, counts.weight) == (14, 14)
    found = tab_scores(counts)
    assert (found.er_direct, found.er_quasi, found.weighted_precision) == (1.0, 0.4, 1.0)


def test_the_second_system_of_the_papers_paragraph(document: CorpusDocument) -> None:
    """13 masked tokens, of which the annotators masked 9 and 10."""
    more = [*places("no"), *places("British national")[:1], *places("worked")]
    counts = tab_counts(document, [*NAMES, *places("Kingdom of Sweden"), *places("1 October 2021"), *more], token=TOKEN)
    assert (counts.direct_found, counts.direct) == (2, 4)
    assert (counts.quasi_found, counts.quasi) == (3, 5)
    assert (counts.weight_rightly, counts.weight) == (19, 26)
    found = tab_scores(counts)
    assert (found.er_direct, found.er_quasi) == (0.5, 0.6)
    assert round(found.weighted_precision or 0, 2) == 0.73


def test_a_title_and_punctuation_need_no_mask_but_every_mention_does(document: CorpusDocument) -> None:
    assert tab_counts(document, NAMES).direct_found == 2
    assert tab_counts(document, NAMES[:1]).direct_found == 0
    assert (
        tab_counts(document, [places("12345")[0], (places("12345")[0][1] + 1, places("12345/67")[0][1])]).direct_found
        == 2
    )


def test_an_initial_is_no_article(tmp_path: Path) -> None:
    text = "by A. Lee of the Bar"
    mentions = [mention("1", "DIRECT", "PERSON", (3, 9)), mention("2", "QUASI", "ORG", (13, 20))]
    (tmp_path / "tab.jsonl").write_text(
        json.dumps({"doc_id": "1", "text": text, "entities": mentions}), encoding="utf-8"
    )
    (read,) = read_corpus(tmp_path / "tab.jsonl")
    counts = tab_counts(read, [(6, 9), (17, 20)])
    assert (counts.direct_found, counts.quasi_found) == (0, 1)


def test_masks_that_overlap_count_once(document: CorpusDocument) -> None:
    assert tab_counts(document, [(0, 20), (5, 20), (0, 20)]) == tab_counts(document, [(0, 20)])


def test_undefined_is_undefined(document: CorpusDocument) -> None:
    assert tab_scores(tab_counts(document, [])).precision is None
    assert tab_scores(TabCounts()).er_direct is None
    assert tab_scores(tab_counts(document, NAMES, weight=None)).weighted_precision is None


def test_rare_words_weigh_more() -> None:
    content, known = information_content(), vocabulary()
    assert content is not None and known is not None
    assert 0 < content("the") < content("researcher") < content("Necatigil")
    assert known("researcher")
    assert not known("qxzzvpk")


def test_published_rows() -> None:
    rows = {
        row["system"]: [row[key] for key in ("recall", "er_direct", "er_quasi", "precision", "weighted_precision")]
        for row in published()
    }
    assert list(rows.values()) == [
        [0.906, 0.940, 0.874, 0.441, 0.515],
        [0.707, 0.460, 0.758, 0.761, 0.790],
        [0.782, 0.463, 0.802, 0.542, 0.609],
        [0.919, 1.000, 0.916, 0.836, 0.850],
    ]


def test_rows_of_the_same_document_are_its_annotators(tmp_path: Path, document: CorpusDocument) -> None:
    rows = [{"doc_id": "1", "text": TEXT, "dataset_type": "test", "entities": mentions} for mentions in (FIRST, SECOND)]
    (tmp_path / "tab.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert read_corpus(tmp_path / "tab.jsonl") == [document]


@pytest.mark.parametrize(
    "span",
    [
        {"start": 0, "end": 3, "entity_type": "PERSON"},
        {"start_position": 0, "end_position": 3, "label": "PERSON"},
        {"start_offset": 0, "end_offset": 3, "entity_type": "PERSON"},
        [0, 3, "PERSON"],
    ],
)
def test_spans_are_read_in_their_usual_forms(tmp_path: Path, span: object) -> None:
    (tmp_path / "c.jsonl").write_text(json.dumps({"text": "Ann left", "spans": [span]}), encoding="utf-8")
    assert read_corpus(tmp_path / "c.jsonl") == [CorpusDocument("1", "Ann left", (Marked(0, 3, "PERSON"),))]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "there is no document"),
        ("{broken", "line 1: not a JSON object"),
        ('{"text": "a"}', "line 1: neither spans nor entities"),
        ('{"spans": []}', "line 1: text is missing"),
        ('{"text": "secret", "spans": [{"start": 0, "end": 9}]}', "line 1: a span lies outside"),
        ('{"text": "secret", "spans": [5]}', "line 1: a span is neither"),
        ('[{"text": "secret"}]', "document 1: neither spans nor"),
        ('[{"text": "secret", "annotations": {"a": {"entity_mentions": [{}]}}}]', "document 1: a mention lacks"),
        ("[", "not JSON"),
    ],
)
def test_what_is_no_corpus_is_named_without_its_text(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "c.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(LabelError, match=message) as caught:
        read_corpus(tmp_path / "c.jsonl")
    assert "secret" not in str(caught.value)


def test_common_names() -> None:
    assert [
        category_of(name) for name in ("PERSON", "first_name", "US_SSN", "DATE-TIME", "EMAIL_ADDRESS", "strange")
    ] == [
        "person",
        "person",
        "number",
        "date",
        "contact",
        "other",
    ]
    assert [label_of(category) for category in ("person", "location", "date", "strange")] == [
        "name",
        "location",
        "other",
        "other",
    ]


def test_a_perfect_system_and_a_blind_one(document: CorpusDocument) -> None:
    gold = [Marked(span.start, span.end, category_of(span.category)) for span in document.spans]
    perfect, blind = measure([document], [gold]), measure([document], [[]])
    assert perfect.figures["tokens"]["f"] == perfect.figures["instances"]["f"] == 1.0
    assert (perfect.figures["tab"]["er_direct"], perfect.figures["tab"]["er_quasi"]) == (1.0, 1.0)
    assert perfect.figures["documents"]["risk"]["none"] == 1
    assert blind.figures["tokens"]["recall"] == 0.0
    assert blind.figures["tokens"]["precision"] is None
    assert blind.figures["documents"]["emr"] == 1.0
    assert blind.figures["recall_by_type"]["PERSON"]["recall"] == 0.0
    changes = differences(perfect, blind)
    assert changes["token F"]["difference"] == 1.0
    assert changes["token precision"]["p"] is None


def test_a_document_in_which_nobody_marked_anything_counts_in_precision(tmp_path: Path) -> None:
    """Such documents were left out, so whatever a system masked there cost nothing."""
    empty = {"doc_id": "2", "text": "Huntington was ruled out.", "annotations": {"a": {"entity_mentions": []}}}
    (tmp_path / "two.json").write_text(json.dumps([ROW, empty]), encoding="utf-8")
    corpus = read_corpus(tmp_path / "two.json")
    gold = [Marked(span.start, span.end, category_of(span.category)) for span in corpus[0].spans]
    careful, eager = measure(corpus, [gold, []]), measure(corpus, [gold, [Marked(0, 10, "person")]])
    for level in ("tokens", "instances", "tab"):
        assert eager.figures[level]["precision"] < careful.figures[level]["precision"], level
        assert eager.figures[level]["recall"] == careful.figures[level]["recall"]
    assert differences(careful, eager)["token precision"]["difference"] > 0
