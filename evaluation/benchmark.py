"""A corpus and the spans that systems marked in it -> every measure for each system, and which differences are real."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from evaluation.ambiguity import hard_tokens
from evaluation.categories import Scheme, category_of, label_of
from evaluation.documents import LABELS, Readable, document_scores
from evaluation.formats.document import CorpusDocument
from evaluation.i2b2_rules import as_counted
from evaluation.information import Weights, vocabulary, word_weights
from evaluation.instances import InstanceCounts, category_scores, matching
from evaluation.joining import joined
from evaluation.mistakes import mistakes, mixed_up
from evaluation.randomization import Figure, approximate_randomization, f_of, precision_of, recall_of
from evaluation.spans import Marked, Record, categories, tokens
from evaluation.tab import TabCounts, tab_counts, tab_scores
from evaluation.tokens import ANY, TokenCounts, add_up, token_counts


@dataclass(frozen=True, slots=True)
class Measured:
    """One system on one corpus: counts by document for tests, and figures for people."""

    by_document: dict[str, list[Any]]
    figures: dict[str, Any]


def measure(
    documents: Sequence[CorpusDocument],
    found: Sequence[Sequence[Marked]],
    scheme: Scheme = Scheme.COMMON,
    weights: Weights | None = None,
) -> Measured:
    """Spans keep the names that corpus and system gave them; `scheme` makes them comparable."""
    records = [
        Record(document.text, _in(scheme, document.text, document.spans), _in(scheme, document.text, marks))
        for document, marks in zip(documents, found, strict=True)
    ]
    by_token = [token_counts(record) for record in records]
    matched = [matching(joined(record.text, record.gold), joined(record.text, record.found)) for record in records]
    tokens_of = add_up(by_token)
    any_category = tokens_of.pop(ANY, TokenCounts())
    figures: dict[str, Any] = {
        "tokens": _scored(any_category),
        "tokens_right_category": _scored(sum(tokens_of.values(), TokenCounts())),
        "tokens_by_category": {category: _scored(counts) for category, counts in tokens_of.items()},
        "instances": _scored(sum((one.counts for one in matched), InstanceCounts())),
        "instances_by_category": {
            category: {"instances": number, **asdict(scores)}
            for category, (number, scores) in category_scores(matched).items()
        },
        "mistakes": {kind: dict(sorted(counts.items())) for kind, counts in mistakes(matched).items()},
        "mixed_up": {gold: dict(sorted(counts.items())) for gold, counts in mixed_up(records).items()},
        "recall_by_type": type_recall(documents, found),
        "hard_tokens": {kind: _scored(counts) for kind, counts in hard_tokens(records, vocabulary()).items()},
        "documents": asdict(document_scores(map(readable, documents, found))),
    }
    by_document: dict[str, list[Any]] = {
        "tokens": [_row(counts.get(ANY, TokenCounts())) for counts in by_token],
        "instances": [
            (one.correct, one.substituted + one.inserted, one.substituted + one.deleted)
            for one in (one.counts for one in matched)
        ],
    }
    if any(document.annotators for document in documents):
        _add_tab(documents, found, weights, figures, by_document)
    return Measured(by_document, figures)


def _add_tab(
    documents: Sequence[CorpusDocument],
    found: Sequence[Sequence[Marked]],
    weights: Weights | None,
    figures: dict[str, Any],
    by_document: dict[str, list[Any]],
) -> None:
    weighed = weights or word_weights([document.text for document in documents])
    tab = [
        tab_counts(document, [span[:2] for span in marks], weight)
        for document, marks, weight in zip(documents, found, weighed.of_document, strict=True)
    ]
    summed = sum(tab, TabCounts())
    figures["tab"] = {**asdict(tab_scores(summed)), "weighted_by": weighed.origin, "counts": asdict(summed)}
    by_document["er_quasi"] = [(one.quasi_found, 0, one.quasi - one.quasi_found) for one in tab]
    by_document["er_direct"] = [(one.direct_found, 0, one.direct - one.direct_found) for one in tab]
    by_document["tab_recall"] = [(one.tokens_found, 0, one.tokens - one.tokens_found) for one in tab]
    by_document["tab_precision"] = [(one.masked_rightly, one.masked - one.masked_rightly, 0) for one in tab]


_TESTED: tuple[tuple[str, str, Figure], ...] = (
    ("token precision", "tokens", precision_of),
    ("token recall", "tokens", recall_of),
    ("token F", "tokens", f_of),
    ("instance precision", "instances", precision_of),
    ("instance recall", "instances", recall_of),
    ("instance F", "instances", f_of),
    ("R", "tab_recall", recall_of),
    ("ER_di", "er_direct", recall_of),
    ("ER_qi", "er_quasi", recall_of),
    ("P", "tab_precision", precision_of),
)


def all_differences(measured: Mapping[str, Measured]) -> dict[str, dict[str, Any]]:
    """Every system against every other."""
    return {
        f"{first} against {second}": differences(measured[first], measured[second])
        for first, second in combinations(measured, 2)
    }


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


def readable(document: CorpusDocument, found: Iterable[Marked]) -> Readable:
    """Which of name, location and other a document has, and which stay readable: one token left is enough."""
    places = tokens(document.text)
    data, left = set(), set()
    for gold, mark in zip(categories(places, document.spans), categories(places, found), strict=True):
        if gold is not None:
            label = label_of(category_of(gold))
            data.add(label)
            if mark is None:
                left.add(label)
    return Readable(frozenset(data) & frozenset(LABELS), frozenset(left) & frozenset(LABELS))


def _in(scheme: Scheme, text: str, spans: Iterable[Marked]) -> tuple[Marked, ...]:
    named = [Marked(span.start, span.end, category_of(span.category, scheme)) for span in spans]
    return tuple(as_counted(text, named) if scheme == Scheme.I2B2 else named)


def _scored(counts: TokenCounts | InstanceCounts) -> dict[str, Any]:
    return {**asdict(counts), **asdict(counts.scores)}


def _row(counts: TokenCounts) -> tuple[int, int, int]:
    return counts.true_positive, counts.false_positive, counts.false_negative
