"""The interval that is wanted -> how many more files must be verified, or, where that cannot be enough, scanned.

Widths are those that `estimate` prints: the same share, design effect and variance of the draw. More verifications
shrink only the last.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from evaluation.estimate import Part, covered, effect_of, estimate, learned, limits, parts_of, worth
from evaluation.rates import wilson
from evaluation.rows import Domain, Row
from evaluation.sampling import NOT_PHI, PHI

_HALF = Fraction(1, 2)
_LARGEST_SCAN = 10**12


@dataclass(frozen=True, slots=True)
class Plan:
    """For one rule: `more` verifications, drawn at random from its unverified files, bring the intervals to `width`.

    `width_now` is that of the interval, or of the worst-case bounds, that stands beside it. `more` is None if even
    verifying every file leaves intervals wider; `scan_files` then is the size of scan that is needed.
    """

    rule: str
    width: float
    verified: int
    unverified: int
    width_now: float | None
    more: int | None
    width_at_best: float | None
    scan_files: int | None


def plan(row: Row, width: float, level: float = 0.95) -> Plan:
    """Assumes that unverified files hold PHI as often as verified ones; one in two, as long as none is verified."""
    if not 0 < width < 1:
        raise ValueError("a width is above 0 and below 1")
    verified = sum(domain.verified for domain in row.domains)
    unverified = row.positive - verified
    if not row.positive:
        return Plan(row.rule, width, 0, 0, _width_now(row, level), 0 if row.n else None, None, None)

    def width_with(more: int) -> float:
        return max(_width(row, truth, more, level) for truth in (PHI, NOT_PHI))

    now, best = _width_now(row, level), width_with(unverified)
    more = None
    if now is not None and max(_reach(row, truth, level) for truth in (PHI, NOT_PHI)) <= width:
        more = 0
    elif best <= width:
        more = _smallest(lambda number: width_with(number) <= width, _fewest(row), unverified)
    return Plan(
        rule=row.rule,
        width=width,
        verified=verified,
        unverified=unverified,
        width_now=now,
        more=more,
        width_at_best=best,
        scan_files=None if more is not None else _files_needed(row, width, level),
    )


def _fewest(row: Row) -> int:
    """So many that a file of each stage of which nothing is known is likely to be among them."""
    left = {domain.stage: domain.positive - domain.verified for domain in row.domains}
    unknown = [left[domain.stage] for domain in row.domains if left[domain.stage] and not covered(domain)]
    return max((math.ceil(sum(left.values()) / files) for files in unknown), default=1)


def _reach(row: Row, truth: str, level: float) -> float:
    """From the lower limit of the lowest case to the upper one of the highest.

    Bounds speak of the files that are there. They may be close to each other where an interval would be wide.
    """
    found = estimate(row, truth, level)
    if found.bounds is None:
        low, high = found.interval or (0.0, 1.0)
        return high - low
    trials = row.n / float(effect_of(row, truth, parts_of(row, truth)).whole)
    lowest, highest = (wilson(share, trials, level) for share in found.bounds)
    return highest[1] - lowest[0]


def _width_now(row: Row, level: float) -> float | None:
    found = [estimate(row, truth, level) for truth in (PHI, NOT_PHI)]
    widths = [ends[1] - ends[0] for one in found if (ends := one.interval or one.bounds) is not None]
    return max(widths, default=None)


def _width(row: Row, truth: str, more: int, level: float) -> float:
    parts = _expected(row, truth, more)
    files, by_draw, pseudo = (
        sum((getattr(one, name) for one in parts), Fraction(0)) for name in ("files", "variance", "pseudo")
    )
    share, effect = files / row.weighted, effect_of(row, truth, parts_of(row, truth))
    by_files = effect.whole * share * (1 - share) / row.n
    trials = worth(row, share, effect.whole, by_draw, pseudo)
    low, high = limits(row, share, trials, level, learned(row, truth, by_files, effect, parts))
    return high - low


def _expected(row: Row, truth: str, more: int) -> list[Part]:
    """The domains as they will look: further verifications are spread over them as their unverified files are."""
    verified = sum(domain.verified for domain in row.domains)
    of_kind = sum(one.files.get(truth, 0) for domain in row.domains for one in domain.drawn)
    share = Fraction(of_kind, verified) if verified else _HALF
    left = row.positive - verified
    return [
        _with_more(domain, now, Fraction(more * (domain.positive - domain.verified), left or 1), share)
        for domain, now in zip(row.domains, parts_of(row, truth), strict=True)
    ]


def _with_more(domain: Domain, now: Part, more: Fraction, share: Fraction) -> Part:
    unverified = domain.positive - domain.verified
    if not unverified or more >= unverified:
        files = now.files + now.unknown * share
        return Part(files, pseudo=files)
    if covered(domain):
        before, after = (domain.positive / number - 1 for number in (Fraction(domain.verified), domain.verified + more))
        less = after / before
        return replace(now, variance=now.variance * less, evened=now.evened * less)
    weight = domain.weighted / domain.positive
    smoothed = (share * more + _HALF) / (more + 1)
    variance = unverified * (unverified - more) / max(more, _HALF) * smoothed * (1 - smoothed) * weight**2
    files = now.files + now.unknown * share
    return Part(files, variance=variance, evened=variance, pseudo=now.files + now.unknown * smoothed)


def _files_needed(row: Row, width: float, level: float) -> int | None:
    shares = []
    for truth in (PHI, NOT_PHI):
        files = sum((one.files for one in _expected(row, truth, row.positive)), Fraction(0))
        shares.append((float(files / row.weighted), float(effect_of(row, truth, parts_of(row, truth)).whole)))

    def narrow(n: int) -> bool:
        ends = [wilson(share, n / effect, level) for share, effect in shares]
        return all(high - low <= width for low, high in ends)

    ceiling = row.n
    while not narrow(ceiling):
        ceiling *= 2
        if ceiling > _LARGEST_SCAN:
            return None
    return _smallest(narrow, row.n, ceiling)


def _smallest(good: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest number from low to high that is good, given that high is, and that larger ones stay good."""
    while low < high:
        middle = (low + high) // 2
        if good(middle):
            high = middle
        else:
            low = middle + 1
    return low
