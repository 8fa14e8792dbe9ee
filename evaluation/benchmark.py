"""A corpus and the spans that systems marked in it -> every measure for each system, and which differences are real."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evaluation.ambiguity import hard_tokens
from evaluation.categories import category_of, label_of, parted_by
from evaluation.documents import LABELS, Readable, document_scores
from evaluation.formats.document import CorpusDocument
from evaluation.information import information_content, vocabulary
from evaluation.instances import InstanceCounts, instance_counts
from evaluation.randomization import Figure, approximate_randomization, f_of, precision_of, recall_of
from evaluation.spans import Marked, Record, categories, joined, tokens
from evaluation.tab import TabCounts, tab_counts, tab_scores
from evaluation.tokens import ANY, TokenCounts, add_up, token_counts


@dataclass(frozen=True, slots=True)
class Measured:
    """One system on one corpus: counts by document for tests, and figures for people."""

    by_document: dict[str, list[Any]]
    figures: dict[str, Any]


def measure(documents: Sequence[CorpusDocument], found: Sequence[Sequence[Marked]]) -> Measured:
    records = [
        Record(document.text, tuple(_common(document.spans)), tuple(marks))
        for document, marks in zip(documents, found, strict=True)
    ]
    by_token = [token_counts(record) for record in records]
    by_instance = [
        instance_counts(joined(record.text, record.gold, parted_by), joined(record.text, record.found, parted_by))
        for record in records
    ]
    tokens_of = add_up(by_token)
    instances = sum(by_instance, InstanceCounts())
    figures: dict[str, Any] = {
        "tokens": _scored(tokens_of.get(ANY, TokenCounts())),
        "tokens_by_category": {category: _scored(counts) for category, counts in tokens_of.items() if category != ANY},
        "instances": _scored(instances),
        "recall_by_type": type_recall(documents, found),
        "hard_tokens": _hard(records),
        "documents": asdict(document_scores([readable(record) for record in records])),
    }
    by_document: dict[str, list[Any]] = {
        "tokens": [_row(counts.get(ANY, TokenCounts())) for counts in by_token],
        "instances": [
            (one.correct, one.substituted + one.inserted, one.substituted + one.deleted) for one in by_instance
        ],
    }
    if any(document.annotators for document in documents):
        weight = information_content()
        tab = [
            tab_counts(document, [span[:2] for span in marks], weight)
            for document, marks in zip(documents, found, strict=True)
        ]
        summed = sum(tab, TabCounts())
        figures["tab"] = {**asdict(tab_scores(summed)), "counts": asdict(summed)}
        by_document["er_quasi"] = [(one.quasi_found, 0, one.quasi - one.quasi_found) for one in tab]
        by_document["er_direct"] = [(one.direct_found, 0, one.direct - one.direct_found) for one in tab]
        by_document["tab_recall"] = [(one.tokens_found, 0, one.tokens - one.tokens_found) for one in tab]
        by_document["tab_precision"] = [(one.masked_rightly, one.masked - one.masked_rightly, 0) for one in tab]
    return Measured(by_document, figures)


_TESTED: tuple[tuple[str, str, Figure], ...] = (
    ("token F", "tokens", f_of),
    ("token precision", "tokens", precision_of),
    ("token recall", "tokens", recall_of),
    ("instance F", "instances", f_of),
    ("R", "tab_recall", recall_of),
    ("ER_di", "er_direct", recall_of),
    ("ER_qi", "er_quasi", recall_of),
    ("P", "tab_precision", precision_of),
)


def differences(first: Measured, second: Measured) -> dict[str, dict[str, Any]]:
    """Approximate randomization over whole documents, for each figure that both have."""
    return {
        name: asdict(
            approximate_randomization(
                np.array(first.by_document[counts], dtype=float),
                np.array(second.by_document[counts], dtype=float),
                figure,
            )
        )
        for name, counts, figure in _TESTED
        if counts in first.by_document and counts in second.by_document
    }


def type_recall(documents: Sequence[CorpusDocument], found: Sequence[Sequence[Marked]]) -> dict[str, dict[str, Any]]:
    """Per type, as the corpus names it: the tokens of it, and how many were marked at all, whatever as."""
    totals: dict[str, list[int]] = {}
    for document, marks in zip(documents, found, strict=True):
        places = tokens(document.text)
        for kind, mark in zip(categories(places, document.spans), categories(places, marks), strict=True):
            if kind is not None:
                counts = totals.setdefault(kind, [0, 0])
                counts[0] += 1
                counts[1] += mark is not None
    return {
        kind: {"tokens": all_of, "found": hit, "recall": hit / all_of} for kind, (all_of, hit) in sorted(totals.items())
    }


def readable(record: Record) -> Readable:
    """Which of name, location and other a document has, and which stay readable: one token left is enough."""
    places = tokens(record.text)
    data, left = set(), set()
    for gold, mark in zip(categories(places, record.gold), categories(places, record.found), strict=True):
        if gold is not None:
            data.add(label_of(gold))
            if mark is None:
                left.add(label_of(gold))
    return Readable(frozenset(data) & frozenset(LABELS), frozenset(left) & frozenset(LABELS))


def _hard(records: Sequence[Record]) -> Mapping[str, Any]:
    in_vocabulary = vocabulary()
    recalls = hard_tokens(records, in_vocabulary or (lambda word: True))
    kinds = {"ambiguous": recalls.ambiguous, "unambiguous": recalls.unambiguous}
    if in_vocabulary is not None:
        kinds |= {"out_of_vocabulary": recalls.out_of_vocabulary, "in_vocabulary": recalls.in_vocabulary}
    return {name: {**asdict(recall), "recall": recall.recall} for name, recall in kinds.items()}


def _common(spans: Sequence[Marked]) -> list[Marked]:
    return [Marked(span.start, span.end, category_of(span.category)) for span in spans]


def _scored(counts: TokenCounts | InstanceCounts) -> dict[str, Any]:
    return {**asdict(counts), **asdict(counts.scores)}


def _row(counts: TokenCounts) -> tuple[int, int, int]:
    return counts.true_positive, counts.false_positive, counts.false_negative
