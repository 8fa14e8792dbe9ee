import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest

from evaluation.estimate import rates
from evaluation.rates import RuleCounts, interval


@st.composite
def rule_counts(draw: st.DrawFn) -> RuleCounts:
    n = draw(st.integers(0, 500))
    positive = draw(st.integers(0, n))
    phi = draw(st.integers(0, positive))
    not_phi = draw(st.integers(0, positive - phi))
    return RuleCounts("rule", n, positive, phi, not_phi)


@pytest.mark.parametrize(
    ("rule", "phi", "not_phi", "negative", "tdp", "frp", "coverage"),
    [
        ("organization-name", 71, 4, 48, 0.577, 0.033, 0.610),
        ("street-address", 75, 3, 45, 0.610, 0.024, 0.634),
    ],
)
def test_the_published_table_comes_out(
    rule: str, phi: int, not_phi: int, negative: int, tdp: float, frp: float, coverage: float
) -> None:
    found = rates(RuleCounts(rule, phi + not_phi + negative, phi + not_phi, phi, not_phi))
    assert found.n == 123
    assert found.tdp is not None
    assert found.frp is not None
    assert found.coverage is not None
    assert (round(found.tdp, 3), round(found.frp, 3), round(found.coverage, 3)) == (tdp, frp, coverage)
    assert found.fully_verified


def test_without_files_every_rate_is_undefined() -> None:
    found = rates(RuleCounts("email", 0, 0, 0, 0))
    assert (found.tdp, found.frp, found.coverage) == (None, None, None)
    assert (found.tdp_interval, found.frp_interval, found.coverage_interval) == (None, None, None)


def test_with_nothing_verified_only_the_coverage_is_defined() -> None:
    found = rates(RuleCounts("email", 10, 4, 0, 0))
    assert (found.tdp, found.frp, found.tdp_interval, found.frp_interval) == (None, None, None, None)
    assert found.coverage == 0.4
    assert found.unverified == 4
    assert not found.fully_verified


def test_a_rule_that_never_fired_covers_nothing_and_has_nothing_verified() -> None:
    found = rates(RuleCounts("email", 10, 0, 0, 0))
    assert (found.tdp, found.frp, found.coverage) == (0.0, 0.0, 0.0)
    assert found.fully_verified


def test_partly_verified_rates_are_marked_and_only_rise() -> None:
    now = rates(RuleCounts("email", 10, 6, 2, 1))
    later = rates(RuleCounts("email", 10, 6, 4, 2))
    assert (now.verified, now.unverified, now.fully_verified) == (3, 3, False)
    assert now.tdp is not None and later.tdp is not None and now.tdp <= later.tdp
    assert now.frp is not None and later.frp is not None and now.frp <= later.frp


@pytest.mark.parametrize(
    ("n", "positive", "phi", "not_phi", "message"),
    [
        (1, 2, 0, 0, "more files are positive"),
        (5, 2, 2, 1, "more files are verified"),
        (-1, 0, 0, 0, "negative"),
        (5, 2, -1, 0, "negative"),
    ],
)
def test_impossible_counts_are_refused(n: int, positive: int, phi: int, not_phi: int, message: str) -> None:
    with pytest.raises(ValueError, match=f"email: .*{message}"):
        RuleCounts("email", n, positive, phi, not_phi)


@given(st.integers(1, 2000), st.data(), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_wilson_agrees_with_scipy(trials: int, data: st.DataObject, level: float) -> None:
    successes = data.draw(st.integers(0, trials))
    found = binomtest(successes, trials).proportion_ci(confidence_level=level, method="wilson")
    assert interval(successes, trials, "wilson", level) == pytest.approx((found.low, found.high), abs=1e-12)


@given(st.integers(1, 500), st.data())
def test_exact_agrees_with_the_beta_quantiles(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    low = float(beta.ppf(0.025, successes, trials - successes + 1)) if successes else 0.0
    high = float(beta.ppf(0.975, successes + 1, trials - successes)) if successes < trials else 1.0
    assert interval(successes, trials, "exact") == pytest.approx((low, high), abs=1e-7)


def test_no_trials_have_no_interval() -> None:
    assert interval(0, 0) is None


@given(rule_counts())
def test_rates_lie_inside_their_intervals_or_bounds(counts: RuleCounts) -> None:
    found = rates(counts)
    assert (found.tdp_bounds is None) != (found.tdp_interval is None) or found.tdp is None
    for rate, limits in (
        (found.tdp, found.tdp_interval or found.tdp_bounds),
        (found.frp, found.frp_interval or found.frp_bounds),
        (found.coverage, found.coverage_interval),
    ):
        assert (rate is None) == (limits is None)
        if rate is not None and limits is not None:
            assert 0.0 <= limits[0] <= rate <= limits[1] <= 1.0


@given(rule_counts())
def test_detections_and_false_referrals_add_up_to_the_coverage(counts: RuleCounts) -> None:
    found = rates(counts)
    assert found.verified + found.unverified == found.positive
    if found.tdp is not None and found.frp is not None and found.coverage is not None:
        if found.fully_verified:
            assert found.tdp + found.frp == pytest.approx(found.coverage)
        else:
            assert found.tdp + found.frp < found.coverage
