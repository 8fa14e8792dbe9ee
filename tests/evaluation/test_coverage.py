"""The intervals hold the truth about as often as they claim; the full simulation is benchmarks/simulate_rates.py."""

import pytest

from benchmarks.simulate_rates import DESIGNS, kinds, outside, plot, report, simulate, truths

RUNS = 150
QUICK = ("half of the flagged", "three copies each, all flagged", "three stages: half, a quarter, a tenth")


@pytest.mark.parametrize("name", QUICK)
def test_intervals_cover_the_truth(name: str) -> None:
    design = next(design for design in DESIGNS if design.name == name)
    for found in simulate(design, 0.165, RUNS, 3):
        if found.covered is not None:
            assert found.undefined == 0
            assert 0.90 <= found.covered <= 0.995, found


def test_fractions_are_defined_only_where_all_stages_are_drawn_from() -> None:
    defined = {
        design.name: {row.figure for row in simulate(design, 0.165, 2, 1) if row.covered is not None}
        for design in DESIGNS
        if design.name in QUICK
    }
    assert {"TPF", "FPF", "P[PHI]"} <= defined[QUICK[2]]
    assert not {"TPF", "FPF", "P[PHI]"} & defined[QUICK[0]]


def test_the_model_has_the_rates_that_it_is_asked_for() -> None:
    found = truths(kinds(0.165), DESIGNS[0].copies)
    assert found["TDP"] == pytest.approx(0.165 * 0.8)
    assert found["FRP"] == pytest.approx(0.835 * 0.05)
    assert found["rTPF"] == pytest.approx(0.8 / 0.7)
    assert found["tool TDP"] == pytest.approx(0.165 * 0.9 * 0.85)
    assert found["P[PHI]"] == pytest.approx(0.165)


def test_table_and_plot_show_every_figure() -> None:
    found = simulate(DESIGNS[0], 0.165, 3, 1)
    defined = [row for row in found if row.covered is not None]
    assert plot(found).count("<circle") == len(defined) + len({row.figure for row in defined})
    assert "| all flagged verified | 16.5 % |" in report(found)
    assert all(row.covered not in (0.94, 0.96) for row in outside(found))
