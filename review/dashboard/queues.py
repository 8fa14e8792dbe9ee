"""Referrals and votes -> how long the queues are, how old, who works on them, and how well two reviewers agree."""

from collections import defaultdict
from collections.abc import Collection, Hashable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Avg, Count, Max, Min, Q
from django.utils import timezone
from django.utils.formats import date_format

from evaluation.agreement import f_of, kappa_of
from evaluation.ratios import share
from review.dashboard.measuring import last_vote
from review.dashboard.plots import Column, Plot
from review.models import Awaiting, PairedOpinion, Queue, Referral, Verdict, Vote
from review.referrals.voting import UNDO
from review.translation import gettext_lazy as _

_DAY = timedelta(days=1)
_AGES = (
    (_("to 1 day"), _DAY),
    (_("to 1 week"), 7 * _DAY),
    (_("to 1 month"), 30 * _DAY),
    (_("older"), None),
)


def queue_plot(without: Collection[int] = ()) -> Plot:
    """First and second reviews count together, so that nobody learns which one a referral waits for."""
    now = timezone.now()
    named = {queue.pk: queue.name for queue in Queue.objects.exclude(pk__in=without)}
    ages = {f"age{number}": Count("queue", filter=_older(now, number)) for number in range(len(_AGES))}
    waiting = Referral.objects.filter(
        wants__in=(Awaiting.REVIEW, Awaiting.ADJUDICATION), queue__in=list(named)
    ).order_by()
    per_queue = waiting.values("queue").annotate(
        waiting=Count("*"), disputed=Count("queue", filter=Q(wants=Awaiting.ADJUDICATION)), oldest=Min("asked"), **ages
    )
    by_queue = {row["queue"]: row for row in per_queue}
    rows: list[list[Any]] = []
    for pk, name in sorted(named.items(), key=lambda entry: entry[1]):
        row = by_queue.get(pk)
        if row is None:
            rows.append([name, 0, 0, None, 0, 0, 0, 0])
        else:
            oldest = (now - row["oldest"]).total_seconds()
            rows.append(
                [name, row["waiting"], row["disputed"], oldest, *(row[f"age{number}"] for number in range(len(_AGES)))]
            )
    columns = (
        Column("label", _("Queue")),
        Column("value", _("Waiting"), "count"),
        Column("disputed", _("Of these disputed"), "count"),
        Column("oldest", _("Oldest"), "seconds"),
        *(Column(f"age{number}", words.capitalize(), "count") for number, (words, _) in enumerate(_AGES)),
    )
    options = {"stack": [f"age{number}" for number in range(len(_AGES))], "names": [words for words, _ in _AGES]}
    return Plot(
        "queues",
        "stacks",
        _("What waits, and for how long"),
        _("Waiting referrals by age."),
        columns,
        rows,
        _("There is no queue yet."),
        options,
    )


def _older(now: datetime, number: int) -> Q:
    """Referrals whose age is within one step."""
    newest = Q() if number == 0 else Q(asked__lte=now - (_AGES[number - 1][1] or _DAY))
    limit = _AGES[number][1]
    return newest if limit is None else newest & Q(asked__gt=now - limit)


def people_plot(since: datetime, only: int | None = None) -> Plot:
    votes = _votes_by(since, only, last_vote())
    names = dict(get_user_model().objects.values_list("pk", "username"))
    leases = _leases()
    rows = [
        [
            names[row["reviewer"]],
            row["votes"],
            row["phi"] / row["votes"],
            row["seconds"],
            leases.get(row["reviewer"], 0),
            f"{row['last']:%Y-%m-%d %H:%M}",
        ]
        for row in sorted(votes, key=lambda row: (-row["votes"], names[row["reviewer"]]))
    ]
    columns = (
        Column("label", _("Reviewer")),
        Column("value", _("Votes"), "count"),
        Column("phi", _("Called PHI"), "percent"),
        Column("seconds", _("Mean time a vote"), "seconds"),
        Column("open", _("Open now"), "count"),
        Column("last", _("Last vote"), "day"),
    )
    note = _("Votes since %s.") % date_format(since, "SHORT_DATE_FORMAT")
    return Plot(
        "people",
        "bars",
        _("Who judged how much"),
        note,
        columns,
        rows,
        _("Nobody has voted in this time."),
        {"value": "value", "most": 40},
    )


_WITHDRAWN = Q(verdict=Verdict.WITHDRAWN)


@lru_cache(maxsize=64)
def _votes_by(since: datetime, only: int | None, last: tuple[int, str]) -> list[dict[str, Any]]:
    """Votes never change, so the last vote is part of the cache key."""
    since_then = Vote.objects.filter(at__gte=since, pk__lte=last[0])
    undone = [token.removeprefix(UNDO) for token in since_then.filter(_WITHDRAWN).values_list("token", flat=True)]
    votes = since_then.exclude(_WITHDRAWN).exclude(pk__in=[int(pk) for pk in undone if pk.isdecimal()])
    if only is not None:
        votes = votes.filter(reviewer=only)
    phi = Count("reviewer", filter=Q(verdict=Verdict.PHI))
    return list(
        votes.order_by().values("reviewer").annotate(votes=Count("*"), phi=phi, seconds=Avg("seconds"), last=Max("at"))
    )


def _leases() -> dict[int, int]:
    held = Referral.objects.filter(leased_to__isnull=False, leased_until__gt=timezone.now()).order_by()
    return dict(held.values_list("leased_to").annotate(count=Count("pk")))


def agreement_plot() -> Plot:
    """Kappa and F of a week are means over its pairs, by the number of referrals that a pair shares."""
    weeks: dict[str, dict[tuple[int, int], dict[tuple[Hashable, Hashable], int]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    by = ("week", "first", "second", "first_said", "second_said")
    for week, first, second, ours, theirs, count in (
        PairedOpinion.objects.order_by().values_list(*by).annotate(count=Count("*"))
    ):
        weeks[week][first, second][ours, theirs] = count
    rows = [[week, *_figures(list(pairs.values()))] for week, pairs in sorted(weeks.items())]
    columns = (
        Column("day", _("Week")),
        Column("twice", _("Judged twice"), "count"),
        Column("observed", _("Agreed"), "rate"),
        Column("kappa", _("Kappa"), "rate"),
        Column("f", _("F of PHI"), "rate"),
    )
    note = _(
        "Of referrals that two reviewers judged independently: the share on which they agree,"
        " kappa (agreement beyond chance), and F."
    )
    series = {"series": ["observed", "kappa", "f"], "names": [_("agreed"), _("kappa"), _("F of PHI")], "top": 1}
    return Plot(
        "agreement", "weeks", _("Agreement over time"), note, columns, rows, _("Nothing was judged twice yet."), series
    )


def _figures(pairs: list[dict[tuple[Hashable, Hashable], int]]) -> list[Any]:
    figures = [(sum(counts.values()), kappa_of(counts), f_of(counts, Verdict.PHI.value)) for counts in pairs]
    alike = sum(count for counts in pairs for (ours, theirs), count in counts.items() if ours == theirs)
    everything = sum(size for size, _, _ in figures)
    return [everything, share(alike, everything), _mean(figures, 1), _mean(figures, 2)]


def _mean(figures: list[Any], place: int) -> float | None:
    weighted = [(row[0], row[place]) for row in figures if row[place] is not None]
    return share(sum(size * value for size, value in weighted), sum(size for size, _ in weighted))
