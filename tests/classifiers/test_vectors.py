import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifiers.matcher import Matches
from classifiers.vectors import Shape, Weights, concept_counts, densest_windows, unit_vectors, weighted_terms

SHAPE = Shape(repeat=0.5, category=1.0, few_terms=5.0, everyday=1.0)
WEIGHTS = Weights(
    concept_of_term=np.array([0, 1, 1, 2]),  # terms 1 and 2 are one concept; concept 2 weighs nothing
    weight=np.array([2.0, 3.0, 0.0]),
    category=np.array([0, 1, 1]),
    categories=2,
)


def matches(*found: tuple[int, int, int], lengths: tuple[int, ...]) -> Matches:
    columns = np.array(found, dtype=np.int64).reshape(-1, 3)
    return Matches(columns[:, 0], columns[:, 1], columns[:, 2], np.array(lengths, dtype=np.int64))


def test_terms_of_one_concept_are_counted_together() -> None:
    counts = concept_counts(matches((0, 0, 1), (0, 3, 2), (1, 0, 0), lengths=(5, 5)), WEIGHTS)
    assert counts.toarray().tolist() == [[0, 2, 0], [1, 0, 0]]


def test_weightless_concepts_disappear_and_repeats_are_damped() -> None:
    weighted = weighted_terms(concept_counts(matches((0, 0, 1), (0, 3, 2), (0, 4, 3), lengths=(5,)), WEIGHTS), WEIGHTS, SHAPE)
    assert weighted.nnz == 1
    assert weighted[0, 1] == pytest.approx(3.0 * (1 + 0.5 * np.log(2)))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 3)), max_size=12), st.booleans())
def test_vectors_have_length_one(found: list[tuple[int, int, int]], prototype: bool) -> None:
    batch = matches(*sorted(found), lengths=(10, 10, 10))
    weighted = weighted_terms(concept_counts(batch, WEIGHTS), WEIGHTS, SHAPE)
    vectors = unit_vectors(weighted, batch.lengths, WEIGHTS, SHAPE, prototype=prototype).toarray()
    has_terms = weighted.toarray().any(axis=1)
    expected = has_terms if prototype else np.ones(3)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), expected.astype(float))


def test_prototypes_have_no_everyday_mass_and_longer_texts_have_more() -> None:
    batch = matches((0, 0, 0), (1, 0, 0), lengths=(10, 1000))
    weighted = weighted_terms(concept_counts(batch, WEIGHTS), WEIGHTS, SHAPE)
    documents = unit_vectors(weighted, batch.lengths, WEIGHTS, SHAPE, prototype=False).toarray()
    prototypes = unit_vectors(weighted, batch.lengths, WEIGHTS, SHAPE, prototype=True).toarray()
    assert prototypes[:, -1].tolist() == [0, 0]
    assert 0 < documents[0, -1] < documents[1, -1]


def test_the_densest_window_is_kept_of_long_documents_alone() -> None:
    batch = matches((0, 0, 1), (1, 5, 0), (1, 300, 1), (1, 310, 1), (1, 330, 0), (1, 900, 1), lengths=(20, 1000))
    window = densest_windows(batch, WEIGHTS, 50)
    assert window.document.tolist() == [1, 1, 1]
    assert window.position.tolist() == [300, 310, 330]
    assert window.lengths.tolist() == [20, 50]


def test_a_long_document_without_terms_has_an_empty_window() -> None:
    assert len(densest_windows(matches(lengths=(1000,)), WEIGHTS, 50).term) == 0
