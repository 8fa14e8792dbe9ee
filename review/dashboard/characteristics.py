"""The characteristics that reviewers ticked -> how often what a detector found was really there."""

from collections import Counter
from functools import lru_cache
from typing import Any

from evaluation.rates import interval
from review.dashboard.measuring import last_vote
from review.dashboard.plots import Column, Plot
from review.models import Finding, Part, Verdict, Vote
from review.referrals.voting import UNDO
from review.templatetags.wording import words
from review.translation import gettext_lazy as _
from review.translation import number

_AT_ONCE = 500
MOST_VOTES = 20_000


def characteristics_plot() -> Plot:
    """Of votes with at least one tick: whoever ticked nothing may not have looked."""
    rows = []
    for name, ticked, there in _counts(last_vote()):
        low, high = interval(ticked, there) or (None, None)
        rows.append([words(name), there, ticked, ticked / there, low, high])
    columns = (
        Column("label", _("Characteristic")),
        Column("there", _("Votes on files with it"), "count"),
        Column("ticked", _("Confirmed"), "count"),
        Column("value", _("Precision"), "rate"),
        Column("low", _("from"), "rate"),
        Column("high", _("to"), "rate"),
    )
    note = _(
        "How often reviewers ticked a detected characteristic as really there, over all scans, with 95 percent"
        " intervals (as if every vote were of another file). Only votes with a tick count, at most the newest %s;"
        " the least precise comes first."
    ) % number(MOST_VOTES)
    return Plot(
        "characteristics",
        "bars",
        _("Precision of each characteristic"),
        note,
        columns,
        rows,
        _("Nobody has ticked a characteristic yet."),
        {"value": "value", "percent": True},
        table_first=True,
    )


@lru_cache(maxsize=4)
def _counts(last: tuple[int, str]) -> tuple[tuple[str, int, int], ...]:
    """Votes never change, so the last vote is part of the cache key. Findings whose retention ended are left out."""
    so_far = Vote.objects.filter(pk__lte=last[0]).order_by("-pk")
    undone = so_far.filter(verdict=Verdict.WITHDRAWN).values_list("token", flat=True)
    taken_back = {int(pk) for token in undone if (pk := token.removeprefix(UNDO)).isdecimal()}
    named = ("pk", "referral", "round", "reviewer", "characteristics")
    votes = so_far.filter(part=Part.REVIEW).exclude(characteristics=[]).exclude(verdict=Verdict.WITHDRAWN)
    latest: dict[tuple[str, int, int], list[str]] = {}  # the last opinion of each person
    for pk, referral, of_round, reviewer, ticked in votes.values_list(*named)[:MOST_VOTES]:
        if pk not in taken_back:
            latest.setdefault((referral, of_round, reviewer), ticked)
    with_ticks = [(key[0], ticked) for key, ticked in latest.items()]
    there, right = Counter[str](), Counter[str]()
    for low in range(0, len(with_ticks), _AT_ONCE):
        some = with_ticks[low : low + _AT_ONCE]
        found: dict[str, Any] = dict(
            Finding.objects.filter(pk__in={referral for referral, _ in some}).values_list("pk", "counts")
        )
        for referral, ticked in some:
            there.update(found.get(referral, {}).keys())
            right.update(set(ticked) & found.get(referral, {}).keys())
    rows = [(name, right[name], count) for name, count in there.items()]
    return tuple(sorted(rows, key=lambda row: (row[1] / row[2], -row[2], row[0])))
