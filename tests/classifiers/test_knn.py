import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.utils.estimator_checks import check_estimator

from classifiers.distances import distances_by_class, euclidean, leave_one_out, mean_of_nearest
from classifiers.knn import OneClassKNN, PrototypeKNN, condense

RNG = np.random.default_rng(4)
NEAR = RNG.normal(0.0, 1.0, (40, 5))
FAR = RNG.normal(8.0, 1.0, (40, 5))


@pytest.mark.parametrize("estimator", [OneClassKNN(), PrototypeKNN()], ids=["one class", "several classes"])
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_takes_them_for_its_own(estimator: OneClassKNN | PrototypeKNN) -> None:
    results = check_estimator(estimator, on_fail=None)
    assert len(results) > 40
    # The check of other array libraries runs only where an environment variable asks scipy for them.
    assert {result["check_name"] for result in results if result["status"] != "passed"} <= {"check_array_api_input"}
    assert not [result["check_name"] for result in results if result["status"] in ("failed", "xfail")]


@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_distances_are_euclidean_and_exact(wrap: type) -> None:
    np.testing.assert_allclose(euclidean(wrap(NEAR), wrap(FAR)), pairwise_distances(NEAR, FAR))


@settings(deadline=None)
@given(st.integers(1, 12))
def test_the_mean_of_the_nearest(k: int) -> None:
    distances = euclidean(NEAR[:3], FAR)
    np.testing.assert_allclose(mean_of_nearest(distances, k), np.sort(distances, axis=1)[:, :k].mean(axis=1))


def test_no_prototype_is_its_own_neighbour() -> None:
    twice = np.vstack([NEAR, NEAR])
    assert leave_one_out(twice, 1).max() == pytest.approx(0.0, abs=1e-6)
    assert leave_one_out(NEAR, 1).min() > 0.01
    assert np.isinf(leave_one_out(NEAR[:1], 3)).all()


def test_classes_without_prototypes_are_infinitely_far() -> None:
    by_class = distances_by_class(np.array([[1.0, 2.0, 5.0]]), np.array([0, 0, 2]), 3, 2)
    assert by_class.tolist() == [[1.5, np.inf, 5.0]]


def test_ten_examples_are_enough_to_learn_a_threshold() -> None:
    learned = OneClassKNN(n_neighbors=3, accepted=0.9).fit(NEAR[:10])
    assert (learned.predict(NEAR[:10]) == 1).mean() >= 0.8
    assert (learned.predict(FAR) == -1).all()
    assert ((learned.decision_function(FAR) >= 0) == (learned.predict(FAR) == 1)).all()


def test_labelled_negatives_make_it_a_vote() -> None:
    labels = ["near"] * 40 + ["far"] * 40
    learned = PrototypeKNN(n_neighbors=3).fit(np.vstack([NEAR, FAR]), labels)
    assert (learned.predict(NEAR) == "near").all()
    assert (learned.decision_function(NEAR) > 0).all()


def test_condensing_keeps_real_examples_of_every_region() -> None:
    many = np.vstack([NEAR + RNG.normal(0, 0.1, NEAR.shape) for _ in range(20)] + [FAR])
    kept = condense(many, 50)
    assert len(kept) <= 50
    assert (kept < len(many) - len(FAR)).any()
    assert (kept >= len(many) - len(FAR)).any()
    assert condense(many, 50).tolist() == kept.tolist()
    assert condense(NEAR, 100).tolist() == list(range(40))


def test_thousands_of_sparse_rows_are_condensed_by_region_and_the_same_each_time() -> None:
    regions = [
        sparse.random_array((900, 4000), density=0.002, rng=np.random.default_rng(region), format="csr")
        for region in range(3)
    ]
    for region, rows in enumerate(regions):
        rows.indices[:] = np.sort(rows.indices % 1000 + 1000 * region)  # each region has columns of its own
    many = sparse.vstack(regions, format="csr")
    kept = condense(many, 60)
    assert 30 < len(kept) <= 60
    assert np.bincount(kept // 900, minlength=3).min() >= 5
    assert condense(many, 60).tolist() == kept.tolist()
