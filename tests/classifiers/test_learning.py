import numpy as np
import pytest

from classifiers.learning import Frequencies, Learning, learn_weights

LEARNING = Learning(general=0.85, cap=5.0, rare=3.0)
TOTAL = 999


def weight_of(records: float, general: float, everyday: float, *, general_total: int = TOTAL) -> float:
    """The weight of the first of two concepts; the second keeps the category from being empty."""
    weights = learn_weights(
        Frequencies(np.array([records, 1.0]), TOTAL),
        Frequencies(np.array([general, 1.0]), general_total),
        Frequencies(np.array([everyday, 1.0]), TOTAL),
        np.array([0, 0]),
        LEARNING,
    )
    return float(weights[0])


@pytest.mark.parametrize(
    ("records", "general", "everyday"),
    [
        pytest.param(300, 300, 300, id="as frequent everywhere"),
        pytest.param(300, 0, 400, id="more frequent in everyday text"),
        pytest.param(100, 600, 0, id="more frequent in general health text"),
    ],
)
def test_what_does_not_mark_a_record_weighs_nothing(records: float, general: float, everyday: float) -> None:
    assert weight_of(records, general, everyday) == pytest.approx(0.0, abs=0.02)


def test_weights_rise_with_the_odds_of_a_record() -> None:
    weights = [weight_of(records, 50, 50) for records in (50, 100, 200, 400, 800)]
    assert weights == sorted(weights)
    assert weights[0] == pytest.approx(0.0, abs=0.02)
    assert weights[3] == pytest.approx(np.log(8), rel=0.05)


def test_no_weight_is_above_the_cap() -> None:
    assert weight_of(999, 0, 0) == LEARNING.cap


def test_without_general_health_text_everyday_text_decides() -> None:
    assert weight_of(400, 0, 50, general_total=0) == pytest.approx(np.log(8), rel=0.05)


def test_an_unseen_term_weighs_what_rare_terms_of_its_category_weigh() -> None:
    records = Frequencies(np.array([0.0, 3.0, 3.0, 0.0, 0.0]), TOTAL)
    nothing = Frequencies(np.zeros(5), TOTAL)
    weights = learn_weights(records, nothing, nothing, np.array([0, 0, 0, 1, 1]), LEARNING)
    assert weights[0] == pytest.approx(np.log(6.5 / 0.5))
    assert weights[3] == pytest.approx(0.0)
