import numpy as np
import pytest

from classifiers.training.learning import Frequencies, Learning, learn_weights

LEARNING = Learning(telling=20.0, prior=0.7, strength=2.0)
TOTAL = 999


def weight_of(health: float, everyday: float) -> float:
    sets = [Frequencies(np.array([health]), TOTAL, True), Frequencies(np.array([everyday]), TOTAL, False)]
    return float(learn_weights(sets, LEARNING)[0])


@pytest.mark.parametrize(("health", "everyday"), [(300, 300), (300, 400), (10, 900)])
def test_what_is_as_frequent_in_everyday_text_weighs_nothing(health: float, everyday: float) -> None:
    assert weight_of(health, everyday) == pytest.approx(0.0, abs=0.01)


def test_weights_rise_with_the_odds_of_health_up_to_one() -> None:
    weights = [weight_of(health, 10) for health in (10, 20, 50, 100, 200, 900)]
    assert weights == sorted(weights)
    assert weights[0] == pytest.approx(0.0, abs=0.1)
    assert weights[2] == pytest.approx(np.log(5) / np.log(20), abs=0.05)
    assert weights[-1] == pytest.approx(1.0, abs=0.01)


def test_a_term_that_no_text_holds_has_the_prior_weight() -> None:
    assert weight_of(0, 0) == pytest.approx(0.7)


def test_a_word_in_one_of_many_small_sets_is_still_no_everyday_word() -> None:
    health = Frequencies(np.array([60.0]), TOTAL, True)
    everyday = [Frequencies(np.array([0.0]), TOTAL, False), Frequencies(np.array([1.0]), 8, False)]
    assert float(learn_weights([health, *everyday], LEARNING)[0]) > 0.6


def test_a_large_set_decides_no_more_than_a_small_one() -> None:
    small = [Frequencies(np.array([10.0]), 20, True), Frequencies(np.array([1.0]), 20, False)]
    large = [Frequencies(np.array([10_000.0]), 20_000, True), Frequencies(np.array([1_000.0]), 20_000, False)]
    mixed = [small[0], large[1], large[0], small[1]]
    assert float(learn_weights(mixed, LEARNING)[0]) == pytest.approx(float(learn_weights(large, LEARNING)[0]), abs=0.06)
