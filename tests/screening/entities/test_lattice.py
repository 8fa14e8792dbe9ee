from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from screening.entities.lattice import marginals, packed


def in_order(emissions: np.ndarray, transitions: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    order = packed(starts, lengths)
    found = np.empty_like(emissions)
    found[order.places] = marginals(emissions[order.places], transitions, order.offsets)
    return found


def by_counting(emissions: np.ndarray, transitions: np.ndarray) -> np.ndarray:
    """Every path of labels weighed on its own."""
    length, labels = emissions.shape
    chances = np.zeros((length, labels))
    for path in product(range(labels), repeat=length):
        score = sum(emissions[place, label] for place, label in enumerate(path))
        score += sum(transitions[left, right] for left, right in pairwise(path))
        for place, label in enumerate(path):
            chances[place, label] += np.exp(score)
    shares: np.ndarray = chances / chances.sum(axis=1, keepdims=True)
    return shares


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_equals_counting_every_path(seed: int, lengths: list[int]) -> None:
    random = np.random.default_rng(seed)
    emissions = random.normal(scale=3, size=(sum(lengths), 3)).astype(np.float32)
    transitions = random.normal(scale=2, size=(3, 3)).astype(np.float32)
    starts = np.cumsum([0, *lengths[:-1]])
    found = in_order(emissions, transitions, starts, np.array(lengths))
    for start, length in zip(starts, lengths, strict=True):
        np.testing.assert_allclose(
            found[start : start + length], by_counting(emissions[start : start + length], transitions), atol=1e-4
        )


@pytest.mark.parametrize("scale", [50.0, 300.0])
def test_large_scores_stay_finite(scale: float) -> None:
    emissions = (np.eye(3, dtype=np.float32) * scale)[[0, 1, 2, 0] * 20]
    found = in_order(emissions, np.zeros((3, 3), dtype=np.float32), np.array([0]), np.array([80]))
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-4)
