"""Measured rules -> the plot of all rules, their rates over time, and a comparison of two."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.audit import StageLoss, fractions, stage_loss
from evaluation.cells import VerifiedCells
from evaluation.comparison import Comparison, Ratio, compare
from evaluation.design import REFERRED, STAGES
from evaluation.estimate import RuleRates, estimate
from evaluation.keys import ALL
from evaluation.sampling import PHI
from evaluation.tally import Sums
from review.dashboard.choice import Choice
from review.dashboard.figures import Figures, figures_of
from review.dashboard.measuring import measured, sums_for, verified_cells
from review.dashboard.plots import WORST_CASES, Column, Plot
from review.models import Scan
from review.templatetags.wording import rule_words
from review.translation import gettext_lazy as _
from review.translation import gettext_noop

NO_REVIEWS = _(
    "No referral of this scan has been decided yet: TDP and FRP appear when reviewers have judged the first ones."
)
_RATES = (
    Column("rule", _("Rule"), "rule"),
    Column("n", _("n"), "count"),
    Column("positive", _("n+"), "count"),
    Column("verified", _("Verified"), "count"),
    Column("coverage", _("Coverage"), "rate"),
    Column("tdp", _("TDP"), "rate"),
    Column("tdp_low", _("TDP from"), "rate"),
    Column("tdp_high", _("to"), "rate"),
    Column("frp", _("FRP"), "rate"),
    Column("frp_low", _("FRP from"), "rate"),
    Column("frp_high", _("to"), "rate"),
    Column("per_hundred", _("PHI per 100 reviews"), "count"),
    Column("bound", _("Limits")),
)
_TIME = (
    Column("day", _("Scan of"), "day"),
    Column("scan", _("Scan"), "name"),
    Column("series", _("Rule"), "rule"),
    Column("n", _("n"), "count"),
    Column("verified", _("Verified"), "count"),
    Column("value", _("Rate"), "rate"),
    Column("low", _("from"), "rate"),
    Column("high", _("to"), "rate"),
    Column("bound", _("Limits")),
)
MOST_LINES = 5
_HOLLOW = _(
    " A hollow point is a worst case, and its line or band reaches to the other one:"
    " in some stage nobody verified or drew such files."
)


def rate_row(found: RuleRates) -> list[Any]:
    """Where a rule is bounded, its limits are the worst cases and no interval."""
    per_hundred = 100 * found.phi / found.verified if found.verified else None
    tdp = found.tdp_interval or found.tdp_bounds or (None, None)
    frp = found.frp_interval or found.frp_bounds or (None, None)
    counts = [found.n, found.positive, found.verified, found.coverage]
    return [
        found.rule,
        *counts,
        found.tdp,
        *tdp,
        found.frp,
        *frp,
        None if per_hundred is None else round(per_hundred, 1),
        _limits_are(found),
    ]


def _limits_are(found: RuleRates) -> str:
    if found.tdp is None:
        return ""
    if found.bounded:
        return WORST_CASES
    few = " from few" if found.tdp_few or found.frp_few else ""
    return f"95 %, estimated{few}" if found.sampled or few else "95 %"


def rules_plot(choice: Choice) -> Plot:
    """Rules that never fired are left to the scan's report."""
    rows: list[list[Any]] = []
    ceiling = None
    if choice.scan is not None and choice.figures is not None:
        sums = sums_for(choice.figures, verified_cells(choice.scan.pk, choice.figures), choice.source)
        found = [rates for rates in measured(sums, (REFERRED, *choice.figures.rules)) if rates.positive]
        rows = [rate_row(rates) for rates in sorted(found, key=_order)]
        ceiling = _ceiling(sums)
    note = _(
        "Each rule is a point with 95 percent intervals, the tool as a whole (referred: both stages) a diamond;"
        " the best are at the top left. A hollow point is a worst case, and its lines reach to the other one:"
        " in some stage nobody verified or drew one of its files."
    )
    return Plot(
        "rules",
        "rates",
        _("TDP and FRP of the tool and of each rule"),
        note + (_(" The line across is the ceiling: the share of files that hold PHI.") if ceiling else ""),
        _RATES,
        rows,
        choice.nothing_chosen if choice.scan is None else _("No rule fired in this scan.") if not rows else NO_REVIEWS,
        {"whole": REFERRED, "ceiling": ceiling},
        table_first=True,
    )


def stages_plot(choice: Choice) -> Plot:
    """How much PHI is in each stage, so what the health stage and the screen lost."""
    rows: list[list[Any]] = []
    if choice.scan is not None and choice.figures is not None:
        sums = sums_for(choice.figures, verified_cells(choice.scan.pk, choice.figures), choice.source)
        rows = [_stage_row(stage_loss(sums.stage(stage))) for stage in STAGES]
    columns = (
        Column("label", _("Stage")),
        Column("files", _("Files"), "count"),
        Column("verified", _("Verified"), "count"),
        Column("phi", _("PHI among them"), "count"),
        Column("value", _("PHI files"), "count"),
        Column("low", _("from"), "count"),
        Column("high", _("to"), "count"),
        Column("bound", _("Limits")),
    )
    note = _(
        "PHI among referred files, among those that the health stage left behind (screened only), and among those that"
        " no rule screened. Where nobody drew, these are worst cases; leakscreen refer --audit draws from both."
    )
    return Plot("by-stage", "bars", _("PHI by stage"), note, columns, rows, choice.nothing_chosen, {"value": "value"})


def _stage_row(loss: StageLoss) -> list[Any]:
    if loss.phi_files_bounds is not None:
        low, high = loss.phi_files_bounds
        return [loss.stage, loss.files, loss.verified, loss.phi, low, low, high, WORST_CASES]
    low, high = (share * loss.files for share in loss.share_interval or (0.0, 0.0))
    kind = "all verified" if loss.verified == loss.files else "95 %, estimated"
    return [
        loss.stage,
        loss.files,
        loss.verified,
        loss.phi,
        round(loss.phi_files or 0, 1),
        round(low, 1),
        round(high, 1),
        kind,
    ]


def _order(found: RuleRates) -> tuple[bool, bool, float, float, int, str]:
    """The tool first, then the rules by what they found; what nobody verified comes last."""
    return found.rule != REFERRED, found.tdp is None, -(found.tdp or 0), found.frp or 0, -found.positive, found.rule


def _ceiling(sums: Sums) -> dict[str, float] | None:
    """P[PHI] and its interval, where every stage is covered by labels."""
    found = fractions(sums.row(REFERRED), sums.rest(REFERRED), sums.row(ALL))
    if found.prevalence is None or found.prevalence_interval is None:
        return None
    low, high = found.prevalence_interval
    return {"value": found.prevalence, "low": low, "high": high}


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


def _history(choice: Choice, source: str) -> list[_Past]:
    """Scans of the source, oldest first: rates of different sources are no trend."""
    past = []
    for scan in reversed(choice.scans):
        figures = figures_of(scan.pk)
        if figures is not None and source in figures.sources:
            verified = verified_cells(scan.pk, figures)
            past.append(_Past(scan, figures, verified, sums_for(figures, verified, source)))
    return past


def _trend_source(choice: Choice) -> str:
    """The chosen one, or that of which the newest scan examined most files."""
    if choice.source or choice.figures is None:
        return choice.source
    cells, sources = choice.figures.cells, choice.figures.sources
    files = {name: int(cells.files[cells.source == place].sum()) for place, name in enumerate(sources)}
    return max(files, key=lambda name: (files[name], name), default="")


def time_plots(choice: Choice, wanted: Sequence[str]) -> list[Plot]:
    """One point a scan of one source; without a wish the tool, and the rules that found most PHI in the newest scan."""
    source = _trend_source(choice)
    history = _history(choice, source)
    chosen = list(wanted) or ([REFERRED, *_leading(history[-1].sums)] if history else [])
    rows: dict[str, list[list[Any]]] = {"tdp": [], "frp": []}
    for past in history:
        for rates in measured(past.sums, chosen):
            for name, lines in rows.items():
                limits = getattr(rates, f"{name}_interval") or getattr(rates, f"{name}_bounds") or (None, None)
                counts = (past.day, past.scan.pk, rates.rule, rates.n, rates.verified)
                lines.append([*counts, getattr(rates, name), *limits, _limits_are(rates)])
    words = {
        "tdp": (
            _("TDP over time"),
            _("True detections in %s, scan by scan; other sources are chosen above.") % source + _HOLLOW,
        ),
        "frp": (_("FRP over time"), _("False referrals in %s, scan by scan.") % source + _HOLLOW),
    }
    plots = [
        Plot(name, "lines", *words[name], _TIME, lines, NO_REVIEWS if history else choice.nothing_chosen or NO_REVIEWS)
        for name, lines in rows.items()
    ]
    return [*plots, _source_history(choice)] if history else plots[:1]


def _source_history(choice: Choice) -> Plot:
    counted = (figures_of(scan.pk) for scan in choice.scans)
    known = {source for figures in counted if figures is not None for source in figures.sources}
    rows = [
        [past.day, past.scan.pk, source, *_prevalence(past.figures, past.verified, source)]
        for source in sorted(known)
        if choice.source in ("", source)
        for past in _history(choice, source)
    ]
    note = _("The share of files that hold PHI, scan by scan.") + _HOLLOW
    columns = (*_TIME[:2], Column("series", _("Source"), "name"), *_TIME[3:])
    return Plot("sources", "lines", _("PHI by source over time"), note, columns, rows, NO_REVIEWS)


def prevalence_plot(choice: Choice) -> Plot:
    figures, rows = choice.figures, list[list[Any]]()
    if figures is not None and choice.scan is not None:
        verified = verified_cells(choice.scan.pk, figures)
        wanted = [source for source in figures.sources if choice.source in ("", source)]
        rows = [[source, *_prevalence(figures, verified, source)] for source in wanted]
    columns = (Column("label", _("Source")), *_TIME[3:])
    note = _(
        "The share of examined files of each source that hold PHI, with 95 percent intervals;"
        " from worst case to worst case while a stage is not covered by verified files."
    )
    return Plot(
        "prevalence",
        "bars",
        _("Prevalence by source"),
        note,
        columns,
        rows,
        NO_REVIEWS,
        {"value": "value", "percent": True},
    )


def _prevalence(figures: Figures, verified_files: Sequence[VerifiedCells], source: str) -> list[Any]:
    """P[PHI] where all stages are covered; else its worst cases, from what was verified to all that is unknown."""
    sums = sums_for(figures, verified_files, source)
    verified = sum(sums.verified.values())
    if not verified or not sums.n:
        return [sums.n, verified, None, None, None, ""]
    found = estimate(sums.row(ALL), PHI)
    limits = WORST_CASES if found.bounds else "95 %, estimated" if sums.sampled else "95 %"
    return [sums.n, verified, found.value, *(found.interval or found.bounds or (None, None)), limits]


def _leading(sums: Sums) -> list[str]:
    rules = sorted(sums.rules(), key=lambda counts: (-counts.phi, counts.not_phi, -counts.positive, counts.rule))
    return [counts.rule for counts in rules][:MOST_LINES]


def comparison_of(choice: Choice, first: str, second: str) -> Comparison | None:
    if (
        choice.scan is None
        or choice.figures is None
        or first == second
        or not {first, second} <= {REFERRED, *choice.figures.rules}
    ):
        return None
    sums = sums_for(choice.figures, verified_cells(choice.scan.pk, choice.figures), choice.source, (first, second))
    return compare(sums.pair(first, second))


def comparison_plot(found: Comparison) -> Plot:
    columns = (
        Column("label", _("Among")),
        Column("both", _("Both"), "count"),
        Column("first_only", _("Only %s") % rule_words(found.first), "count"),
        Column("second_only", _("Only %s") % rule_words(found.second), "count"),
        Column("value", _("Ratio"), "ratio"),
        Column("low", _("from"), "ratio"),
        Column("high", _("to"), "ratio"),
        Column("p", _("p"), "rate"),
        Column("bound", _("Limits")),
    )
    rows = [
        _ratio_row(gettext_noop("PHI files (rTPF)"), found.rtpf),
        _ratio_row(gettext_noop("false referrals (rFPF)"), found.rfpf),
    ]
    note = _("%(first)s over %(second)s, with 95 percent intervals: right of 1 it has more, left of 1 fewer.") % {
        "first": rule_words(found.first),
        "second": rule_words(found.second),
    }
    if found.rtpf.bounds is not None:
        note += _(" Lines without a point reach from worst case to worst case.")
    return Plot("compare", "ratios", _("Both rules side by side"), note, columns, rows, table_first=True)


def _ratio_row(label: str, ratio: Ratio) -> list[Any]:
    return [
        label,
        ratio.both,
        ratio.first_only,
        ratio.second_only,
        ratio.ratio,
        *(ratio.interval or ratio.bounds or (None, None)),
        ratio.p_value,
        WORST_CASES if ratio.bounds else "95 %, from few" if ratio.few else "95 %" if ratio.interval else "",
    ]
