"""Counts of verified files -> binomial intervals of their shares."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

Interval = tuple[float, float]
Method = Literal["wilson", "exact"]
_FEWEST_CASES = 3.0
FEW = 10  # equal contents of a kind below which an estimated interval is too unsure of its own width


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


def standard_errors(level: float, cases: float, learned: float = 0.0) -> float:
    """How many standard errors an interval reaches to either side.

    Where every file stands for itself, its variance follows from the share, and normal quantiles do. What clusters add
    is `learned` from as many `cases` as there are, so that Student's t takes their place for that share of the variance
    (Cornish and Fisher's expansion; it needs no further library). Without any case it was assumed and not learned.
    """
    z = NormalDist().inv_cdf(0.5 + level / 2)
    if learned <= 0 or not cases:
        return z
    freedom = max(_FEWEST_CASES, cases)
    t = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return z + (t - z) * learned


def wilson(
    share: float, trials: float, level: float = 0.95, learned: float = 0.0, cases: float | None = None
) -> Interval:
    """Wilson's interval of a share that is worth so many trials, not a whole number of them.

    `learned` is the share of the variance that clusters add; see `standard_errors`.
    """
    z2 = standard_errors(level, trials * min(share, 1 - share) if cases is None else cases, learned) ** 2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(z2 * (share * (1 - share) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))
