"""The interval that is wanted -> how many more files must be verified, or, where that cannot be enough, scanned."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from evaluation.rates import RuleCounts, interval
from evaluation.sampling import PHI, Stratum, sampled_interval

_WORST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """For one rule: `more` verifications, drawn at random from its unverified files, bring the intervals to `width`.

    `more` is None if even verifying every file leaves them wider; `scan_files` then is the size of scan that is needed.
    """

    rule: str
    width: float
    verified: int
    unverified: int
    width_now: float | None
    more: int | None
    width_at_best: float | None
    scan_files: int | None


def plan(counts: RuleCounts, width: float, level: float = 0.95) -> Plan:
    """Assumes that unverified files hold PHI as often as verified ones; one in two, as long as none is verified."""
    if not 0 < width < 1:
        raise ValueError("a width is above 0 and below 1")
    verified = counts.phi + counts.not_phi
    phi_share = counts.phi / verified if verified else _WORST_SHARE

    def width_with(drawn: int) -> float:
        return max(_width(counts.n, counts.positive, drawn, share, level) for share in (phi_share, 1 - phi_share))

    if counts.positive == 0:
        return Plan(counts.rule, width, 0, 0, None, 0 if counts.n else None, None, None)
    best = width_with(counts.positive)
    enough = (
        _smallest(lambda drawn: width_with(drawn) <= width, max(verified, 1), counts.positive)
        if best <= width
        else None
    )
    return Plan(
        rule=counts.rule,
        width=width,
        verified=verified,
        unverified=counts.positive - verified,
        width_now=width_with(verified) if verified else None,
        more=None if enough is None else max(0, enough - verified),
        width_at_best=best,
        scan_files=None if enough is not None else _files_needed(counts, phi_share, width, level),
    )


def _width(n: int, positive: int, drawn: int, share: float, level: float) -> float:
    """Width of the interval of a rate when `drawn` of the positives are verified and `share` of those count."""
    hits = round(share * drawn)
    stratum = Stratum("", Fraction(drawn, positive), drawn, {PHI: hits})
    limits = sampled_interval((stratum,), PHI, n, level)
    return limits[1] - limits[0] if limits else 1.0


def _files_needed(counts: RuleCounts, phi_share: float, width: float, level: float) -> int | None:
    coverage = counts.positive / counts.n

    def narrow(n: int) -> bool:
        limits = [interval(round(share * coverage * n), n, level=level) for share in (phi_share, 1 - phi_share)]
        return all(bounds is not None and bounds[1] - bounds[0] <= width for bounds in limits)

    ceiling = counts.n
    while not narrow(ceiling):
        ceiling *= 2
        if ceiling > 10**12:
            return None
    return _smallest(narrow, counts.n, ceiling)


def _smallest(good: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest number from low to high that is good, given that high is, and that larger ones stay good."""
    while low < high:
        middle = (low + high) // 2
        if good(middle):
            high = middle
        else:
            low = middle + 1
    return low
