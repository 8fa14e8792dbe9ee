"""Referrals -> for each queue how many are new, wait and are overdue: for one person, or for all."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from review.accounts.roles import Role, roles_of
from review.models import Queue, Referral, Wants
from review.referrals.leases import closed_queues


@dataclass(frozen=True, slots=True)
class QueueDigest:
    """Counts and nothing else: no value, no name of a file, no person."""

    number: int
    name: str
    wants: str
    new: int
    waiting: int
    overdue: int


def counts_for(user: Any, since: datetime | None, now: datetime) -> list[QueueDigest]:
    """What this person could take: nothing that the person has judged, and no queue of others."""
    roles = roles_of(user)
    wanted = [Wants.REVIEW] if Role.REVIEWER in roles else []
    wanted += [Wants.ADJUDICATION] if Role.ADJUDICATOR in roles else []
    rows = Referral.objects.filter(wants__in=wanted).exclude(first_reviewer=user).exclude(second_reviewer=user)
    closed = closed_queues(user)
    return _counted(rows.exclude(queue__in=closed) if closed else rows, since, now)


def counts_for_all(since: datetime | None, now: datetime) -> list[QueueDigest]:
    return _counted(Referral.objects.exclude(wants=Wants.NOBODY), since, now)


def totals(counts: Iterable[QueueDigest]) -> dict[str, int]:
    listed = list(counts)
    return {name: sum(getattr(each, name) for each in listed) for name in ("new", "waiting", "overdue")}


def _counted(rows: Any, since: datetime | None, now: datetime) -> list[QueueDigest]:
    late = now - timedelta(days=settings.LEAKSCREEN.review.overdue_days)
    fresh = Q(asked__gt=since) if since else Q()
    names = dict(Queue.objects.values_list("pk", "name"))
    grouped = rows.values("queue", "wants").annotate(
        waiting=Count("pk"),
        new=Count("pk", filter=fresh) if since else Count("pk"),
        overdue=Count("pk", filter=Q(asked__lt=late)),
    )
    found = [
        QueueDigest(
            row["queue"], _on_one_line(names[row["queue"]]), row["wants"], row["new"], row["waiting"], row["overdue"]
        )
        for row in grouped
    ]
    return sorted(found, key=lambda each: (each.name, each.number, each.wants))


def _on_one_line(name: str) -> str:
    return "".join(character if character.isprintable() else " " for character in name)
