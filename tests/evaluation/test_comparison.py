import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from evaluation.comparison import BOTH, FIRST, SECOND, PairCounts, cell, compare, fieller, pair
from evaluation.comparison_in_words import in_words
from evaluation.sampling import NOT_PHI, PHI, Stratum

COUNTS = st.tuples(*[st.integers(0, 200)] * 3)


def test_the_reference_figures_come_out() -> None:
    found = compare(pair("a", "b", 123, (60, 11, 15), (2, 2, 1))).rtpf
    assert found.ratio is not None and found.log_se is not None and found.interval is not None
    assert found.ratio == pytest.approx(71 / 75)
    assert round(found.ratio, 4) == 0.9467
    assert round(found.log_se, 5) == 0.06988
    assert found.log_se == pytest.approx(math.sqrt(26 / (71 * 75)))
    assert [round(limit, 4) for limit in found.interval] == [0.8255, 1.0856]


@given(COUNTS, COUNTS)
def test_the_closed_formula_and_mcnemar_agree(phi: tuple[int, int, int], not_phi: tuple[int, int, int]) -> None:
    found = compare(pair("a", "b", sum(phi) + sum(not_phi) + 100, phi, not_phi))
    for (a, b, c), ratio in ((phi, found.rtpf), (not_phi, found.rfpf)):
        if a + c == 0:
            assert ratio.ratio is None
        else:
            assert ratio.ratio == pytest.approx((a + b) / (a + c))
        if (a + b) * (a + c):
            assert ratio.log_se == pytest.approx(math.sqrt((b + c) / ((a + b) * (a + c))))
        if b + c:
            assert ratio.p_value == pytest.approx(mcnemar([[a, b], [c, 0]], exact=True).pvalue)
        else:
            assert (ratio.p_value, ratio.interval) == (None, None)


def test_turning_the_rules_around_turns_the_ratio_around() -> None:
    one, other = (
        compare(pair("a", "b", 500, (60, 11, 15), (9, 3, 8))),
        compare(pair("b", "a", 500, (60, 15, 11), (9, 8, 3))),
    )
    assert one.rtpf.ratio is not None and other.rtpf.ratio is not None
    assert one.rtpf.ratio * other.rtpf.ratio == pytest.approx(1)
    assert one.rtpf.interval is not None and other.rtpf.interval is not None
    assert one.rtpf.interval[0] * other.rtpf.interval[1] == pytest.approx(1)
    assert one.exchange.ratio == pytest.approx(other.exchange.ratio)
    assert one.exchange.interval == pytest.approx(other.exchange.interval)


def test_extra_false_referrals_per_extra_detection() -> None:
    found = compare(pair("a", "b", 10_000, (100, 40, 5), (30, 90, 20))).exchange
    assert (found.extra_detections, found.extra_false_referrals) == (35, 70)
    assert found.ratio == 2.0
    assert found.interval is not None
    assert found.interval[0] < 2.0 < found.interval[1]


def test_the_price_of_few_detections_is_said_to_be_rough() -> None:
    for first_only, rough in ((9, True), (90, False)):
        found = compare(pair("a", "b", 10_000, (50, first_only, 0), (5, 40, 3)))
        assert found.exchange.interval is not None and found.exchange.few == rough
        assert (", roughly)." in in_words(found)) == rough


def test_where_it_is_not_told_which_rule_detects_more_no_interval_is_claimed() -> None:
    found = compare(pair("a", "b", 1_000, (60, 11, 15), (2, 2, 1))).exchange
    assert found.ratio == pytest.approx(1 / -4)
    assert found.interval is None
    assert compare(pair("a", "b", 1_000, (60, 5, 5), (2, 2, 1))).exchange.ratio is None


def test_fieller_agrees_with_its_defining_equation() -> None:
    """At either limit r the statistic (above - r below) is exactly z standard errors from 0."""
    for limit in fieller(70, 35, 110, 45, -0.2) or ():
        error = math.sqrt(110 - 2 * limit * -0.2 + limit**2 * 45)
        assert abs(70 - limit * 35) / error == pytest.approx(1.959964, abs=1e-5)


@pytest.mark.parametrize("phi", [(0, 0, 0), (0, 5, 0), (0, 0, 5), (7, 0, 0)])
def test_undefined_ratios_are_undefined_and_not_zero_or_one_for_certain(phi: tuple[int, int, int]) -> None:
    found = compare(pair("a", "b", 100, phi, (1, 1, 1))).rtpf
    assert found.interval is None
    assert found.ratio == {(0, 0, 0): None, (0, 5, 0): None, (0, 0, 5): 0.0, (7, 0, 0): 1.0}[phi]


def test_a_sample_widens_the_interval_and_keeps_the_ratio() -> None:
    cells = {cell(PHI, BOTH): 60, cell(PHI, FIRST): 11, cell(PHI, SECOND): 15, cell(NOT_PHI, BOTH): 30}
    whole = compare(PairCounts("a", "b", 5_000, (Stratum("", Fraction(1), 116, cells),))).rtpf
    half = compare(PairCounts("a", "b", 5_000, (Stratum("", Fraction(1, 2), 116, cells),))).rtpf
    assert half.ratio == whole.ratio
    assert whole.log_se is not None and half.log_se is not None
    # Half of twice as many files is as uncertain as all of this many: the draw costs what the larger scan gains.
    assert half.log_se == pytest.approx(whole.log_se, rel=0.01)
    assert half.test == "Wald, on the log ratio"


def test_a_draw_in_which_one_rule_has_nothing_is_still_tested() -> None:
    """0 against 189 false referrals was "not significant", because a log ratio of 0 does not exist."""
    for drawn, contents, significant in ((25, 25, True), (25, 4, False), (4, 4, False)):
        squares = {cell(NOT_PHI, SECOND): drawn * drawn // contents}
        stratum = Stratum(
            "s",
            Fraction(1, 8),
            60,
            {cell(NOT_PHI, SECOND): drawn, cell(PHI, BOTH): 20},
            squares=squares | {cell(PHI, BOTH): 20},
        )
        found = compare(PairCounts("a", "b", 1_000, (stratum,), 200)).rfpf
        assert (found.ratio, found.interval, found.test) == (0.0, None, "sign test")
        assert found.p_value is not None and (found.p_value < 0.05) == significant
        assert found.p_value == pytest.approx(2 * 0.5**contents, rel=0.1)


@given(COUNTS, COUNTS, COUNTS)
def test_worst_cases_hold_whatever_the_unknown_files_are(
    phi: tuple[int, int, int], there: tuple[int, int, int], unknown: tuple[int, int, int]
) -> None:
    seen = pair("a", "b", 10_000, phi, (0, 0, 0))
    more = dict(zip((BOTH, FIRST, SECOND), map(Fraction, unknown), strict=True))
    found = compare(PairCounts("a", "b", 10_000, seen.strata, sum(unknown), unknown=more)).rtpf
    if not sum(unknown):
        assert found.bounds is None
        return
    assert found.bounds is not None and found.interval is None and found.p_value is None
    a, b, c = (known + min(one, other) for known, one, other in zip(phi, there, unknown, strict=True))
    low, high = found.bounds
    if a + c:
        assert low - 1e-9 <= (a + b) / (a + c) and (high is None or (a + b) / (a + c) <= high + 1e-9)
