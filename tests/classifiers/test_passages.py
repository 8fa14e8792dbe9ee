"""The judgement of passages: nearest prototypes, batches, evidence, and what vectors are kept of a passage."""

import random

import numpy as np
import pytest

from classifiers.distances import euclidean
from classifiers.health import HealthModel
from classifiers.model_file import shipped_model
from tests.classifiers.small_corpus import everyday, general, note

MODEL = HealthModel.from_bytes(shipped_model())
RNG = random.Random(21)
PASSAGES = [
    *(f"Patient: subjecttoken\n{note(RNG)}" for _ in range(6)),
    *(f"Hello persontoken! {general(RNG)}" for _ in range(6)),
    *(f"authortoken wrote: {everyday(RNG)}" for _ in range(6)),
    "",
    "\ud800 <>{}[] subjecttoken",
]


def test_the_nearest_prototypes_are_those_of_a_full_search() -> None:
    content = MODEL.content.passages
    assert content is not None
    assert MODEL.passages is not None
    distances = euclidean(MODEL.passages._vectors(PASSAGES), content.prototypes)
    for verdict, row in zip(MODEL.classify_passages(PASSAGES), distances, strict=True):
        assert [one.distance for one in verdict.nearest] == pytest.approx(np.sort(row)[:3].tolist(), abs=1e-8)
        named = {one.prototype: one.distance for one in verdict.nearest}
        for prototype, distance in named.items():
            at = content.names.index(prototype)
            assert distance == pytest.approx(row[at], abs=1e-8) or content.names.count(prototype) > 1


def test_a_passage_is_judged_the_same_alone_and_among_others() -> None:
    assert MODEL.classify_passages(PASSAGES) == [MODEL.classify_passages([text])[0] for text in PASSAGES]


def test_no_passages_give_no_verdicts_and_no_vectors() -> None:
    assert MODEL.classify_passages([]) == []
    assert MODEL.passage_vectors([]).shape[0] == 0


def test_vectors_are_kept_of_passages_with_evidence_alone() -> None:
    both = MODEL.passage_vectors([PASSAGES[0], "persontoken likes the garden.", PASSAGES[1]])
    assert both.shape[0] == 2
    assert np.allclose(both, MODEL.passage_vectors(PASSAGES[:2]))


def test_words_of_another_language_are_evidence_as_what_they_say_in_english() -> None:
    broken_arm, garden = (
        "subjecttoken hat einen Armbruch und kommt erst in sechs Wochen wieder zur Arbeit.",
        "subjecttoken hat einen Garten und kommt erst in sechs Wochen wieder zur Arbeit.",
    )
    assert [verdict.positive for verdict in MODEL.classify_passages([broken_arm, garden])] == [True, False]
