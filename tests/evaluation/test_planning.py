from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.design import NEGATIVE, REFERRED
from evaluation.estimate import row_of, row_rates
from evaluation.planning import plan
from evaluation.rates import RuleCounts, wilson
from evaluation.rows import Domain, Drawn, Row
from evaluation.sampling import NOT_PHI, PHI
from evaluation.scanned import once


def test_more_verifications_are_asked_for_until_the_interval_is_narrow() -> None:
    counts = RuleCounts("rule", 20_000, 2_000, 10, 90)
    found = plan(row_of(counts), 0.012)
    assert found.width_now is not None and found.width_now > 0.012
    assert found.more is not None and 0 < found.more < found.unverified
    assert plan(row_of(counts), 0.009).more is not None
    assert (plan(row_of(counts), 0.009).more or 0) > found.more


@pytest.mark.parametrize("drawn", [Fraction(1), Fraction(1, 5)])
def test_the_width_now_is_that_of_the_interval_beside_it(drawn: Fraction) -> None:
    """A width of .041 was told beside an interval of .084."""
    counts = RuleCounts("rule", 2_000, round(100 / drawn), 60, 40)
    (domain,) = row_of(counts).domains
    (one,) = domain.drawn
    row = replace(row_of(counts), domains=(replace(domain, drawn=(replace(one, probability=drawn, draws=400),)),))
    found, rates = plan(row, 0.001), row_rates(row)
    assert rates.tdp_interval is not None and rates.frp_interval is not None
    widths = [high - low for low, high in (rates.tdp_interval, rates.frp_interval)]
    assert found.width_now == max(widths)
    assert found.width_at_best is not None and found.width_at_best <= found.width_now


def test_what_is_narrow_enough_needs_no_more() -> None:
    assert plan(row_of(RuleCounts("rule", 20_000, 2_000, 200, 1_700)), 0.05).more == 0


def test_worst_cases_close_to_each_other_are_no_narrow_interval() -> None:
    """The bounds of 3 unknown files of 300 are .01 apart, and an interval of so few files is .1 wide."""
    row = row_of(RuleCounts("rule", 300, 100, 50, 47))
    rates, found = row_rates(row), plan(row, 0.05)
    assert rates.bounded and found.width_now == pytest.approx(0.01)
    assert found.more is None
    assert found.width_at_best is not None and found.width_at_best > 0.05
    assert found.scan_files is not None and found.scan_files > 300


def test_a_stage_of_which_nothing_is_known_needs_a_file_of_its_own() -> None:
    """One further file in forty was planned for, of which thirty-nine are of the stage that is known."""
    drawn = Drawn(Fraction(1, 2), {PHI: 20, NOT_PHI: 20}, draws=40)
    domains = (Domain(REFERRED, once(79), (drawn,)), Domain(NEGATIVE, once(1)))
    found = plan(Row("rule", once(2_000), domains, {}), 0.02)
    assert found.width_now is not None and found.more == 40


def test_where_verifying_all_cannot_be_enough_a_larger_scan_is_named() -> None:
    found = plan(row_of(RuleCounts("rule", 123, 78, 75, 3)), 0.02)
    assert found.more is None
    assert found.width_at_best is not None and found.width_at_best > 0.02
    assert found.scan_files is not None
    low, high = wilson(75 / 123, found.scan_files)
    assert high - low <= 0.0201


def test_with_nothing_verified_the_worst_case_is_planned_for() -> None:
    found = plan(row_of(RuleCounts("rule", 10_000, 500, 0, 0)), 0.02)
    assert found.width_now is None
    assert found.more is not None and found.more > 0


def test_a_rule_that_never_fired_needs_nothing() -> None:
    assert plan(row_of(RuleCounts("rule", 100, 0, 0, 0)), 0.1).more == 0
    assert plan(row_of(RuleCounts("rule", 0, 0, 0, 0)), 0.1).more is None


@pytest.mark.parametrize("width", [0, 1, -0.5])
def test_impossible_widths_are_refused(width: float) -> None:
    with pytest.raises(ValueError, match="width"):
        plan(row_of(RuleCounts("rule", 100, 10, 1, 1)), width)


@given(st.integers(10, 5_000), st.data())
def test_a_plan_never_asks_for_more_than_there_is(n: int, data: st.DataObject) -> None:
    positive = data.draw(st.integers(1, n))
    phi = data.draw(st.integers(0, positive))
    found = plan(row_of(RuleCounts("rule", n, positive, phi, data.draw(st.integers(0, positive - phi)))), 0.05)
    assert found.more is None or 0 <= found.more <= found.unverified
    assert (found.more is None) == (found.scan_files is not None)
