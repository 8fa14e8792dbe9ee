"""A scan's figures and the decisions about what it referred -> the evaluation library's rates and comparisons."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from django.db import connection
from django.db.models import Sum

from evaluation.cells import Fired, Flags, VerifiedCells, sums_of
from evaluation.rates import RuleRates, rates
from evaluation.sampling import SampledRates, sampled_rates
from evaluation.tally import Sums
from review.dashboard.figures import Figures
from review.models import Seen, Verdict, Vote

Rates = RuleRates | SampledRates
_DECIDED = (Verdict.PHI.value, Verdict.NOT_PHI.value)
_BY = ("verdict", "stratum", "probability")


def verified_cells(scan_id: str, figures: Figures) -> tuple[VerifiedCells, ...]:
    """What people decided about the scan's files, by the draw that chose them."""
    return _verified_cells(scan_id, figures.made, len(figures.cells.files), last_vote())


def last_vote() -> tuple[int, str]:
    """Its number and moment: as long as they are the same, so is everything that votes decide."""
    last = Vote.objects.order_by("-pk").values_list("pk", "at").first()
    return (0, "") if last is None else (last[0], last[1].isoformat())


@lru_cache(maxsize=64)
def _verified_cells(scan_id: str, made: str, cells: int, last: tuple[int, str]) -> tuple[VerifiedCells, ...]:
    """Only votes change decisions, so the last vote is part of the cache key."""
    rows = (
        Seen.objects.filter(scan=scan_id, verdict__in=_DECIDED)
        .order_by()
        .values_list("cell", *_BY)
        .annotate(count=Sum("files"))
    )
    by_draw: dict[tuple[str, str, str], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    with connection.cursor() as cursor:  # without the ORM, which is slow for tens of thousands of rows
        cursor.execute(*rows.query.sql_with_params())
        for cell, verdict, stratum, probability, count in cursor.fetchall():
            at, files = by_draw[verdict, stratum, probability]
            at.append(cell)
            files.append(count)
    return tuple(
        VerifiedCells(
            verdict == Verdict.PHI, np.bincount(at, weights=files, minlength=cells).astype(np.int64), stratum, drawn
        )
        for (verdict, stratum, drawn), (at, files) in by_draw.items()
    )


def fired_in(figures: Figures, source: str = "", further: dict[str, Flags] | None = None) -> tuple[Fired, Flags]:
    """The cells of one source or of all, with the rules that fired and `further` ones; and which cells these are."""
    cells, named = figures.cells, further or {}
    inside = np.ones(len(cells.files), dtype=bool) if not source else cells.source == _place(figures, source)
    flags = np.column_stack([cells.fired, *named.values()]) if named else cells.fired
    return Fired((*figures.rules, *named), flags[inside], cells.screened[inside], cells.files[inside]), inside


def sums_for(
    figures: Figures,
    verified: Sequence[VerifiedCells],
    source: str = "",
    pair: tuple[str, str] | None = None,
    further: dict[str, Flags] | None = None,
) -> Sums:
    fired, inside = fired_in(figures, source, further)
    kept = [VerifiedCells(cells.phi, cells.files[inside], cells.stratum, cells.probability) for cells in verified]
    return sums_of(fired, kept, pair)


def measured(sums: Sums, rules: Sequence[str]) -> list[Rates]:
    """As `leakscreen evaluate` measures them: weighted as soon as something was drawn."""
    counted = [counts for counts in sums.rules(rules) if counts.rule in set(rules)]
    if not sums.sampled:
        return [rates(counts) for counts in counted]
    return [sampled_rates(counts.rule, counts.n, counts.positive, sums.strata(counts.rule)) for counts in counted]


def is_lower_bound(rule: Rates) -> bool:
    """Whether unverified files of the rule are left out of its rates."""
    return not (rule.frame_covered if isinstance(rule, SampledRates) else rule.fully_verified)


def _place(figures: Figures, source: str) -> int:
    return figures.sources.index(source) if source in figures.sources else -1
