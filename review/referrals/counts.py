"""Referrals -> their number by queue, state and risk, in one query."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from django.db.models import Count

from review.models import Kind, Queue, Referral, State


@dataclass(slots=True)
class QueueCounts:
    queue: Queue
    waiting: int = 0
    disputed: int = 0
    decided: int = 0
    risks: Counter[str] = field(default_factory=Counter)  # of those that wait for a reviewer, unless they are blind
    blind: int = 0  # of those that wait for a reviewer: to be judged without a hint of their risk

    @property
    def open(self) -> int:
        return self.waiting + self.disputed


def counts_by_queue(without: Collection[int] = ()) -> list[QueueCounts]:
    """First and second reviews count together: a second reviewer must not learn that there was a first."""
    counts = {queue.pk: QueueCounts(queue) for queue in Queue.objects.exclude(pk__in=without)}
    rows = Referral.objects.filter(queue__in=list(counts)).values_list("queue", "state", "risk", "kind")
    audited = False
    for queue, state, risk, kind, count in rows.annotate(count=Count("*")):
        audited = audited or kind == Kind.NEGATIVE
        entry = counts[queue]
        if state in (State.WAITING, State.SECOND):
            entry.waiting += count
            entry.risks[risk] += count
        elif state == State.DISPUTED:
            entry.disputed += count
        elif state == State.DECIDED:
            entry.decided += count
    if audited:  # only an audit makes referrals blind
        _hide_blind(counts)
    return list(counts.values())


def _hide_blind(counts: dict[int, QueueCounts]) -> None:
    """A count of a risk that falls by one after a vote would tell the risk of what was judged."""
    rows = Referral.objects.filter(queue__in=list(counts), state__in=(State.WAITING, State.SECOND))
    for queue, risk, count in rows.filter(blind=True).values_list("queue", "risk").annotate(count=Count("*")):
        counts[queue].risks[risk] -= count
        counts[queue].blind += count
