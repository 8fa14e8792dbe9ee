"""Referrals and cases -> how many of each queue are new, waiting and overdue, for one person or for everybody."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from review.accounts.roles import Role, roles_of
from review.cases.cases import IN_WORK
from review.models import Awaiting, Case, Queue, Referral
from review.referrals.leases import closed_queues

CASES, CASES_OF_USER, CASES_OF_NOBODY = "cases", "cases of the user", "cases of nobody"


@dataclass(frozen=True, slots=True)
class QueueDigest:
    """Counts and nothing else: no detected value, no file name, no person."""

    number: int
    name: str
    awaiting: str  # review, adjudication, or what somebody has to do about a case
    new: int
    waiting: int
    overdue: int

    @property
    def is_cases(self) -> bool:
        return self.awaiting in (CASES, CASES_OF_USER, CASES_OF_NOBODY)


def counts_for(user: Any, since: datetime | None, now: datetime) -> list[QueueDigest]:
    """What this person could take: nothing that the person has judged already, and no queue of other people."""
    roles = roles_of(user)
    wanted = [Awaiting.REVIEW] if Role.REVIEWER in roles else []
    wanted += [Awaiting.ADJUDICATION] if Role.ADJUDICATOR in roles else []
    rows = Referral.objects.filter(wants__in=wanted).exclude(first_reviewer=user).exclude(second_reviewer=user)
    closed = closed_queues(user)
    mine = Case.objects.filter(assignee=user)
    return [
        *_count(rows.exclude(queue__in=closed) if closed else rows, since, now),
        *_count_cases(CASES_OF_USER, mine, since, now),
        *(_count_cases(CASES_OF_NOBODY, _of_nobody(), since, now) if Role.MANAGER in roles else ()),
    ]


def counts_for_all(since: datetime | None, now: datetime) -> list[QueueDigest]:
    return [
        *_count(Referral.objects.exclude(wants=Awaiting.NOBODY), since, now),
        *_count_cases(CASES, Case.objects.all(), since, now),
    ]


def totals(counts: Iterable[QueueDigest]) -> dict[str, int]:
    """Of referrals: what is done about cases is other work."""
    queues = [queue for queue in counts if not queue.is_cases]
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


def _of_nobody() -> Any:
    return Case.objects.filter(assignee=None)


def _count_cases(whose: str, cases: Any, since: datetime | None, now: datetime) -> list[QueueDigest]:
    """One line for all queues, and none where nothing is to be done."""
    rows = cases.filter(state__in=IN_WORK)
    waiting = rows.count()
    new = rows.filter(opened__gt=since).count() if since else waiting
    overdue = rows.filter(due__lt=now.date()).count()
    return [QueueDigest(0, whose, whose, new, waiting, overdue)] if waiting else []


def _on_one_line(name: str) -> str:
    return "".join(character if character.isprintable() else " " for character in name)
