from itertools import product

import numpy as np
import pytest

from evaluation.randomization import approximate_randomization, f_of, precision_of, recall_of

BETTER = [(9, 1, 1), (8, 2, 1), (9, 0, 2), (7, 1, 0), (9, 1, 1), (8, 1, 1), (6, 0, 1), (9, 2, 1)]
WORSE = [(5, 4, 5), (6, 3, 3), (5, 5, 6), (4, 2, 3), (5, 5, 5), (6, 3, 3), (3, 3, 4), (6, 5, 4)]


def exact(first: list[tuple[int, int, int]], second: list[tuple[int, int, int]]) -> float:
    """The share of all 2^records swaps with a difference of F at least as large."""

    def f(rows: list[tuple[int, int, int]]) -> float:
        tp, fp, fn = (sum(column) for column in zip(*rows, strict=True))
        return float(2 * tp / (2 * tp + fp + fn))

    real = abs(f(first) - f(second))
    swaps = list(product((False, True), repeat=len(first)))
    extreme = 0
    for swap in swaps:
        pairs = [(b, a) if turned else (a, b) for turned, a, b in zip(swap, first, second, strict=True)]
        extreme += abs(f([a for a, _ in pairs]) - f([b for _, b in pairs])) >= real - 1e-12
    return extreme / len(swaps)


@pytest.mark.parametrize(("first", "second"), [(BETTER, WORSE), (BETTER[:4] + WORSE[4:], WORSE[:3] + BETTER[3:])])
def test_shuffles_come_close_to_all_swaps(
    first: list[tuple[int, int, int]], second: list[tuple[int, int, int]]
) -> None:
    found = approximate_randomization(first, second, f_of)
    assert found.shuffles == 9_999
    assert found.p == pytest.approx(exact(first, second), abs=0.02)
    assert found.significant == (found.p is not None and found.p <= 0.1)


def test_a_system_is_not_better_than_itself() -> None:
    found = approximate_randomization(BETTER, BETTER, f_of)
    assert (found.difference, found.p, found.significant) == (0.0, 1.0, False)


def test_the_smallest_p_is_one_over_all_shuffles() -> None:
    first, second = np.tile((9, 0, 0), (60, 1)), np.tile((0, 9, 9), (60, 1))
    assert approximate_randomization(first, second, f_of, shuffles=999).p == 1 / 1000


def test_the_same_seed_gives_the_same_answer() -> None:
    assert approximate_randomization(BETTER, WORSE, recall_of, 500, 3) == approximate_randomization(
        BETTER, WORSE, recall_of, 500, 3
    )


def test_undefined_figures_are_undefined() -> None:
    found = approximate_randomization([(0, 0, 4)], [(1, 0, 3)], precision_of)
    assert (found.first, found.second, found.p, found.significant) == (None, 1.0, None, None)


def test_systems_must_have_seen_the_same_records() -> None:
    with pytest.raises(ValueError, match="one row of counts"):
        approximate_randomization(BETTER, WORSE[:3], f_of)
