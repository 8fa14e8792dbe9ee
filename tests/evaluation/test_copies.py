"""A draw that met few contents borrows from all verified ones how unequal they are, unless it contradicts them."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from evaluation.copies import Sizes, widening
from evaluation.design import NEGATIVE, REFERRED
from evaluation.estimate import estimate
from evaluation.rows import Domain, Drawn, Row
from evaluation.sampling import NOT_PHI, PHI
from evaluation.scanned import once

MIXED = Sizes(100, 210, 1_150)  # 70 contents once, 20 twice, 10 ten times


def test_a_small_draw_without_the_large_contents_is_widened_to_the_usual() -> None:
    factor = widening(Sizes(5, 5, 5), MIXED)
    assert 4 < factor < Fraction(1_150, 210)
    assert widening(Sizes(2, 5, 13), MIXED) == Fraction(1_150, 210) / Fraction(13, 5)  # not fewer files than usual


def test_a_large_draw_that_contradicts_is_left_alone() -> None:
    assert widening(Sizes(200, 200, 200), MIXED) == 1
    assert 1 < widening(Sizes(30, 30, 30), MIXED) < 3


def test_what_is_as_unequal_as_usual_or_more_is_left_alone() -> None:
    assert widening(MIXED, MIXED) == 1
    assert widening(Sizes(4, 40, 400), MIXED) == 1
    assert widening(Sizes(), MIXED) == 1


sizes = st.lists(st.integers(1, 30), min_size=1, max_size=40).map(
    lambda counts: Sizes(len(counts), sum(counts), sum(count * count for count in counts))
)


@given(sizes, sizes)
def test_widened_squares_are_never_fewer_nor_beyond_the_usual(own: Sizes, usual: Sizes) -> None:
    factor = widening(own, usual)
    assert 1 <= factor <= max(Fraction(1), Fraction(usual.squares * own.files, usual.files * own.squares))
    assert own.cases <= own.contents


def drawn(phi: int, usual: Sizes | None = None) -> Row:
    share = Fraction(1, 10)
    known = None if usual is None else {PHI: usual, NOT_PHI: Sizes(900, 900, 900)}
    one = Drawn(share, {PHI: phi, NOT_PHI: 900 - phi}, usual=known)
    domain = Domain(NEGATIVE, once(9_000), (one,))
    return Row("r", once(10_000), (Domain(REFERRED, once(0)), domain), {})


def test_an_interval_from_few_contents_is_marked() -> None:
    assert estimate(drawn(8), PHI).few
    assert not estimate(drawn(12), PHI).few
    plain, wide = estimate(drawn(12), PHI), estimate(drawn(12, MIXED), PHI)
    assert wide.few and wide.value == plain.value
    assert plain.interval and wide.interval and wide.interval[1] > plain.interval[1]
