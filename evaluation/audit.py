"""Verified files of all stages -> what each stage lost, and true and false positive fractions, or bounds of them.

A stage is covered where all its files are verified, or a random draw of them. Where one is not, nothing is assumed of
it: what depends on it is given by its worst cases.
"""

import math
from dataclasses import dataclass
from typing import Any

from scipy.stats import beta

from evaluation.estimate import Estimate, covered, estimate
from evaluation.rates import Interval, standard_errors
from evaluation.rows import Row
from evaluation.sampling import NOT_PHI, PHI


@dataclass(frozen=True, slots=True)
class StageLoss:
    """PHI among the files of one stage: as a share of them, and in files; None where nothing covers the stage.

    `share_upper` is a one-sided 95 % limit; without coverage the bounds are the worst cases.
    """

    stage: str
    files: int
    verified: int
    phi: int
    covered: bool
    share: float | None
    share_interval: Interval | None
    share_upper: float | None
    phi_files: float | None
    phi_files_upper: float | None
    phi_files_bounds: Interval | None


@dataclass(frozen=True, slots=True)
class Fractions:
    """True and false positive fraction of a rule and the share of PHI files; bounds where a stage is not covered."""

    rule: str
    prevalence: float | None = None
    tpf: float | None = None
    fpf: float | None = None
    prevalence_interval: Interval | None = None
    tpf_interval: Interval | None = None
    fpf_interval: Interval | None = None
    prevalence_bounds: Interval | None = None
    tpf_bounds: Interval | None = None
    fpf_bounds: Interval | None = None
    prevalence_few: bool = False  # see Estimate
    tpf_few: bool = False
    fpf_few: bool = False


@dataclass(frozen=True, slots=True)
class Rate:
    """An estimate with its interval."""

    value: float
    low: float
    high: float


def stage_loss(row: Row, level: float = 0.95) -> StageLoss:
    """PHI in a stage by itself (`row` has no other); nothing found in m contents leaves about 3/m at 95 %."""
    (domain,) = row.domains
    phi, not_phi = (sum(one.files.get(truth, 0) for one in domain.drawn) for truth in (PHI, NOT_PHI))
    full, found = domain.verified == domain.positive, estimate(row, PHI, level)
    weighted = float(domain.weighted)
    if not domain.positive:
        return StageLoss(row.rule, 0, 0, 0, True, None, None, None, 0.0, 0.0, None)
    if not full and not covered(domain):
        seen = (float(phi), float(domain.positive - not_phi))
        return StageLoss(row.rule, domain.positive, phi + not_phi, phi, False, None, None, None, None, None, seen)
    share = found.value
    assert share is not None
    counts = (row.rule, domain.positive, phi + not_phi, phi, True)
    if full:
        return StageLoss(*counts, share, (share, share), share, share * weighted, share * weighted, None)
    contents = sum(one.content(truth) for one in domain.drawn for truth in (PHI, NOT_PHI))
    # As many trials as contents, fewer where draws were unequal: the interval tells what they are worth.
    worth = contents if found.interval is None else min(contents, _worth(found))
    low, high = exact_interval(share * worth, worth, level)
    upper = upper_bound(share * worth, worth, level)
    return StageLoss(*counts, share, (low, high), upper, share * weighted, upper * weighted, None)


def _worth(found: Estimate) -> float:
    """How many independent files would have the same sampling error."""
    if not found.value or not found.sampling_se or found.value >= 1:
        return math.inf
    return found.value * (1 - found.value) / found.sampling_se**2


def upper_bound(successes: float, trials: float, level: float = 0.95) -> float:
    """The largest share at which so few successes still have probability 1 - level (Clopper-Pearson, one-sided)."""
    return 1.0 if successes >= trials else float(beta.ppf(level, successes + 1, trials - successes))


def exact_interval(successes: float, trials: float, level: float = 0.95) -> Interval:
    """Clopper and Pearson's, also for numbers that are not whole."""
    tail = (1 - level) / 2
    low = 0.0 if successes <= 0 else float(beta.ppf(tail, successes, trials - successes + 1))
    return low, upper_bound(successes, trials, 1 - tail)


def fractions(row: Row, rest: Row, every: Row, level: float = 0.95) -> Fractions:
    """TPF = TDP / P[PHI] and FPF = FRP / P[not PHI]; `rest` has all files that the rule did not flag, `every` all.

    Intervals are combined from those of the flagged and the other files (MOVER), so they hold even if a draw found
    nothing. Where a stage is not covered, the bounds let everything unknown be the one or the other.
    """
    if not row.n:
        return Fractions(row.rule)
    whole = _known(every, PHI, level)
    prevalence: dict[str, Any] = {
        "prevalence": None if whole.bounds else whole.value,
        "prevalence_interval": whole.interval,
        "prevalence_bounds": whole.bounds,
        "prevalence_few": whole.few,
    }
    flagged, other = ({truth: _known(one, truth, level) for truth in (PHI, NOT_PHI)} for one in (row, rest))
    if any(one.bounds for part in (flagged, other) for one in part.values()):
        tpf, fpf = (_share_bounds(flagged[truth], other[truth], level) for truth in (PHI, NOT_PHI))
        return Fractions(row.rule, **prevalence, tpf_bounds=tpf, fpf_bounds=fpf)
    found, missed, wrong, right = (_rate(part[truth]) for truth in (PHI, NOT_PHI) for part in (flagged, other))
    with_phi, without = found.value + missed.value, wrong.value + right.value
    return Fractions(
        row.rule,
        **prevalence,
        tpf=found.value / with_phi if with_phi else None,
        fpf=wrong.value / without if without else None,
        tpf_interval=_share_of(found, missed) if with_phi else None,
        fpf_interval=_share_of(wrong, right) if without else None,
        tpf_few=flagged[PHI].few or other[PHI].few,
        fpf_few=flagged[NOT_PHI].few or other[NOT_PHI].few,
    )


def _known(row: Row, truth: str, level: float) -> Estimate:
    """An undefined estimate is one of which nothing is known: anything up to all flagged files."""
    found = estimate(row, truth, level)
    if found.value is not None:
        return found
    most = sum(float(domain.weighted) for domain in row.domains) / float(row.weighted)
    return Estimate(0.0, 0.0, bounds=(0.0, most))


def _ends(found: Estimate, level: float) -> Interval:
    """The bounds of what is bounded, and else the estimate as far as its draw may be off."""
    if found.bounds is not None:
        return found.bounds
    value, reach = found.value or 0.0, standard_errors(level, 0) * (found.sampling_se or 0.0)
    return max(0.0, value - reach), value + reach


def _share_bounds(part: Estimate, rest: Estimate, level: float) -> Interval:
    (low, high), (rest_low, rest_high) = _ends(part, level), _ends(rest, level)
    return (
        low / (low + rest_high) if low + rest_high else 0.0,
        high / (high + rest_low) if high else 0.0,
    )


def _rate(found: Estimate) -> Rate:
    """Wider by what the ratio of two shares of the same n loses if they are taken for independent.

    Where one is larger by chance, the other is smaller. The ratio of two counts has the variance of two independent
    Poisson counts, and that of a share lacks its factor 1 - share, or more, where folders were drawn apart.
    """
    value = found.value or 0.0
    low, high = found.interval or (value, value)
    if not found.se or value >= 1:
        return Rate(value, low, high)
    by_draw = (found.sampling_se or 0.0) ** 2
    wider = math.sqrt(((found.se**2 - by_draw) / (1 - value) * found.counted + by_draw) / found.se**2)
    return Rate(value, max(0.0, value - (value - low) * wider), value + (high - value) * wider)


def _share_of(part: Rate, rest: Rate) -> Interval:
    """The interval of part / (part + rest), by way of rest / part or, where part may be 0, of part / rest."""
    if part.value == 0:
        return 0.0, min(1.0, part.high / (part.high + rest.low)) if part.high + rest.low else 1.0
    low, high = _ratio_limits(rest, part)
    return (0.0 if math.isinf(high) else 1 / (1 + high)), 1 / (1 + low)


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
