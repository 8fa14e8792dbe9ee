import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from evaluation.audit import Audit, Rate, fractions, missed, upper_bound


def test_nothing_found_leaves_about_three_over_m() -> None:
    for m in (50, 300, 3_000):
        found = missed(Audit(100_000, m, 0))
        assert found.share == 0.0
        assert found.share_upper == pytest.approx(3 / m, rel=0.04)
        assert found.share_upper == pytest.approx(1 - 0.05 ** (1 / m))
        assert found.files_upper == pytest.approx(100_000 * (1 - 0.05 ** (1 / m)))


@given(st.integers(1, 500), st.data())
def test_the_upper_bound_is_where_so_few_are_seen_one_time_in_twenty(m: int, data: st.DataObject) -> None:
    x = data.draw(st.integers(0, m - 1))
    assert binom.cdf(x, m, upper_bound(x, m)) == pytest.approx(0.05, abs=1e-9)
    found = missed(Audit(m + 10, m, x))
    assert found.share_interval == pytest.approx(proportion_confint(x, m, 0.05, method="beta"), abs=1e-7)


def test_without_an_audit_nothing_is_known() -> None:
    found = missed(Audit(100, 0, 0))
    assert (found.share, found.share_upper, found.files, found.files_upper) == (None, None, None, None)
    assert (
        fractions("rule", 1_000, Rate(0.1, 0.05, 0.15), Rate(0.2, 0.1, 0.3), Rate(0, 0, 0), Audit(100, 0, 0)).tpf
        is None
    )
    assert upper_bound(5, 5) == 1.0


def test_a_full_audit_gives_the_fractions_of_the_two_by_two_table() -> None:
    """80 PHI files flagged, 20 missed; 50 others flagged, 850 not: TPF 0.8, FPF 50/900."""
    found = fractions(
        "rule", 1_000, Rate(0.08, 0.064, 0.098), Rate(0.05, 0.038, 0.065), Rate(0.0, 0.0, 0.0), Audit(870, 870, 20)
    )
    assert found.prevalence == pytest.approx(0.1)
    assert found.tpf == pytest.approx(0.8)
    assert found.fpf == pytest.approx(50 / 900)
    assert found.tpf_interval is not None and found.fpf_interval is not None
    assert 0.68 < found.tpf_interval[0] < 0.8 < found.tpf_interval[1] < 0.9
    assert found.fpf_interval[0] < 50 / 900 < found.fpf_interval[1]


def test_what_other_rules_found_counts_as_missed_by_this_one() -> None:
    alone = fractions(
        "rule", 1_000, Rate(0.06, 0.05, 0.07), Rate(0.01, 0.0, 0.02), Rate(0.02, 0.01, 0.03), Audit(900, 100, 0)
    )
    assert alone.tpf == pytest.approx(0.75)


@pytest.mark.parametrize("counts", [(10, 11, 0), (10, 5, 6), (10, 5, -1)])
def test_impossible_audits_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="audit"):
        Audit(*counts)


@given(st.integers(1, 300), st.integers(0, 300), st.floats(0, 0.4), st.floats(0, 0.3))
def test_fractions_lie_inside_their_intervals(m: int, x: int, tdp: float, frp: float) -> None:
    audit = Audit(300, m, min(x, m))
    found = fractions(
        "r", 1_000, Rate(tdp, tdp * 0.8, tdp * 1.2 + 0.01), Rate(frp, frp * 0.8, frp * 1.2 + 0.01), Rate(0, 0, 0), audit
    )
    for value, limits in ((found.tpf, found.tpf_interval), (found.fpf, found.fpf_interval)):
        if value is not None and limits is not None:
            assert limits[0] - 1e-9 <= value <= limits[1] + 1e-9
            assert 0 <= limits[0] <= limits[1] <= 1
