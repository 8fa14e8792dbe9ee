"""Exact limits of what a stage lost, and fractions that follow the two-by-two table."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from evaluation.audit import Fractions, exact_interval, fractions, upper_bound
from evaluation.design import NEGATIVE, REFERRED
from evaluation.rates import interval
from evaluation.rows import Domain, Drawn, Row
from evaluation.sampling import NOT_PHI, PHI
from evaluation.scanned import once

ONE = Fraction(1)


@given(st.integers(1, 500), st.data())
def test_the_upper_bound_is_where_so_few_are_seen_one_time_in_twenty(m: int, data: st.DataObject) -> None:
    x = data.draw(st.integers(0, m - 1))
    assert binom.cdf(x, m, upper_bound(x, m)) == pytest.approx(0.05, abs=1e-9)
    assert exact_interval(x, m) == pytest.approx(proportion_confint(x, m, 0.05, method="beta"), abs=1e-7)
    assert upper_bound(m, m) == 1.0


def measured(flagged: tuple[int, int], others: tuple[int, int], share: Fraction = ONE) -> Fractions:
    """PHI and not PHI among the flagged, all verified, and among the others, of which a share was drawn."""
    positive, negative = sum(flagged), round(sum(others) / share)
    n = positive + negative
    domains = [
        Domain(stage, once(files), (Drawn(drawn, dict(zip((PHI, NOT_PHI), counts, strict=True))),))
        for stage, files, drawn, counts in ((REFERRED, positive, ONE, flagged), (NEGATIVE, negative, share, others))
    ]
    nothing = [Domain(domain.stage, once(0)) for domain in domains]
    rule, rest, every = (
        Row("rule", once(n), chosen, {})
        for chosen in ((domains[0], nothing[1]), (nothing[0], domains[1]), tuple(domains))
    )
    return fractions(rule, rest, every)


def test_full_knowledge_gives_the_fractions_of_the_two_by_two_table() -> None:
    """80 PHI files flagged, 20 missed; 50 others flagged, 850 not: TPF 0.8, FPF 50/900."""
    found = measured((80, 50), (20, 850))
    assert found.prevalence == pytest.approx(0.1)
    assert found.tpf == pytest.approx(0.8)
    assert found.fpf == pytest.approx(50 / 900)
    assert found.tpf_interval is not None and found.fpf_interval is not None
    # What two binomial shares have: the parts of one n are not independent, and that was not counted in.
    assert found.tpf_interval == pytest.approx(interval(80, 100) or (), abs=0.012)
    assert found.fpf_interval == pytest.approx(interval(50, 900) or (), abs=0.0006)


def test_a_draw_of_the_others_gives_the_same_fractions_less_surely() -> None:
    whole, drawn = measured((80, 50), (20, 850)), measured((80, 50), (2, 85), Fraction(1, 10))
    assert drawn.tpf == pytest.approx(whole.tpf)
    assert drawn.tpf_interval is not None and whole.tpf_interval is not None
    assert drawn.tpf_interval[0] < whole.tpf_interval[0] and whole.tpf_interval[1] < drawn.tpf_interval[1]


@given(*[st.integers(0, 80)] * 4, st.sampled_from([ONE, Fraction(1, 3)]))
def test_fractions_lie_inside_their_intervals(a: int, b: int, c: int, d: int, share: Fraction) -> None:
    found = measured((a, b), (c, d), share)
    for value, limits in ((found.tpf, found.tpf_interval), (found.fpf, found.fpf_interval)):
        if value is not None and limits is not None:
            assert limits[0] - 1e-9 <= value <= limits[1] + 1e-9
            assert 0 <= limits[0] <= limits[1] <= 1
