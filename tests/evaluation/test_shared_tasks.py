"""The rules of the shared tasks, each checked on a small case that was worked out by hand."""

import json
from pathlib import Path

import pytest

from evaluation.benchmark import Measured, all_differences, measure
from evaluation.categories import OTHER, Scheme, category_of, scheme_of
from evaluation.corpus import read_corpus
from evaluation.formats.document import CorpusDocument
from evaluation.i2b2_rules import as_counted, without_year
from evaluation.information import Weights, word_weights
from evaluation.instances import InstanceCounts, category_scores, instance_counts, matching
from evaluation.joining import joined
from evaluation.mistakes import NOTHING, Mistake, mistakes, mixed_up
from evaluation.spans import Marked, Record
from screening.ruleset.ruleset import load_rules

EIGHT = ("patient", "doctor", "hospital", "id", "date", "location", "phone", "age")


def places(text: str, *words: str, category: str) -> list[Marked]:
    return [Marked(text.index(word), text.index(word) + len(word), category) for word in words]


@pytest.mark.parametrize(
    ("text", "parts", "wanted"),
    [
        ("seen by SLOAN , CHARLES E today", ["SLOAN", "CHARLES E"], ["SLOAN , CHARLES E"]),
        ("Lee, Ann", ["Lee", "Ann"], ["Lee, Ann"]),
        ("Lee, Ann B", ["Lee", "Ann", "B"], ["Lee, Ann B"]),
        ("Ann Lee, Bob Ray", ["Ann", "Lee", "Bob", "Ray"], ["Ann Lee", "Bob Ray"]),
        ("Lee, Ray, Roe", ["Lee", "Ray", "Roe"], ["Lee", "Ray", "Roe"]),
        ("Lee, Ray and Roe", ["Lee", "Ray", "Roe"], ["Lee", "Ray", "Roe"]),
        ("Lee,\nAnn", ["Lee", "Ann"], ["Lee", "Ann"]),
    ],
)
def test_a_comma_joins_a_last_and_a_first_name_but_not_a_list(text: str, parts: list[str], wanted: list[str]) -> None:
    for category in ("patient", "doctor", "person"):
        spans = joined(text, places(text, *parts, category=category))
        assert [text[span.start : span.end] for span in spans] == wanted
    assert len(joined("1, 2", [Marked(0, 1, "date"), Marked(3, 4, "date")])) == 2


def test_a_name_in_two_parts_is_found_as_one_instance() -> None:
    text = "SLOAN , CHARLES E"
    gold, found = [Marked(0, 17, "doctor")], places(text, "SLOAN", "CHARLES E", category="doctor")
    assert instance_counts(joined(text, gold), joined(text, found)) == InstanceCounts(correct=1)


@pytest.mark.parametrize(
    ("date", "kept"),
    [
        ("11/02/95", "11/02"), ("11/02/1995", "11/02"), ("11/02", "11/02"), ("9/10", "9/10"), ("2067-11-02", "11-02"),
        ("November 2, 1995", "November 2"), ("2 November 1995", "2 November"), ("Nov. 2nd, '95", "Nov. 2nd"),
        ("02-Nov-95", "02-Nov"), ("May 1995", "May"), ("May 95", "May"), ("May 12", "May 12"), ("5/95", "5"),
        ("20671102", "1102"), ("1995", None), ("1990s", None), ("'95", None), ("Tuesday", "Tuesday"),
        ("11.02.2011", "11.02"), ("the 2nd of May, 2011", "the 2nd of May"),
    ],
)  # fmt: skip
def test_a_date_counts_without_its_year(date: str, kept: str | None) -> None:
    text = f"on {date}, said"
    span = without_year(text, Marked(3, 3 + len(date), "date"))
    assert (span and text[span.start : span.end]) == kept


def test_only_ages_over_89_count() -> None:
    text = "89, 90, 101 and ninety years"
    ages = places(text, "89", "90", "101", "ninety years", category="age")
    assert list(as_counted(text, ages)) == ages[1:]


def test_patient_and_doctor_are_two_of_eight_categories() -> None:
    """The types of 2014, and what leakscreen calls things."""
    names = ["PATIENT", "DOCTOR", "HOSPITAL", "MEDICALRECORD", "DATE", "LOCATION-OTHER", "PHONE", "AGE"]
    assert tuple(category_of(name, Scheme.I2B2) for name in names) == EIGHT
    assert [category_of(name) for name in ("PATIENT", "DOCTOR")] == ["person", "person"]
    assert category_of("PERSON", Scheme.I2B2) == "person"  # a system that cannot tell them apart is right in neither
    assert scheme_of(["DOCTOR", "DATE"]) == Scheme.I2B2
    assert scheme_of(["PERSON", "DATE"]) == Scheme.COMMON
    for scheme in Scheme:
        unknown = [each.id for each in load_rules().characteristics if category_of(each.id, scheme) == OTHER]
        assert [name for name in unknown if name.endswith(("number", "name", "date", "address", "code"))] == []


GOLD = (Marked(0, 7, "patient"), Marked(10, 17, "doctor"), Marked(20, 25, "date"), Marked(30, 35, "id"))
TEXT = "Ann Lee x Bob Ray x 11/02 xxx 12345 xx York Hill"


def test_kinds_of_mistakes_and_categories_mixed_up() -> None:
    """Ann too short, Bob Ray as a patient, the date too long and as an id, the number missed, a place too much."""
    found = (Marked(0, 3, "patient"), Marked(10, 17, "patient"), Marked(20, 29, "id"), Marked(39, 48, "location"))
    matched = matching(GOLD, found)
    assert matched.counts == InstanceCounts(correct=0, substituted=3, inserted=1, deleted=1)
    counts = {kind: dict(counted) for kind, counted in mistakes([matched]).items() if counted}
    assert counts == {
        Mistake.TOO_SHORT: {"patient": 1},
        Mistake.CATEGORY: {"doctor": 1},
        Mistake.BOTH: {"date": 1},
        Mistake.MISSED: {"id": 1},
        Mistake.SPURIOUS: {"location": 1},
    }
    (longer,) = mistakes([matching([Marked(2, 4, "x")], [Marked(1, 4, "x")])])[Mistake.TOO_LONG].items()
    (shifted,) = mistakes([matching([Marked(2, 4, "x")], [Marked(3, 5, "x")])])[Mistake.SHIFTED].items()
    assert longer == shifted == ("x", 1)
    assert {gold: dict(row) for gold, row in mixed_up([Record(TEXT, GOLD, found)]).items()} == {
        "patient": {"patient": 1, NOTHING: 1},
        "doctor": {"patient": 2},
        "date": {"id": 2},
        "id": {NOTHING: 1},
        NOTHING: {"id": 1, "location": 2},
    }


def test_instances_by_category() -> None:
    """Two of three marked as patients are; of three doctors one was found: P 2/3 and R 2/2, P 1/1 and R 1/3."""
    gold = [Marked(0, 1, "patient"), Marked(2, 3, "patient"), *(Marked(at, at + 1, "doctor") for at in (4, 6, 8))]
    found = [*gold[:3], Marked(6, 7, "patient")]
    by_category = category_scores([matching(gold, found)])
    patients, doctors = by_category["patient"], by_category["doctor"]
    assert (patients[0], patients[1].precision, patients[1].recall) == (2, 2 / 3, 1.0)
    assert (doctors[0], doctors[1].precision, doctors[1].recall) == (3, 1.0, 1 / 3)


def corpus() -> list[CorpusDocument]:
    return [CorpusDocument(str(number), TEXT, GOLD) for number in range(12)]


def systems() -> dict[str, Measured]:
    """One is right, one misses every doctor, one marks a place too much, in 12 records."""
    marked = {"right": GOLD, "no doctors": (GOLD[0], *GOLD[2:]), "places": (*GOLD, Marked(39, 48, "location"))}
    return {name: measure(corpus(), [spans] * 12, Scheme.I2B2) for name, spans in marked.items()}


def test_every_pair_of_systems_is_tested_at_both_levels() -> None:
    """Where 12 records change alike, one swap of 2^11 is as large: s is about 1/2048, and 1 where nothing differs."""
    differences = all_differences(systems())
    assert list(differences) == ["right against no doctors", "right against places", "no doctors against places"]
    for level, recall, precision in (("token", 5 / 7, 7 / 9), ("instance", 3 / 4, 4 / 5)):
        missing, extra = differences["right against no doctors"], differences["right against places"]
        assert missing[f"{level} recall"]["second"] == recall
        assert missing[f"{level} recall"]["p"] < 0.005
        assert missing[f"{level} precision"]["p"] == 1.0
        assert extra[f"{level} precision"]["second"] == precision
        assert extra[f"{level} precision"]["significant"]
        assert not extra[f"{level} recall"]["significant"]
        assert extra[f"{level} F"]["significant"]


def test_figures_of_the_eight_categories() -> None:
    figures = systems()["no doctors"].figures
    assert figures["tokens_by_category"]["doctor"]["recall"] == 0.0
    assert figures["tokens_by_category"]["patient"]["f"] == 1.0
    assert figures["instances_by_category"]["doctor"]["recall"] == 0.0
    assert figures["mistakes"][Mistake.MISSED] == {"doctor": 12}
    # A system that marks the year too, and one name in two parts, is as right as one that does neither.
    text = "SLOAN , CHARLES E on 11/02/95"
    document = CorpusDocument("1", text, (Marked(0, 17, "DOCTOR"), Marked(21, 26, "DATE")))
    marks = [Marked(0, 5, "DOCTOR"), Marked(8, 17, "DOCTOR"), Marked(21, 29, "DATE")]
    figures = measure([document], [marks], Scheme.I2B2).figures
    assert (figures["tokens"]["f"], figures["instances"]["f"]) == (1.0, 1.0)


def test_weighted_precision_by_frequencies_and_by_other_weights(tmp_path: Path) -> None:
    """Ann and York are masked, Ann rightly; by hand with weights 3 and 1: 3 / 4."""
    mention = {"entity_id": "1", "identifier_type": "DIRECT", "start_offset": 0, "end_offset": 3}
    row = {"doc_id": "1", "text": "Ann of York", "annotations": {"a": {"entity_mentions": [mention]}}}
    (tmp_path / "t.json").write_text(json.dumps([row]), encoding="utf-8")
    documents = read_corpus(tmp_path / "t.json")
    marks = [[Marked(0, 3, "PERSON"), Marked(7, 11, "LOC")]]
    by_words = measure(documents, marks).figures["tab"]
    assert by_words["weighted_by"] == "wordfreq"
    assert 0 < by_words["weighted_precision"] < 1
    weights = Weights("bert", [lambda text, masked: [3.0 if place[0] == 0 else 1.0 for place in masked]])
    by_model = measure(documents, marks, weights=weights).figures["tab"]
    assert (by_model["weighted_precision"], by_model["weighted_by"]) == (0.75, "bert")
    assert by_model["precision"] == by_words["precision"] == 0.5


def test_without_wordfreq_the_corpus_gives_the_frequencies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.information.find_spec", lambda name: None)
    weights = word_weights(["the the the cat"])
    assert weights.origin == "the corpus"
    common, rare = weights.of_document[0]("the cat", [(0, 3), (4, 7)])
    assert 0 < common < rare
