import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.planning import plan
from evaluation.rates import RuleCounts, interval


def test_more_verifications_are_asked_for_until_the_interval_is_narrow() -> None:
    counts = RuleCounts("rule", 20_000, 2_000, 10, 90)
    found = plan(counts, 0.012)
    assert found.width_now is not None and found.width_now > 0.012
    assert found.more is not None and 0 < found.more < found.unverified
    assert plan(counts, 0.009).more is not None
    assert (plan(counts, 0.009).more or 0) > found.more


def test_what_is_narrow_enough_needs_no_more() -> None:
    assert plan(RuleCounts("rule", 20_000, 2_000, 200, 1_700), 0.05).more == 0


def test_where_verifying_all_cannot_be_enough_a_larger_scan_is_named() -> None:
    found = plan(RuleCounts("rule", 123, 78, 75, 3), 0.02)
    assert found.more is None
    assert found.width_at_best is not None and found.width_at_best > 0.02
    assert found.scan_files is not None
    limits = interval(round(found.scan_files * 75 / 123), found.scan_files)
    assert limits is not None and limits[1] - limits[0] <= 0.0201


def test_with_nothing_verified_the_worst_case_is_planned_for() -> None:
    found = plan(RuleCounts("rule", 10_000, 500, 0, 0), 0.02)
    assert found.width_now is None
    assert found.more is not None and found.more > 0


def test_a_rule_that_never_fired_needs_nothing() -> None:
    assert plan(RuleCounts("rule", 100, 0, 0, 0), 0.1).more == 0
    assert plan(RuleCounts("rule", 0, 0, 0, 0), 0.1).more is None


@pytest.mark.parametrize("width", [0, 1, -0.5])
def test_impossible_widths_are_refused(width: float) -> None:
    with pytest.raises(ValueError, match="width"):
        plan(RuleCounts("rule", 100, 10, 1, 1), width)


@given(st.integers(10, 5_000), st.data())
def test_a_plan_never_asks_for_more_than_there_is(n: int, data: st.DataObject) -> None:
    positive = data.draw(st.integers(1, n))
    phi = data.draw(st.integers(0, positive))
    found = plan(RuleCounts("rule", n, positive, phi, data.draw(st.integers(0, positive - phi))), 0.05)
    assert found.more is None or 0 <= found.more <= found.unverified
    assert (found.more is None) == (found.scan_files is not None)
