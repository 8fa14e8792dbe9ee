"""The intervals hold the truth about as often as they claim; the full simulation is benchmarks/simulate_rates.py."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.simulate_rates import Design, modelled, plot, simulate, table

RUNS = 300


@pytest.mark.parametrize("low", [Fraction(1, 2), Fraction(1, 5)], ids=["one stratum", "two strata"])
def test_sampled_designs_cover_the_truth(low: Fraction) -> None:
    design = Design("20,000 files, half verified", 20_000, Fraction(1, 2), low)
    for found in simulate(design, modelled(0.0098), RUNS, np.random.default_rng(3)):
        assert found.undefined == 0
        assert found.covered is not None
        assert 0.915 <= found.covered <= 0.985, found


def test_the_model_has_the_rates_that_it_is_asked_for() -> None:
    truths = modelled(0.165).truths
    assert truths["TDP"] == pytest.approx(0.165 * 0.8)
    assert truths["FRP"] == pytest.approx(0.835 * 0.05)
    assert truths["rTPF"] == pytest.approx(0.8 / 0.7)


def test_table_and_plot_show_every_figure() -> None:
    design = Design("450 files, all verified", 450, Fraction(1), Fraction(1))
    found = list(simulate(design, modelled(0.165), 5, np.random.default_rng(1)))
    assert plot(found).count("<circle") == 2 * len(found)
    assert "| 450 files, all verified | 16.5 % |" in table(found)
