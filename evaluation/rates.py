"""Counts of verified files per rule -> True Detection Probability, False Referral Probability and their intervals."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

Interval = tuple[float, float]
Method = Literal["wilson", "exact"]


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """Of n examined files the rule flagged `positive`, of which people verified `phi` and `not_phi`."""

    rule: str
    n: int
    positive: int
    phi: int
    not_phi: int

    def __post_init__(self) -> None:
        if min(self.n, self.positive, self.phi, self.not_phi) < 0:
            raise ValueError(f"{self.rule}: a count is negative")
        if self.phi + self.not_phi > self.positive:
            raise ValueError(f"{self.rule}: more files are verified than are positive")
        if self.positive > self.n:
            raise ValueError(f"{self.rule}: more files are positive than were examined")


@dataclass(frozen=True, slots=True)
class RuleRates:
    """What the counts of one rule say; None where a rate is undefined, which is not the same as 0.

    Unless `fully_verified`, tdp and frp count what is verified so far: they and their intervals are lower bounds.
    """

    rule: str
    n: int
    positive: int
    verified: int
    unverified: int
    phi: int
    not_phi: int
    fully_verified: bool
    tdp: float | None
    frp: float | None
    coverage: float | None
    tdp_interval: Interval | None
    frp_interval: Interval | None
    coverage_interval: Interval | None


def interval(successes: int, trials: int, method: Method = "wilson", level: float = 0.95) -> Interval | None:
    """The binomial confidence interval of a share; None without trials."""
    if trials == 0:
        return None
    low, high = _wilson(successes, trials, level) if method == "wilson" else _exact(successes, trials, level)
    share = successes / trials
    # Rounding can put an end a hair beyond the share itself or beyond 0 and 1.
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def _wilson(successes: int, trials: int, level: float) -> Interval:
    z = NormalDist().inv_cdf(0.5 + level / 2)
    middle = (2 * successes + z * z) / (2 * (trials + z * z))
    half = z * math.sqrt(4 * successes * (trials - successes) / trials + z * z) / (2 * (trials + z * z))
    return middle - half, middle + half


def _exact(successes: int, trials: int, level: float) -> Interval:
    from scipy.stats import binomtest  # its import takes seconds, and hardly anybody asks for this interval

    limits = binomtest(successes, trials).proportion_ci(confidence_level=level, method="exact")
    return float(limits.low), float(limits.high)


def rates(counts: RuleCounts, method: Method = "wilson", level: float = 0.95) -> RuleRates:
    """TDP = phi / n and FRP = not_phi / n; undefined without files and as long as nothing is verified."""
    verified = counts.phi + counts.not_phi
    measurable = verified > 0
    return RuleRates(
        rule=counts.rule,
        n=counts.n,
        positive=counts.positive,
        verified=verified,
        unverified=counts.positive - verified,
        phi=counts.phi,
        not_phi=counts.not_phi,
        fully_verified=verified == counts.positive,
        tdp=counts.phi / counts.n if measurable else None,
        frp=counts.not_phi / counts.n if measurable else None,
        coverage=counts.positive / counts.n if counts.n else None,
        tdp_interval=interval(counts.phi, counts.n, method, level) if measurable else None,
        frp_interval=interval(counts.not_phi, counts.n, method, level) if measurable else None,
        coverage_interval=interval(counts.positive, counts.n, method, level),
    )
