import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifiers.matcher import Matches
from classifiers.vectors import Floats, Shape, Weights, concept_counts, concept_shares, densest_windows, unit_vectors
from classifiers.vocabulary import CATEGORIES

SHAPE = Shape(few=10.0)
DISEASE, DRUG, THIRD = (CATEGORIES.index(kind) for kind in ("disease", "drug", "third"))
WEIGHTS = Weights(
    concept_of_term=np.array([0, 1, 1, 2, 3]),  # terms 1 and 2 are one concept
    weight=np.array([0.5, 1.0, 0.0, 1.0]),  # concept 2 weighs nothing, concept 3 is a cue
    kind=np.array([DISEASE, DRUG, DRUG, THIRD]),
)


def matches(*found: tuple[int, int, int], lengths: tuple[int, ...]) -> Matches:
    columns = np.array(found, dtype=np.int64).reshape(-1, 3)
    return Matches(columns[:, 0], columns[:, 1], columns[:, 2], np.array(lengths, dtype=np.int64))


def dense(batch: Matches) -> Floats:
    shares = concept_shares(concept_counts(batch, WEIGHTS), batch.lengths, WEIGHTS, SHAPE)
    vectors: Floats = unit_vectors(shares, WEIGHTS, SHAPE).toarray()
    return vectors


def test_terms_of_one_concept_are_counted_together() -> None:
    counts = concept_counts(matches((0, 0, 1), (0, 3, 2), (1, 0, 0), lengths=(5, 5)), WEIGHTS)
    assert counts.toarray().tolist() == [[0, 2, 0, 0], [1, 0, 0, 0]]


def test_a_share_is_the_weighted_part_of_the_document() -> None:
    batch = matches((0, 0, 0), (0, 3, 1), (0, 4, 3), lengths=(30,))
    shares = concept_shares(concept_counts(batch, WEIGHTS), batch.lengths, WEIGHTS, SHAPE).toarray()
    assert shares.tolist() == [[0.5 / 40, 1 / 40, 0.0, 0.0]]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 4)), max_size=12))
def test_vectors_have_length_one_whatever_was_found(found: list[tuple[int, int, int]]) -> None:
    vectors = dense(matches(*sorted(found), lengths=(10, 10, 10)))
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), np.ones(3))
    assert (vectors >= 0).all()


def test_a_cue_counts_as_its_kind_and_never_as_a_concept() -> None:
    vectors = dense(matches((0, 0, 4), lengths=(10,)))
    assert vectors[0, :4].tolist() == [0, 0, 0, 0]
    assert vectors[0, 4 + THIRD] > 0


def test_the_same_terms_thinly_spread_lie_nearer_to_no_terms() -> None:
    vectors = dense(matches((0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 1), lengths=(20, 2000, 20)))
    nothing = vectors[2]
    assert np.linalg.norm(vectors[1] - nothing) < np.linalg.norm(vectors[0] - nothing)


def test_vectors_do_not_touch_what_they_are_made_of() -> None:
    batch = matches((0, 0, 0), (0, 3, 3), (0, 5, 4), lengths=(30,))
    shares = concept_shares(concept_counts(batch, WEIGHTS), batch.lengths, WEIGHTS, SHAPE)
    before = shares.toarray().tolist()
    unit_vectors(shares, WEIGHTS, SHAPE)
    assert shares.toarray().tolist() == before


def test_the_densest_window_is_kept_of_long_documents_alone() -> None:
    batch = matches((0, 0, 1), (1, 5, 0), (1, 300, 1), (1, 310, 1), (1, 330, 0), (1, 900, 1), lengths=(20, 1000))
    window = densest_windows(batch, WEIGHTS, 50)
    assert window.document.tolist() == [1, 1, 1]
    assert window.position.tolist() == [300, 310, 330]
    assert window.lengths.tolist() == [20, 50]


def test_cues_do_not_make_a_window_dense() -> None:
    cues = [(0, place, 4) for place in range(100, 140)]
    window = densest_windows(matches((0, 5, 1), *cues, lengths=(1000,)), WEIGHTS, 50)
    assert window.position[0] == 5


def test_a_long_document_without_terms_has_an_empty_window() -> None:
    assert len(densest_windows(matches(lengths=(1000,)), WEIGHTS, 50).term) == 0


@pytest.mark.parametrize("length", [0, 1])
def test_an_empty_document_is_all_other_words(length: int) -> None:
    vectors = dense(matches(lengths=(length,)))
    assert np.flatnonzero(vectors[0]).tolist() == [vectors.shape[1] - 1]
