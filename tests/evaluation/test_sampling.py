import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.sampling import (
    NOT_PHI,
    PHI,
    Clusters,
    Stratum,
    file_covariance,
    sampled_interval,
    sampling_covariance,
    total,
)
from evaluation.scanned import once

ALL = Fraction(1)


def test_two_strata_by_hand() -> None:
    """Cochran's formula for totals: sum of N² (1 - f) s² / n over the strata."""
    strata = [
        Stratum("high", Fraction(20, 40), 20, {PHI: 15, NOT_PHI: 5}),
        Stratum("low", Fraction(30, 300), 30, {PHI: 3, NOT_PHI: 27}),
    ]
    assert total(strata, PHI) == 15 * 2 + 3 * 10
    by_hand = 40**2 * 0.5 * (20 / 19 * 0.75 * 0.25) / 20 + 300**2 * 0.9 * (30 / 29 * 0.1 * 0.9) / 30
    assert float(sampling_covariance(strata, {PHI: 1}, {PHI: 1})) == pytest.approx(by_hand)
    assert total(strata, NOT_PHI) == 5 * 2 + 27 * 10


def test_repeated_draws_have_the_mean_and_the_variance_that_is_claimed() -> None:
    population = [PHI] * 30 + [NOT_PHI] * 90
    dice = random.Random(5)
    totals, claimed = [], []
    for _ in range(3_000):
        drawn = dice.sample(population, 40)
        strata = [Stratum("", Fraction(40, 120), 40, {PHI: drawn.count(PHI), NOT_PHI: drawn.count(NOT_PHI)})]
        totals.append(float(total(strata, PHI)))
        claimed.append(float(sampling_covariance(strata, {PHI: 1}, {PHI: 1})))
    mean = sum(totals) / len(totals)
    assert mean == pytest.approx(30, rel=0.02)
    assert sum(claimed) / len(claimed) == pytest.approx(
        sum((one - mean) ** 2 for one in totals) / (len(totals) - 1), rel=0.1
    )


def test_files_of_several_folders_that_were_drawn_as_one_are_one_draw() -> None:
    """How many files of a folder are met is chance, too; taken as drawn apart, the variance was half as large."""
    population = [("20", PHI)] * 40 + [("20", NOT_PHI)] * 20 + [("4", PHI)] * 5 + [("4", NOT_PHI)] * 55
    dice = random.Random(6)
    totals, claimed, apart = [], [], []
    for _ in range(2_000):
        drawn = dice.sample(population, 40)
        strata = []
        for place in ("20", "4"):
            cells = {truth: drawn.count((place, truth)) for truth in (PHI, NOT_PHI)}
            strata.append(Stratum("", Fraction(40, 120), sum(cells.values()), cells, place))
        totals.append(float(total(strata, PHI)))
        claimed.append(float(sampling_covariance(strata, {PHI: 1}, {PHI: 1})))
        apart.append(sum(float(sampling_covariance([one], {PHI: 1}, {PHI: 1})) for one in strata))
    mean = sum(totals) / len(totals)
    variance = sum((one - mean) ** 2 for one in totals) / (len(totals) - 1)
    assert mean == pytest.approx(40 * 20 + 5 * 4, rel=0.02)
    assert sum(claimed) / len(claimed) == pytest.approx(variance, rel=0.1)
    assert sum(apart) / len(apart) < 0.75 * variance


def test_a_sample_without_a_case_has_an_upper_limit_that_its_weights_widen() -> None:
    limits = [sampled_interval([Stratum("", Fraction(1, weight), 50, {})], PHI, 10_000) for weight in (1, 2, 10)]
    uppers = [found[1] for found in limits if found is not None]
    assert len(uppers) == 3
    assert uppers == sorted(uppers)
    assert uppers[2] > 5 * uppers[0]


@pytest.mark.parametrize(
    ("probability", "verified", "cells", "message"),
    [
        (Fraction(0), 1, {}, "above 0"),
        (Fraction(3, 2), 1, {}, "at most 1"),
        (ALL, 1, {PHI: 2}, "more files"),
        (ALL, 1, {PHI: -1}, "more files"),
    ],
)
def test_impossible_strata_are_refused(
    probability: Fraction, verified: int, cells: dict[str, int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Stratum("s", probability, verified, cells)


@given(st.permutations(range(6)))
def test_the_order_of_strata_changes_no_digit(order: list[int]) -> None:
    strata = [
        Stratum(str(number), Fraction(number + 1, 7 + number), 40, {PHI: 3 * number, NOT_PHI: 5}) for number in range(6)
    ]
    mixed = [strata[number] for number in order]
    assert sampled_interval(mixed, PHI, 5_000) == sampled_interval(strata, PHI, 5_000)
    whole = Clusters(once(5_000), {})
    assert file_covariance(mixed, whole, {PHI: 1}, {NOT_PHI: 1}) == file_covariance(
        strata, whole, {PHI: 1}, {NOT_PHI: 1}
    )
