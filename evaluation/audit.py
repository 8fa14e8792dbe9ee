"""An audit of screened-negative files -> an upper bound of what was missed, and the true and false positive fractions.

The audited files are drawn at random from the files that were examined and not screened positive.
"""

import math
from dataclasses import dataclass

from scipy.stats import beta

from evaluation.rates import Interval, interval


@dataclass(frozen=True, slots=True)
class Audit:
    """Of `negatives` screened-negative files m were verified, and x held PHI."""

    negatives: int
    verified: int
    phi: int

    def __post_init__(self) -> None:
        if not 0 <= self.phi <= self.verified <= self.negatives:
            raise ValueError("an audit verifies at most all negatives, and finds PHI in at most all that it verified")


@dataclass(frozen=True, slots=True)
class Missed:
    """PHI among the negatives: as a share of them, and in files; None where nothing was audited."""

    negatives: int
    verified: int
    phi: int
    share: float | None
    share_interval: Interval | None
    share_upper: float | None
    files: float | None
    files_upper: float | None


@dataclass(frozen=True, slots=True)
class Fractions:
    """True and false positive fraction of a rule, now that the negatives are known about; None where undefined."""

    rule: str
    prevalence: float | None
    tpf: float | None
    tpf_interval: Interval | None
    fpf: float | None
    fpf_interval: Interval | None


@dataclass(frozen=True, slots=True)
class Rate:
    """An estimate with its interval."""

    value: float
    low: float
    high: float


def missed(audit: Audit, level: float = 0.95) -> Missed:
    """Estimate, exact interval and one-sided exact upper bound; nothing found in m files leaves about 3/m at 95 %."""
    if audit.verified == 0:
        return Missed(audit.negatives, 0, 0, None, None, None, None, None)
    share = audit.phi / audit.verified
    upper = upper_bound(audit.phi, audit.verified, level)
    return Missed(
        negatives=audit.negatives,
        verified=audit.verified,
        phi=audit.phi,
        share=share,
        share_interval=interval(audit.phi, audit.verified, "exact", level),
        share_upper=upper,
        files=share * audit.negatives,
        files_upper=upper * audit.negatives,
    )


def upper_bound(successes: int, trials: int, level: float = 0.95) -> float:
    """The largest share at which so few successes still have probability 1 - level (Clopper-Pearson, one-sided)."""
    return 1.0 if successes == trials else float(beta.ppf(level, successes + 1, trials - successes))


def fractions(rule: str, n: int, tdp: Rate, frp: Rate, elsewhere: Rate, audit: Audit, level: float = 0.95) -> Fractions:
    """TPF = TDP / P[PHI] and FPF = FRP / P[not PHI].

    `elsewhere` is the rate of PHI files that were screened positive and verified, but not flagged by this rule.
    Intervals are combined from those of the terms (MOVER), so they hold even if the audit found nothing.
    """
    miss = missed(audit, level)
    if n == 0 or miss.share is None or miss.share_interval is None:
        return Fractions(rule, None, None, None, None, None)
    negative_share = audit.negatives / n
    hidden = Rate(
        miss.share * negative_share, miss.share_interval[0] * negative_share, miss.share_interval[1] * negative_share
    )
    unflagged = _sum(elsewhere, hidden)
    prevalence = _sum(tdp, unflagged)
    healthy = Rate(max(0.0, 1 - prevalence.value), max(0.0, 1 - prevalence.high), min(1.0, 1 - prevalence.low))
    return Fractions(
        rule,
        prevalence.value,
        tdp.value / prevalence.value if prevalence.value else None,
        _share_of(tdp, unflagged) if prevalence.value else None,
        # Estimates from a small sample may add up to more than all files.
        min(1.0, frp.value / healthy.value) if healthy.value else None,
        _at_most_one(_ratio_limits(frp, healthy)) if healthy.value else None,
    )


def _sum(first: Rate, second: Rate) -> Rate:
    value = first.value + second.value
    low = value - math.hypot(first.value - first.low, second.value - second.low)
    high = value + math.hypot(first.high - first.value, second.high - second.value)
    return Rate(value, max(0.0, low), min(1.0, high))


def _share_of(part: Rate, rest: Rate) -> Interval:
    """The interval of part / (part + rest), by way of rest / part or, where part may be 0, of part / rest."""
    if part.value == 0:
        return 0.0, min(1.0, part.high / (part.high + rest.low)) if part.high + rest.low else 1.0
    low, high = _ratio_limits(rest, part)
    return (0.0 if math.isinf(high) else 1 / (1 + high)), 1 / (1 + low)


def _at_most_one(limits: Interval) -> Interval:
    return min(1.0, limits[0]), min(1.0, limits[1])


def _ratio_limits(above: Rate, below: Rate) -> Interval:
    """Donner & Zou's interval of a ratio of two independent estimates from the intervals of the two."""
    product = above.value * below.value
    lower = above.low * (2 * above.value - above.low)
    upper = above.high * (2 * above.value - above.high)
    widest, narrowest = below.high * (2 * below.value - below.high), below.low * (2 * below.value - below.low)
    divisor = product + math.sqrt(max(0.0, product**2 - lower * widest))
    low = lower / divisor if divisor else 0.0
    high = (product + math.sqrt(max(0.0, product**2 - upper * narrowest))) / narrowest if narrowest > 0 else math.inf
    return max(0.0, low), high
