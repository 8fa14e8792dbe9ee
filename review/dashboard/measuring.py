"""A scan's figures and the decisions about what it referred -> the evaluation library's rates and comparisons."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from django.db import connection
from django.db.models import Count, F, Sum

from evaluation.cells import Fired, Flags, Inside, VerifiedCells, sums_of
from evaluation.design import NEGATIVE, REFERRED, SCREENED_ONLY
from evaluation.estimate import RuleRates, row_rates
from evaluation.tally import Sums
from review.dashboard.figures import Figures
from review.models import Member, Seen, Verdict, Vote
from review.referrals.draws import chances_in

_DECIDED = (Verdict.PHI.value, Verdict.NOT_PHI.value)
_BY = ("verdict", "stage", "stratum", "probability")


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
        .annotate(count=Sum("files"), contents=Count("pk"), squares=Sum(F("files") * F("files")))
    )
    by_draw: dict[tuple[str, ...], list[tuple[int, int, int, int]]] = defaultdict(list)
    with connection.cursor() as cursor:  # without the ORM, which is slow for tens of thousands of rows
        cursor.execute(*rows.query.sql_with_params())
        for cell, verdict, stage, stratum, probability, *numbers in cursor.fetchall():
            by_draw[verdict, stage or REFERRED, stratum, probability].append((cell, *numbers))
    found, inside, chances = [], _inside(scan_id), chances_in(scan_id)
    for (verdict, stage, stratum, probability), entries in by_draw.items():
        at, *numbers = np.array(entries, dtype=np.int64).T
        files, contents, squares = (
            np.bincount(at, weights=amounts, minlength=cells).astype(np.int64) for amounts in numbers
        )
        phi, members = verdict == Verdict.PHI, inside.get((verdict, stage, stratum, probability))
        chance = chances.get((stratum, probability), "")
        found.append(VerifiedCells(phi, stage, files, contents, squares, stratum, chance, members))
    return tuple(found)


def _inside(scan_id: str) -> dict[tuple[str, ...], Inside]:
    """Verified contents in containers, by verdict and draw."""
    members = list(Member.objects.filter(scan=scan_id).values_list("referral", "cell", "container", "files"))
    if not members:
        return {}
    decided = {
        (referral, cell): (verdict, stage or REFERRED, stratum, probability)
        for referral, cell, verdict, stage, stratum, probability in Seen.objects.filter(
            scan=scan_id, verdict__in=_DECIDED, referral__in=Member.objects.filter(scan=scan_id).values("referral")
        ).values_list("referral", "cell", *_BY)
    }
    by_draw: dict[tuple[str, ...], list[tuple[int, int, int]]] = defaultdict(list)
    for referral, cell, container, files in members:
        if (referral, cell) in decided:
            by_draw[decided[referral, cell]].append((container, cell, files))
    return {draw: Inside(*np.array(entries, dtype=np.int64).T) for draw, entries in by_draw.items()}


def fired_in(figures: Figures, source: str = "", further: dict[str, Flags] | None = None) -> tuple[Fired, Flags]:
    """The cells of one source or of all, with the rules that fired and `further` ones; and which cells these are."""
    cells, named = figures.cells, further or {}
    inside = np.ones(len(cells.files), dtype=bool) if not source else cells.source == _place(figures, source)
    flags = np.column_stack([cells.fired, *named.values()]) if named else cells.fired
    stages = {
        REFERRED: cells.referred,
        SCREENED_ONLY: np.where(cells.screened, cells.files - cells.referred, 0),
        NEGATIVE: np.where(cells.screened, 0, cells.files - cells.referred),
    }
    counted = {stage: files[inside] for stage, files in stages.items()}
    members = None if figures.members is None else figures.members.kept(inside)
    return Fired((*figures.rules, *named), flags[inside], counted, cells.copies[inside], members), inside


def sums_for(
    figures: Figures,
    verified: Sequence[VerifiedCells],
    source: str = "",
    pair: tuple[str, str] | None = None,
    further: dict[str, Flags] | None = None,
) -> Sums:
    fired, inside = fired_in(figures, source, further)
    kept = [
        replace(
            cells,
            files=cells.files[inside],
            contents=cells.contents[inside],
            squares=cells.squares[inside],
            inside=None if cells.inside is None else cells.inside.kept(inside),
        )
        for cells in verified
    ]
    return sums_of(fired, kept, pair)


def measured(sums: Sums, rules: Sequence[str]) -> list[RuleRates]:
    """As `leakscreen evaluate` measures them."""
    return [row_rates(sums.row(rule)) for rule in sorted(set(rules))]


def _place(figures: Figures, source: str) -> int:
    return figures.sources.index(source) if source in figures.sources else -1
