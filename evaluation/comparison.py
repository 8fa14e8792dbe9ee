"""The verified files that two rules flagged -> how many more PHI files one finds, and at how many more false referrals.

No negative needs to be verified.

Pepe & Alonzo (2001), Cheng & Macaluso (1997), Chock et al. (1997); a verified sample counts with its weights.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from statistics import NormalDist

from evaluation.rates import FEW, Interval, standard_errors
from evaluation.sampling import (
    NOT_PHI,
    PHI,
    Clusters,
    Stratum,
    cases_apart,
    draws_of,
    evenness,
    file_covariance,
    sampling_covariance,
    total,
)
from evaluation.scanned import Scanned, once

BOTH, FIRST, SECOND = "both", "first", "second"
PATTERNS = (BOTH, FIRST, SECOND)


def cell(truth: str, pattern: str) -> str:
    """The name of the cell of files with this truth, flagged by both rules or by one of them only."""
    return f"{truth}:{pattern}"


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Of n examined files, those that the rules `first` and `second` flagged; `unverified` have no verdict yet.

    `unknown` are those of them that no draw speaks for, by which of the rules flagged them.
    """

    first: str
    second: str
    n: int
    strata: tuple[Stratum, ...]
    unverified: int = 0
    excess: Mapping[tuple[str, str], Fraction] = field(default_factory=dict)  # what clusters add; see Clusters
    files: Scanned | None = None
    unknown: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def clusters(self) -> Clusters:
        return Clusters(self.alone.files, self.excess)

    @property
    def alone(self) -> Clusters:
        """As if no two files belonged together."""
        return Clusters(once(self.n) if self.files is None else self.files, {})

    @property
    def sampled(self) -> bool:
        return any(stratum.probability < 1 for stratum in self.strata)

    def verified(self, truth: str, pattern: str) -> int:
        return sum(stratum.cells.get(cell(truth, pattern), 0) for stratum in self.strata)


@dataclass(frozen=True, slots=True)
class Ratio:
    """The first rule's fraction over the second's; None if the second, or neither, flagged anything of the kind.

    `few` says that fewer than ten files, or as good as that, tell the rules apart. Where no label speaks for files that
    one of the rules flagged, there are only worst cases as `bounds`; without an upper one, the second may have none.
    """

    both: float
    first_only: float
    second_only: float
    ratio: float | None
    log_se: float | None
    interval: Interval | None
    p_value: float | None
    test: str | None
    few: bool = False
    bounds: tuple[float, float | None] | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """Extra false referrals for each extra true detection that the first rule brings over the second.

    `interval` is Fieller's; None if the data do not show which rule detects more: then no finite interval exists.
    `few` says that fewer than ten PHI files, or as good as that, tell the rules apart.
    """

    extra_detections: float
    extra_false_referrals: float
    ratio: float | None
    interval: Interval | None
    few: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    first: str
    second: str
    n: int
    sampled: bool
    unverified: int
    rtpf: Ratio
    rfpf: Ratio
    exchange: Exchange
    level: float


def pair(first: str, second: str, n: int, phi: tuple[int, int, int], not_phi: tuple[int, int, int]) -> PairCounts:
    """Fully verified counts: (flagged by both, by the first only, by the second only) among PHI and among the rest."""
    cells = {
        cell(truth, pattern): count
        for truth, counts in ((PHI, phi), (NOT_PHI, not_phi))
        for pattern, count in zip(PATTERNS, counts, strict=False)
    }
    return PairCounts(first, second, n, (Stratum("", Fraction(1), sum(cells.values()), cells),))


def compare(counts: PairCounts, level: float = 0.95) -> Comparison:
    rtpf = ratio_of(counts, PHI, level)
    return Comparison(
        first=counts.first,
        second=counts.second,
        n=counts.n,
        sampled=counts.sampled,
        unverified=counts.unverified,
        rtpf=rtpf,
        rfpf=ratio_of(counts, NOT_PHI, level),
        exchange=replace(_exchange(counts, level), few=rtpf.few),
        level=level,
    )


def ratio_of(counts: PairCounts, truth: str, level: float = 0.95) -> Ratio:
    """rTPF among PHI files, rFPF among the others."""
    both, first, second = (total(counts.strata, cell(truth, pattern)) for pattern in PATTERNS)
    if any(counts.unknown.values()):
        bounds = _worst_cases(both, first, second, counts.unknown)
        return Ratio(float(both), float(first), float(second), None, None, None, None, None, bounds=bounds)
    ratio = (both + first) / (both + second) if both + second else None
    if not ratio:
        return Ratio(
            float(both),
            float(first),
            float(second),
            None if ratio is None else 0.0,
            None,
            None,
            *_test(counts, truth, None, None),
        )
    values = {
        cell(truth, BOTH): 1 / (both + first) - 1 / (both + second),
        cell(truth, FIRST): 1 / (both + first),
        cell(truth, SECOND): -1 / (both + second),
    }
    by_files = max(Fraction(0), file_covariance(counts.strata, counts.clusters, values, values))
    variance = by_files + sampling_covariance(counts.strata, values, values)
    log_se = math.sqrt(variance)
    # Without a file on which the rules differ, the formula would give an interval of zero width.
    cases, effect = _cases(counts, truth, values, by_files)
    learned = _learned(counts, truth, values, variance) if effect > 1 else 0.0
    differ = [cell(truth, pattern) for pattern in (FIRST, SECOND)]
    learned += (1 - learned) * float(1 - evenness(counts.strata, differ))
    reach = standard_errors(level, cases, learned)
    spread = math.exp(reach * math.sqrt(variance + _unseen(counts.strata, values))) if variance else None
    limits = (float(ratio) / spread, float(ratio) * spread) if spread else None
    tested = _test(counts, truth, ratio, log_se)
    few = limits is not None and cases < FEW
    return Ratio(float(both), float(first), float(second), float(ratio), log_se, limits, *tested, few)


def _worst_cases(
    both: Fraction, first: Fraction, second: Fraction, unknown: Mapping[str, Fraction]
) -> tuple[float, float | None]:
    """From all unknown files of the second rule to all of the first; those of both pull towards 1, or are left out."""
    of_both, of_first, of_second = (unknown.get(pattern, Fraction(0)) for pattern in PATTERNS)
    low, high = [], []
    for more in (Fraction(0), of_both):
        found, other = both + more + first, both + more + second
        low.append(found / (other + of_second) if other + of_second else Fraction(0))
        if other:
            high.append((found + of_first) / other)
    return float(min(low)), float(max(high)) if both + second else None


def _cases(counts: PairCounts, truth: str, values: Mapping[str, Fraction], by_files: Fraction) -> tuple[float, float]:
    """As how many files that stand for themselves tell the rules apart, and by how much clusters widen the variance."""
    alone = file_covariance(counts.strata, counts.alone, values, values) if counts.excess else Fraction(0)
    effect = float(by_files / alone) if alone > 0 else 1.0
    differing = counts.verified(truth, FIRST) + counts.verified(truth, SECOND)
    apart = cases_apart(counts.strata, [cell(truth, pattern) for pattern in (FIRST, SECOND)], counts.alone.files)
    cases = float(differing) if apart is None else min(float(differing), float(apart))
    return cases / max(1.0, effect), effect


def _learned(counts: PairCounts, truth: str, values: Mapping[str, Fraction], variance: Fraction) -> float:
    """The share of the variance that only the inequality of clusters makes, as in `estimate`."""
    names = [cell(truth, pattern) for pattern in PATTERNS]
    files = sum(one.cells.get(name, 0) for one in counts.strata for name in names)
    contents = sum((one.contents or one.cells).get(name, 0) for one in counts.strata for name in names)
    alone = [replace(one, squares=None) for one in counts.strata]
    single = file_covariance(alone, counts.alone, values, values) + sampling_covariance(alone, values, values)
    return max(0.0, float(1 - single * files / contents / variance)) if contents and variance else 0.0


def _unseen(strata: Sequence[Stratum], values: Mapping[str, Fraction]) -> Fraction:
    """Variance of strata where the draw met no file of the kind: half a file in one of them, weighted as those met."""
    met = sum((total(strata, name) for name in values), Fraction(0))
    weight = sum((total(strata, name) * value**2 for name, value in values.items()), Fraction(0)) / met
    draws = draws_of(strata)
    empty = [draw[0] for draw in draws if not any(stratum.cells.get(name) for stratum in draw for name in values)]
    spread = sum(((1 - stratum.probability) / stratum.probability**2 for stratum in empty), Fraction(0))
    return spread / max(1, len(empty)) * weight / 2


def _test(
    counts: PairCounts, truth: str, ratio: Fraction | None, log_se: float | None
) -> tuple[float | None, str | None]:
    """Whether the rules differ: McNemar's exact test, or the log ratio and its standard error.

    McNemar's needs everything verified, and files that stand each for itself. Where one rule has all and the other
    nothing there is no log ratio: then it is the chance that as many contents fall to one side.
    """
    if not counts.sampled and not counts.excess:
        first, second = counts.verified(truth, FIRST), counts.verified(truth, SECOND)
        if first + second == 0:
            return None, None
        from scipy.stats import binomtest  # its import takes seconds

        return float(binomtest(first, first + second).pvalue), "exact McNemar"
    if not ratio:
        return _one_sided(counts, truth)
    if not log_se:
        return None, None
    return math.erfc(abs(math.log(ratio)) / log_se / math.sqrt(2)), "Wald, on the log ratio"


def _one_sided(counts: PairCounts, truth: str) -> tuple[float | None, str | None]:
    """As many contents as would make the same variance, each by chance on one of two sides."""
    sides = [cell(truth, pattern) for pattern in (FIRST, SECOND) if total(counts.strata, cell(truth, pattern))]
    if len(sides) != 1:
        return None, None
    spread = sum(
        ((one.squares or one.cells).get(sides[0], 0) * (one.weight / one.probability) ** 2 for one in counts.strata),
        Fraction(0),
    )
    values = {sides[0]: Fraction(1)}
    by_files = max(Fraction(0), file_covariance(counts.strata, counts.clusters, values, values))
    contents = float(total(counts.strata, sides[0]) ** 2 / spread)
    cases = min(contents, _cases(counts, truth, values, by_files)[0])
    return min(1.0, 2.0 ** (1 - cases)), "sign test"


def _exchange(counts: PairCounts, level: float) -> Exchange:
    detected: Mapping[str, int] = {cell(PHI, FIRST): 1, cell(PHI, SECOND): -1}
    referred: Mapping[str, int] = {cell(NOT_PHI, FIRST): 1, cell(NOT_PHI, SECOND): -1}
    gain, price = (_weighted(counts.strata, values) for values in (detected, referred))
    if any(counts.unknown.values()):
        return Exchange(float(gain), float(price), None, None)

    def covariance(u: Mapping[str, int], v: Mapping[str, int]) -> Fraction:
        if not counts.n:
            return Fraction(0)
        return file_covariance(counts.strata, counts.clusters, u, v) + sampling_covariance(counts.strata, u, v)

    limits = fieller(
        float(price),
        float(gain),
        float(covariance(referred, referred)),
        float(covariance(detected, detected)),
        float(covariance(referred, detected)),
        level,
    )
    return Exchange(float(gain), float(price), float(price / gain) if gain else None, limits)


def _weighted(strata: Sequence[Stratum], values: Mapping[str, int]) -> Fraction:
    return sum((value * total(strata, name) for name, value in values.items()), Fraction(0))


def fieller(
    above: float, below: float, variance_above: float, variance_below: float, covariance: float, level: float = 0.95
) -> Interval | None:
    """The interval of above / below for two estimates that are about normal; None where below may well be 0."""
    z2 = _z(level) ** 2
    lead = below**2 - z2 * variance_below
    if lead <= 0:
        return None
    middle = above * below - z2 * covariance
    root = math.sqrt(max(0.0, middle**2 - lead * (above**2 - z2 * variance_above)))
    return (middle - root) / lead, (middle + root) / lead


def _z(level: float) -> float:
    return NormalDist().inv_cdf(0.5 + level / 2)
