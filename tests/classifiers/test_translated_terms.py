"""Public lists of diseases and drugs in other languages -> terms that count as the English."""

import json
from pathlib import Path

import pytest

from classifiers.training import translated_terms
from classifiers.training.translated_terms import DISEASES, DRUGS, write_translated_terms
from classifiers.vocabulary import Term

ENGLISH = {
    term.tokens: term
    for term in [
        Term("kidney edema", "kidney edema", "disease"),
        Term("timolol", "timolol", "drug"),
        Term("xalacom", "xalacom", "drug"),
    ]
}
ROWS = [
    ("rdfs:label", "kidney oedema", "edema nefrótico"),
    ("oboInOwl:hasExactSynonym", "unknown thing", "nefritis rara"),
    ("oboInOwl:hasExactSynonym", "Job syndrome", "Síndrome de trabajo"),
    ("oboInOwl:hasExactSynonym", "MRD8", "RMD8"),
    ("IAO:0000115", "a definition", "una nefritis"),
    ("oboInOwl:hasBroadSynonym", "nephritis", "nefritis ancha"),
]


def test_short_names_count_as_the_english_and_everyday_words_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["predicate\tsource_text\ttranslation_text", *("\t".join(row) for row in ROWS)]
    (tmp_path / DISEASES).write_text("\n".join(lines), encoding="utf-8")
    drugs = {"S01ED01": ["DIGAOL", "JASMINE", "TIMO COMOD", "XALACOM", "timolol"]}
    (tmp_path / DRUGS).write_text(json.dumps(drugs), encoding="utf-8")
    monkeypatch.setattr(translated_terms, "TRANSLATED_FILE", tmp_path / "terms.tsv")
    write_translated_terms(tmp_path, ENGLISH)
    assert translated_terms.translated_terms() == sorted(
        [
            Term("edema nefrótico", "kidney edema", "disease"),
            Term("edema nefrotico", "kidney edema", "disease"),
            Term("nefritis rara", "nefritis rara", "disease"),
            Term("digaol", "timolol", "drug"),
        ]
    )
