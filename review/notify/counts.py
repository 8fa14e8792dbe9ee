"""Referrals -> how many of each queue are new, waiting and overdue, for one person or for everybody."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from review.accounts.roles import Role, roles_of
from review.models import Awaiting, Queue, Referral
from review.referrals.leases import closed_queues


@dataclass(frozen=True, slots=True)
class QueueDigest:
    """Counts and nothing else: no detected value, no file name, no person."""

    number: int
    name: str
    awaiting: str  # review or adjudication
    new: int
    waiting: int
    overdue: int


def counts_for(user: Any, since: datetime | None, now: datetime) -> list[QueueDigest]:
    """What this person could take: nothing that the person has judged already, and no queue of other people."""
    roles = roles_of(user)
    wanted = [Awaiting.REVIEW] if Role.REVIEWER in roles else []
    wanted += [Awaiting.ADJUDICATION] if Role.ADJUDICATOR in roles else []
    rows = Referral.objects.filter(wants__in=wanted).exclude(first_reviewer=user).exclude(second_reviewer=user)
    closed = closed_queues(user)
    return _count(rows.exclude(queue__in=closed) if closed else rows, since, now)


def counts_for_all(since: datetime | None, now: datetime) -> list[QueueDigest]:
    return _count(Referral.objects.exclude(wants=Awaiting.NOBODY), since, now)


def totals(counts: Iterable[QueueDigest]) -> dict[str, int]:
    queues = list(counts)
    return {name: sum(getattr(queue, name) for queue in queues) for name in ("new", "waiting", "overdue")}


def _count(rows: Any, since: datetime | None, now: datetime) -> list[QueueDigest]:
    late = now - timedelta(days=settings.LEAKSCREEN.review.overdue_days)
    fresh = Q(asked__gt=since) if since else Q()
    names = dict(Queue.objects.values_list("pk", "name"))
    grouped = rows.values("queue", "wants").annotate(
        waiting=Count("pk"),
        new=Count("pk", filter=fresh) if since else Count("pk"),
        overdue=Count("pk", filter=Q(asked__lt=late)),
    )
    queues = [
        QueueDigest(
            row["queue"], _on_one_line(names[row["queue"]]), row["wants"], row["new"], row["waiting"], row["overdue"]
        )
        for row in grouped
    ]
    return sorted(queues, key=lambda queue: (queue.name, queue.number, queue.awaiting))


def _on_one_line(name: str) -> str:
    return "".join(character if character.isprintable() else " " for character in name)
