"""Measured rules -> the plot of all rules, their rates over time, and a comparison of two."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.cells import VerifiedCells
from evaluation.comparison import Comparison, Ratio, compare
from evaluation.sampling import PHI, sampled_interval, total
from evaluation.tally import Sums
from review.dashboard.choice import Choice
from review.dashboard.figures import Figures, figures_of
from review.dashboard.measuring import Rates, is_lower_bound, measured, sums_for, verified_cells
from review.dashboard.plots import Column, Plot
from review.models import Scan

NOT_COUNTED = "No scan was counted yet. Hand one over with: leakscreen refer RESULTS"
NO_REVIEWS = (
    "No referral of this scan has been decided yet: TDP and FRP appear when reviewers have judged the first ones."
)
_RATES = (
    Column("rule", "Rule"),
    Column("n", "n", "count"),
    Column("positive", "n+", "count"),
    Column("verified", "Verified", "count"),
    Column("coverage", "Coverage", "rate"),
    Column("tdp", "TDP", "rate"),
    Column("tdp_low", "TDP from", "rate"),
    Column("tdp_high", "to", "rate"),
    Column("frp", "FRP", "rate"),
    Column("frp_low", "FRP from", "rate"),
    Column("frp_high", "to", "rate"),
    Column("per_hundred", "PHI per 100 reviews", "count"),
    Column("bound", "Counts"),
)
_TIME = (
    Column("day", "Scan of", "day"),
    Column("scan", "Scan"),
    Column("series", "Rule"),
    Column("n", "n", "count"),
    Column("verified", "Verified", "count"),
    Column("value", "Rate", "rate"),
    Column("low", "from", "rate"),
    Column("high", "to", "rate"),
)
MOST_LINES = 6


def rate_row(found: Rates) -> list[Any]:
    per_hundred = 100 * found.phi / found.verified if found.verified else None
    tdp, frp = (found.tdp_interval or (None, None)), (found.frp_interval or (None, None))
    bound = ("at least" if is_lower_bound(found) else "all") if found.verified else ""
    counts = [found.n, found.positive, found.verified, found.coverage]
    return [
        found.rule,
        *counts,
        found.tdp,
        *tdp,
        found.frp,
        *frp,
        None if per_hundred is None else round(per_hundred, 1),
        bound,
    ]


def rules_plot(choice: Choice) -> Plot:
    """Rules that never fired are left to the scan's report."""
    rows: list[list[Any]] = []
    if choice.scan is not None and choice.figures is not None:
        sums = sums_for(choice.figures, verified_cells(choice.scan.pk, choice.figures), choice.source)
        rates = [rule_rates for rule_rates in measured(sums, choice.figures.rules) if rule_rates.positive]
        rows = [
            rate_row(rule_rates)
            for rule_rates in sorted(
                rates,
                key=lambda rule_rates: (
                    -(rule_rates.tdp or 0),
                    rule_rates.frp or 0,
                    -rule_rates.positive,
                    rule_rates.rule,
                ),
            )
        ]
    return Plot(
        "rules",
        "rates",
        "TDP and FRP of each rule",
        "Each rule is a point with 95 % intervals; a hollow point is a lower bound. The best are at the top left.",
        _RATES,
        rows,
        NOT_COUNTED if choice.scan is None else "No rule fired in this scan." if not rows else NO_REVIEWS,
        table_first=True,
    )


@dataclass(frozen=True, slots=True)
class _Past:
    """A scan with what was verified of it."""

    scan: Scan
    figures: Figures
    verified: Sequence[VerifiedCells]
    sums: Sums

    @property
    def day(self) -> str:
        return f"{self.scan.started:%Y-%m-%d %H:%M}"


def _history(choice: Choice) -> list[_Past]:
    past = []
    for scan in reversed(choice.scans):
        figures = figures_of(scan.pk)
        if figures is not None:
            verified = verified_cells(scan.pk, figures)
            past.append(_Past(scan, figures, verified, sums_for(figures, verified, choice.source)))
    return past


def time_plots(choice: Choice, wanted: Sequence[str]) -> list[Plot]:
    """One point a scan; without a wish the rules that found most PHI in the newest scan."""
    history = _history(choice)
    chosen = list(wanted) or (_leading(history[-1].sums) if history else [])
    rows: dict[str, list[list[Any]]] = {"tdp": [], "frp": []}
    for past in history:
        for rates in measured(past.sums, chosen):
            for name, lines in rows.items():
                limits = getattr(rates, f"{name}_interval") or (None, None)
                lines.append(
                    [past.day, past.scan.pk, rates.rule, rates.n, rates.verified, getattr(rates, name), *limits]
                )
    words = {
        "tdp": ("TDP over time", "True detections of each rule, scan by scan."),
        "frp": ("FRP over time", "False referrals of each rule."),
    }
    plots = [
        Plot(name, "lines", *words[name], _TIME, lines, NO_REVIEWS if history else NOT_COUNTED)
        for name, lines in rows.items()
    ]
    return [*plots, _source_history(history)] if history else plots[:1]


def _source_history(history: Sequence[_Past]) -> Plot:
    rows = [
        [past.day, past.scan.pk, source, *_prevalence(past.figures, past.verified, source)]
        for past in history
        for source in past.figures.sources
    ]
    note = "Verified PHI files among the examined ones, scan by scan; a lower bound while referrals wait."
    columns = (*_TIME[:2], Column("series", "Source"), *_TIME[3:])
    return Plot("sources", "lines", "PHI by source over time", note, columns, rows, NO_REVIEWS)


def prevalence_plot(choice: Choice) -> Plot:
    figures, rows = choice.figures, list[list[Any]]()
    if figures is not None and choice.scan is not None:
        verified = verified_cells(choice.scan.pk, figures)
        wanted = [source for source in figures.sources if choice.source in ("", source)]
        rows = [[source, *_prevalence(figures, verified, source)] for source in wanted]
    columns = (Column("label", "Source"), *_TIME[3:])
    note = (
        "Verified PHI files among the examined files of each source, with 95 % intervals;"
        " a lower bound while referrals wait."
    )
    return Plot(
        "prevalence",
        "bars",
        "Prevalence by source",
        note,
        columns,
        rows,
        NO_REVIEWS,
        {"value": "value", "percent": True},
    )


def _prevalence(figures: Figures, verified_files: Sequence[VerifiedCells], source: str) -> list[Any]:
    sums = sums_for(figures, verified_files, source)
    strata, verified = sums.screened_strata(), sum(sums.verified.values())
    if not verified or not sums.n:
        return [sums.n, verified, None, None, None]
    limits = sampled_interval(strata, PHI, sums.n) or (None, None)
    return [sums.n, verified, float(total(strata, PHI) / sums.n), *limits]


def _leading(sums: Sums) -> list[str]:
    rules = sorted(sums.rules(), key=lambda counts: (-counts.phi, counts.not_phi, -counts.positive, counts.rule))
    return [counts.rule for counts in rules][:MOST_LINES]


def comparison_of(choice: Choice, first: str, second: str) -> Comparison | None:
    if (
        choice.scan is None
        or choice.figures is None
        or first == second
        or not {first, second} <= set(choice.figures.rules)
    ):
        return None
    sums = sums_for(choice.figures, verified_cells(choice.scan.pk, choice.figures), choice.source, (first, second))
    return compare(sums.pair(first, second))


def comparison_plot(found: Comparison) -> Plot:
    columns = (
        Column("label", "Among"),
        Column("both", "Both", "count"),
        Column("first_only", f"Only {found.first}", "count"),
        Column("second_only", f"Only {found.second}", "count"),
        Column("value", "Ratio", "ratio"),
        Column("low", "from", "ratio"),
        Column("high", "to", "ratio"),
        Column("p", "p", "rate"),
    )
    rows = [_ratio_row("PHI files (rTPF)", found.rtpf), _ratio_row("false referrals (rFPF)", found.rfpf)]
    note = f"{found.first} over {found.second}, with 95 % intervals: right of 1 it has more, left of 1 fewer."
    return Plot("compare", "ratios", "Both rules beside each other", note, columns, rows, table_first=True)


def _ratio_row(label: str, ratio: Ratio) -> list[Any]:
    return [
        label,
        ratio.both,
        ratio.first_only,
        ratio.second_only,
        ratio.ratio,
        *(ratio.interval or (None, None)),
        ratio.p_value,
    ]
