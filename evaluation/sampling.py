"""Verified files, each with the probability of its draw -> estimates over all screened positives (Horvitz-Thompson).

Two random steps are at work: which files were there to scan, and which screened positives were drawn for verification.
The variance of a total is the sum of both. If everything was verified, the second is zero, and the result is exactly
that of the plain formulas.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from evaluation.rates import Interval, interval

PHI, NOT_PHI = "phi", "not_phi"
_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Files drawn at random with one probability: how many were verified, and how many of those fell into each cell."""

    name: str
    probability: Fraction
    verified: int
    cells: Mapping[str, int]

    def __post_init__(self) -> None:
        if not 0 < self.probability <= 1:
            raise ValueError(f"stratum {self.name!r}: a probability is above 0 and at most 1")
        if min(self.cells.values(), default=0) < 0 or sum(self.cells.values()) > self.verified:
            raise ValueError(f"stratum {self.name!r}: the cells hold more files than were verified")


@dataclass(frozen=True, slots=True)
class SampledRates:
    """What a verified sample says about one rule; counts as verified, estimates over all of the rule's files."""

    rule: str
    n: int
    positive: int
    verified: int
    phi: int
    not_phi: int
    estimated_phi: float
    estimated_not_phi: float
    frame_covered: bool
    tdp: float | None
    frp: float | None
    coverage: float | None
    tdp_se: float | None
    frp_se: float | None
    tdp_sampling_se: float | None
    frp_sampling_se: float | None
    tdp_interval: Interval | None
    frp_interval: Interval | None
    coverage_interval: Interval | None


def total(strata: Sequence[Stratum], cell: str) -> Fraction:
    """Each verified file of the cell counts with one over its probability."""
    return sum((stratum.cells.get(cell, 0) / stratum.probability for stratum in strata), Fraction(0))


def sampling_covariance(
    strata: Sequence[Stratum], u: Mapping[str, Fraction | int], v: Mapping[str, Fraction | int]
) -> Fraction:
    """Covariance of two weighted sums under draws without replacement inside each stratum.

    A file of cell c adds u[c] to the one and v[c] to the other.
    """
    covariance = Fraction(0)
    for stratum in strata:
        if stratum.probability == 1:
            continue
        products, first, second = _sums(stratum, u, v)
        if stratum.verified > 1:
            spread = (products - first * second / stratum.verified) * stratum.verified / (stratum.verified - 1)
        else:
            spread = products
        covariance += (1 - stratum.probability) / stratum.probability**2 * spread
    return covariance


def file_covariance(
    strata: Sequence[Stratum], n: int, u: Mapping[str, Fraction | int], v: Mapping[str, Fraction | int]
) -> Fraction:
    """Covariance of the same sums over other sets of n files from the same source."""
    products = first = second = Fraction(0)
    for stratum in strata:
        sums = _sums(stratum, u, v)
        products += sums[0] / stratum.probability
        first += sums[1] / stratum.probability
        second += sums[2] / stratum.probability
    return products - first * second / n


def _sums(
    stratum: Stratum, u: Mapping[str, Fraction | int], v: Mapping[str, Fraction | int]
) -> tuple[Fraction, Fraction, Fraction]:
    products = first = second = Fraction(0)
    for cell, count in stratum.cells.items():
        products += count * Fraction(u.get(cell, 0)) * v.get(cell, 0)
        first += count * Fraction(u.get(cell, 0))
        second += count * Fraction(v.get(cell, 0))
    return products, first, second


def sampled_rates(rule: str, n: int, positive: int, strata: Sequence[Stratum], level: float = 0.95) -> SampledRates:
    """TDP and FRP of a rule from a sample; `strata` hold all verified files, cells those where the rule fired."""
    phi, not_phi = (sum(stratum.cells.get(cell, 0) for stratum in strata) for cell in (PHI, NOT_PHI))
    measurable = n > 0 and phi + not_phi > 0
    figures = {
        cell: _rate(strata, cell, n, level) if measurable else (None, None, None, None) for cell in (PHI, NOT_PHI)
    }
    return SampledRates(
        rule=rule,
        n=n,
        positive=positive,
        verified=phi + not_phi,
        phi=phi,
        not_phi=not_phi,
        estimated_phi=float(total(strata, PHI)),
        estimated_not_phi=float(total(strata, NOT_PHI)),
        frame_covered=_frame_covered(strata, positive),
        tdp=figures[PHI][0],
        frp=figures[NOT_PHI][0],
        coverage=positive / n if n else None,
        tdp_se=figures[PHI][1],
        frp_se=figures[NOT_PHI][1],
        tdp_sampling_se=figures[PHI][2],
        frp_sampling_se=figures[NOT_PHI][2],
        tdp_interval=figures[PHI][3],
        frp_interval=figures[NOT_PHI][3],
        coverage_interval=interval(positive, n, level=level),
    )


def _rate(strata: Sequence[Stratum], cell: str, n: int, level: float) -> tuple[float, float, float, Interval | None]:
    one = {cell: 1}
    share = total(strata, cell) / n
    by_draw = sampling_covariance(strata, one, one)
    by_files = max(Fraction(0), file_covariance(strata, n, one, one))
    return (
        float(share),
        math.sqrt(by_draw + by_files) / n,
        math.sqrt(by_draw) / n,
        sampled_interval(strata, cell, n, level),
    )


def sampled_interval(strata: Sequence[Stratum], cell: str, n: int, level: float = 0.95) -> Interval | None:
    """A Wilson interval with as many trials as the sample is worth; plain Wilson over n where every file was verified.

    A stratum in which no file (or every file) fell into the cell would have no variance; half a file is added, for the
    variance only.
    """
    if n == 0:
        return None
    estimate = total(strata, cell)
    if all(stratum.probability == 1 for stratum in strata):
        return interval(int(estimate), n, level=level)
    share = estimate or sum((_HALF / stratum.probability for stratum in strata if stratum.probability < 1), Fraction(0))
    share = min(share / n, Fraction(n - 1, n) if n > 1 else _HALF)
    by_draw = sum((_cautious_variance(stratum, stratum.cells.get(cell, 0)) for stratum in strata), Fraction(0))
    worth = share * (1 - share) / (share * (1 - share) / n + by_draw / n**2)
    return _wilson(min(1.0, float(estimate / n)), float(worth), level)


def _cautious_variance(stratum: Stratum, count: int) -> Fraction:
    share = (count + _HALF) / (stratum.verified + 1)
    return (1 - stratum.probability) / stratum.probability**2 * stratum.verified * share * (1 - share)


def _wilson(share: float, trials: float, level: float) -> Interval:
    z2 = NormalDist().inv_cdf(0.5 + level / 2) ** 2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(z2 * (share * (1 - share) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def _frame_covered(strata: Sequence[Stratum], positive: int) -> bool:
    """Whether the sample can represent all files on which the rule fired: not if it adds up to far fewer than exist."""
    fired = {PHI: 1, NOT_PHI: 1}
    standing = total(strata, PHI) + total(strata, NOT_PHI)
    error = math.sqrt(
        sum(
            _cautious_variance(stratum, stratum.cells.get(PHI, 0) + stratum.cells.get(NOT_PHI, 0)) for stratum in strata
        )
    )
    return positive - float(standing) <= 4 * max(error, math.sqrt(sampling_covariance(strata, fired, fired)))
