"""Verified files of a rule, stage by stage -> its TDP and FRP with intervals, or bounds where a stage is not covered.

Where a rule's number of files is known and the labels are a sample, a rate is (n+ / n) times the weighted share of PHI
among the labelled files of the rule (a ratio estimator), so that it never exceeds the coverage. Its variance has two
parts. Other files might have been there to be scanned: copies of one content and members of one container stand or fall
together, so that sums over them count, not files. And others might have been drawn: Cochran's formula for the residuals
of the ratio, content by content. With everything verified and no copies the plain binomial formulas come out exactly.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from evaluation.copies import CONTRADICTED
from evaluation.effects import Effect, design_effect, strata_of
from evaluation.keys import FLAGGED
from evaluation.rates import FEW, Interval, RuleCounts, interval, wilson
from evaluation.rows import Domain, Drawn, Row
from evaluation.sampling import NOT_PHI, PHI, cases_apart, evenness, satterthwaite
from evaluation.scanned import once

_ONE, _HALF = Fraction(1), Fraction(1, 2)
_BORROWED = FEW  # cases that the usual design effect counts for
_FRAME_ERRORS = 4  # standard errors by which a sample may fall short of what it was drawn from


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` is the lower bound where there are `bounds`; `files` are those of the source that it stands for.

    `few` says that the interval is estimated from fewer than ten contents of the kind, or as good as that. None at all
    is no estimate but 0 with its upper limit.
    """

    value: float | None
    files: float
    interval: Interval | None = None
    bounds: Interval | None = None
    se: float | None = None
    sampling_se: float | None = None
    design_effect: float | None = None
    few: bool = False
    counted: float = 1.0  # see Effect


@dataclass(frozen=True, slots=True)
class RuleRates:
    """What is known of one rule; None where a rate is undefined, which is not the same as 0.

    Where not all stages of its files are covered by labels, tdp and frp are lower bounds without an interval, and the
    bounds tell how far they may be off in the worst case.
    """

    rule: str
    n: int
    positive: int
    verified: int
    unverified: int
    phi: int
    not_phi: int
    fully_verified: bool
    sampled: bool
    estimated_phi: float
    estimated_not_phi: float
    tdp: float | None
    frp: float | None
    coverage: float | None
    tdp_interval: Interval | None
    frp_interval: Interval | None
    coverage_interval: Interval | None
    tdp_bounds: Interval | None
    frp_bounds: Interval | None
    tdp_se: float | None
    frp_se: float | None
    tdp_sampling_se: float | None
    frp_sampling_se: float | None
    design_effect: float | None
    tdp_few: bool
    frp_few: bool

    @property
    def bounded(self) -> bool:
        return self.tdp_bounds is not None


@dataclass(frozen=True, slots=True)
class Part:
    """What a domain says: how many files are of the kind, how many may be and are unknown, and the draw's variance."""

    files: Fraction
    unknown: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    evened: Fraction = Fraction(0)  # the draw's variance, if all contents of a kind had as many files
    pseudo: Fraction = Fraction(0)  # the files with half a file added, so that none found is not none there
    cases: Fraction = Fraction(0)  # verified contents of the kind, fewer where they are unequal


def row_of(counts: RuleCounts) -> Row:
    """Counts without copies, stages and draws."""
    drawn = Drawn(_ONE, {PHI: counts.phi, NOT_PHI: counts.not_phi})
    domain = Domain("", once(counts.positive), (drawn,))
    return Row(counts.rule, once(counts.n), (domain,), {})


def rates(counts: RuleCounts, level: float = 0.95) -> RuleRates:
    return row_rates(row_of(counts), level)


def row_rates(row: Row, level: float = 0.95) -> RuleRates:
    tdp, frp = (estimate(row, truth, level) for truth in (PHI, NOT_PHI))
    drawn = [one for domain in row.domains for one in domain.drawn]
    phi, not_phi = (sum(one.files.get(truth, 0) for one in drawn) for truth in (PHI, NOT_PHI))
    positive = sum((domain.weighted for domain in row.domains), Fraction(0))
    return RuleRates(
        rule=row.rule,
        n=round(row.weighted),
        positive=round(positive),
        verified=phi + not_phi,
        unverified=row.positive - phi - not_phi,
        phi=phi,
        not_phi=not_phi,
        fully_verified=phi + not_phi == row.positive,
        sampled=any(one.probability < 1 for one in drawn if one.verified),
        estimated_phi=tdp.files,
        estimated_not_phi=frp.files,
        tdp=tdp.value,
        frp=frp.value,
        coverage=float(positive / row.weighted) if row.n else None,
        tdp_interval=tdp.interval,
        frp_interval=frp.interval,
        coverage_interval=_coverage_interval(row, positive, level),
        tdp_bounds=tdp.bounds,
        frp_bounds=frp.bounds,
        tdp_se=tdp.se,
        frp_se=frp.se,
        tdp_sampling_se=tdp.sampling_se,
        frp_sampling_se=frp.sampling_se,
        design_effect=tdp.design_effect,
        tdp_few=tdp.few,
        frp_few=frp.few,
    )


def estimate(row: Row, truth: str, level: float = 0.95) -> Estimate:
    """The share of all files that the rule flagged and that have this truth.

    Undefined without files, and as long as nothing is verified of what the rule flagged.
    """
    if not row.n or (row.positive and not any(domain.verified for domain in row.domains)):
        return Estimate(None, 0.0)
    parts = parts_of(row, truth)
    files, unknown, by_draw = (
        sum((getattr(one, name) for one in parts), Fraction(0)) for name in ("files", "unknown", "variance")
    )
    share = files / row.weighted
    if unknown:
        reach = _z(level) * math.sqrt(by_draw)
        low, high = float(files) - reach, float(files + unknown) + reach
        bounds = (max(0.0, low / float(row.weighted)), min(1.0, high / float(row.weighted)))
        return Estimate(bounds[0], float(files), bounds=bounds)
    effect = effect_of(row, truth, parts)
    by_files = effect.whole * share * (1 - share) / row.n
    trials = worth(row, share, effect.whole, by_draw, sum((one.pseudo for one in parts), Fraction(0)))
    cases = min(cases_of(parts, by_files * row.weighted**2), trials * min(share, 1 - share))
    apart = _cases_apart(row, truth, effect)
    cases = cases if apart is None else min(cases, apart)
    return Estimate(
        float(share),
        float(files),
        limits(row, share, trials, level, learned(row, truth, by_files, effect, parts), float(cases)),
        se=math.sqrt(by_files + by_draw / row.weighted**2),
        sampling_se=math.sqrt(by_draw) / float(row.weighted),
        design_effect=float(effect.whole),
        few=0 < cases < FEW and bool(by_draw or effect.whole > 1),
        counted=float(effect.counted),
    )


def effect_of(row: Row, truth: str, parts: Sequence[Part]) -> Effect:
    """The design effect of a kind, raised towards that of all screened positives, which is known without labels.

    A dozen PHI files may happen to have no large cluster among them. An effect that is known from so many cases has a
    relative standard error of about one over their square root.
    """
    own, usual = design_effect(row, truth), row.otherwise
    files = sum((one.files for one in parts), Fraction(0))
    if usual is None or usual <= own.clusters or not files:
        return own
    cases = min(sum((one.cases for one in parts), Fraction(0)), files * row.n / row.weighted / own.whole)
    contradiction = (1 - own.clusters / usual) ** 2 * cases / CONTRADICTED**2
    more = max(Fraction(0), 1 - contradiction) * (usual - own.clusters) * _BORROWED / (_BORROWED + cases)
    return own._replace(clusters=own.clusters + more)


def learned(row: Row, truth: str, by_files: Fraction, effect: Effect, parts: Sequence[Part]) -> float:
    """The share of the variance that only the inequality of clusters, or of weights, makes.

    The rest follows from the estimate.
    """
    by_draw, evened = (sum((getattr(one, name) for one in parts), Fraction(0)) for name in ("variance", "evened"))
    whole = by_files * row.weighted**2 + by_draw
    if not whole:
        return 0.0
    even = by_files * row.weighted**2 * min(_ONE, _copies(row, truth) / effect.clusters)
    return max(0.0, float(1 - (even + evened) * evenness(strata_of(row, truth), (truth,)) / whole))


def _copies(row: Row, truth: str) -> Fraction:
    """How many files a verified content of the kind has."""
    drawn = [one for domain in row.domains for one in domain.drawn]
    contents = sum(one.content(truth) for one in drawn)
    return Fraction(sum(one.files.get(truth, 0) for one in drawn), contents) if contents else _ONE


def cases_of(parts: Sequence[Part], by_files: Fraction) -> Fraction:
    """How many contents of the kind the variance is known from; each part counts by its own share (Satterthwaite)."""
    files = sum((one.files for one in parts), Fraction(0))
    if not files:
        return Fraction(0)
    return satterthwaite((one.variance + by_files * one.files / files, one.cases) for one in parts)


def _cases_apart(row: Row, truth: str, effect: Effect) -> Fraction | None:
    """The same where folders were drawn apart, fewer where clusters widen the variance more than copies do."""
    strata = strata_of(row, truth)
    cases = cases_apart(strata, (truth,), row.files)
    if not cases:
        return None
    drawn = [one for domain in row.domains for one in domain.drawn]
    spread = sum((one.spread(truth) * (one.weight / one.probability) ** 2 for one in drawn), Fraction(0))
    clustered = effect.clusters * sum((one.weighted(truth) * one.weight for one in drawn), Fraction(0))
    return cases / max(_ONE, clustered / spread)


def worth(row: Row, share: Fraction, effect: Fraction, by_draw: Fraction, pseudo: Fraction) -> Fraction:
    """How many independent, verified files would be as good."""
    assumed = share if 0 < share < 1 else pseudo / row.weighted
    if not 0 < assumed < 1:
        return row.n / effect
    spread = assumed * (1 - assumed)
    return spread / (effect * spread / row.n + by_draw / row.weighted**2)


def limits(
    row: Row, share: Fraction, trials: Fraction, level: float, learned: float, cases: float | None = None
) -> Interval:
    """Wilson's interval with as many trials as the files are worth; plain Wilson over n independent, verified files."""
    if trials == row.n and row.weighted == row.n:
        return interval(int(share * row.n), row.n, level=level) or (0.0, 1.0)
    return wilson(float(share), float(trials), level, learned, cases)


def parts_of(row: Row, truth: str) -> list[Part]:
    """One for each domain; draws that did not meet a kind share half a content of it."""
    draws = [draw for domain in row.domains for draw in _draws(domain.drawn) if draw[0].probability < 1]
    without = {
        kind: max(1, sum(not any(one.content(kind) for one in draw) for draw in draws)) for kind in (PHI, NOT_PHI)
    }
    return [part(domain, truth, without) for domain in row.domains]


def part(domain: Domain, truth: str, without: Mapping[str, int]) -> Part:
    """Everything verified: known. A draw that covers the domain: estimated. Otherwise: from what was seen to all."""
    seen = sum((one.files.get(truth, 0) * one.weight for one in domain.drawn), Fraction(0))
    cases = _cases(domain, truth)
    if domain.verified == domain.positive:
        return Part(seen, pseudo=seen, cases=cases)
    labelled = sum((one.weighted(kind) for one in domain.drawn for kind in (PHI, NOT_PHI)), Fraction(0))
    if not covered(domain):
        verified = sum((one.verified * one.weight for one in domain.drawn), Fraction(0))
        return Part(seen, max(Fraction(0), domain.weighted - verified))
    of_kind = sum((one.weighted(truth) for one in domain.drawn), Fraction(0))
    half = _HALF * labelled / sum(one.content(kind) for one in domain.drawn for kind in (PHI, NOT_PHI))
    smoothed = (of_kind + half) / (labelled + 2 * half)
    variance = _by_draw(domain.drawn, truth, smoothed, without)
    evened, alike = variance, [one.evened() for one in domain.drawn]
    if alike != list(domain.drawn):
        evened = _by_draw(alike, truth, smoothed, without)
    scale = domain.weighted / labelled
    return Part(of_kind * scale, Fraction(0), variance * scale**2, evened * scale**2, domain.weighted * smoothed, cases)


def _cases(domain: Domain, truth: str) -> Fraction:
    """Contents of the kind, fewer where some have more files than others, or stand for more (Kish)."""
    files = sum((one.weighted(truth) for one in domain.drawn), Fraction(0))
    spread = sum((one.spread(truth) * (one.weight / one.probability) ** 2 for one in domain.drawn), Fraction(0))
    return files**2 / spread if spread else Fraction(0)


def covered(domain: Domain) -> bool:
    """Whether labels were drawn from all files of the domain: a draw adds up to about as many as there are."""
    if not domain.verified or all(one.probability == 1 for one in domain.drawn):
        return False
    labelled = sum((one.weighted(kind) for one in domain.drawn for kind in (PHI, NOT_PHI)), Fraction(0))
    error = sum(
        (
            (1 - one.probability)
            * one.weight**2
            / one.probability**2
            * (sum(one.square(kind) for kind in (PHI, NOT_PHI)) + _HALF)
            for one in domain.drawn
        ),
        Fraction(0),
    )
    short = domain.weighted - labelled
    return 2 * short <= domain.weighted or float(short) <= _FRAME_ERRORS * math.sqrt(error)


def _draws(drawn: Sequence[Drawn]) -> list[list[Drawn]]:
    """What was drawn as one, however many files of the source each stands for."""
    draws: dict[tuple[str, Fraction], list[Drawn]] = {}
    for one in drawn:
        draws.setdefault((one.stratum, one.probability), []).append(one)
    return list(draws.values())


def _by_draw(drawn: Sequence[Drawn], truth: str, share: Fraction, without: Mapping[str, int]) -> Fraction:
    return sum((residual_variance(draw, truth, share, without) for draw in _draws(drawn)), Fraction(0))


def residual_variance(draw: Sequence[Drawn], truth: str, share: Fraction, without: Mapping[str, int]) -> Fraction:
    """Of the weighted sum of (is of the kind - share), drawn without replacement, content by content.

    A kind that the draw did not meet gets its part of half a content, for the variance only: else it would claim
    certainty. So many draws `without` the kind share it.
    """
    probability = draw[0].probability
    if probability == 1:
        return Fraction(0)
    other = NOT_PHI if truth == PHI else PHI
    contents = sum(one.content(kind) for one in draw for kind in (truth, other))
    everything = sum((one.square(kind) * one.weight**2 for one in draw for kind in (truth, other)), Fraction(0))
    half = everything / (2 * contents) if contents else _HALF
    of_kind, of_other = (
        sum((one.spread(kind) * one.weight**2 for one in draw), Fraction(0)) or half / without[kind]
        for kind in (truth, other)
    )
    squares = (1 - share) ** 2 * of_kind + share**2 * of_other
    residual = sum(
        (((1 - share) * one.files.get(truth, 0) - share * one.files.get(other, 0)) * one.weight for one in draw),
        Fraction(0),
    )
    draws = (contents if draw[0].draws is None else draw[0].draws) + 1
    spread = (squares - residual**2 / draws) * Fraction(draws, max(1, draws - 1))
    return (1 - probability) / probability**2 * max(Fraction(0), spread)


def _coverage_interval(row: Row, positive: Fraction, level: float) -> Interval | None:
    if not row.n:
        return None
    share, effect = positive / row.weighted, design_effect(row, FLAGGED)
    trials = worth(row, share, effect.whole, Fraction(0), Fraction(0))
    return limits(row, share, trials, level, float(1 - 1 / effect.clusters))


def _z(level: float) -> float:
    return NormalDist().inv_cdf(0.5 + level / 2)
