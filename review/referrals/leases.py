"""A reviewer who asks for work -> the next referral, leased to that reviewer for a while."""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from review.accounts.roles import Role, roles_of
from review.models import Awaiting, Queue, Referral, State


@transaction.atomic
def take_next(user: Any, queue: Queue | None = None, skip: Collection[str] = ()) -> Referral | None:
    """Disputed referrals first if the user is an adjudicator, then by risk and health distance.

    Nobody else gets the referral meanwhile.
    """
    for awaiting in turns_of(user):
        rows = open_to(user, awaiting, queue)
        candidates = rows.exclude(pk__in=list(skip)) if skip else rows
        referral: Referral | None = candidates.select_for_update(skip_locked=True).order_by("rank", "pk").first()
        if referral is not None:
            lease_to(referral, user)
            return referral
    return None


def open_to(user: Any, awaiting: str, queue: Queue | None = None) -> Any:
    """Referrals that this user may take now: none that the user has judged, none that somebody else has open."""
    now = timezone.now()
    rows = Referral.objects.filter(wants=awaiting).filter(
        Q(leased_until=None) | Q(leased_until__lt=now) | Q(leased_to=user)
    )
    rows = rows.exclude(first_reviewer=user).exclude(second_reviewer=user)
    if queue is not None:
        rows = rows.filter(queue=queue)
    closed = closed_queues(user)
    return rows.exclude(queue__in=closed) if closed else rows


def waiting_for(user: Any, known: Mapping[Awaiting, Mapping[int, int]] | None = None) -> Counter[int]:
    """How many this user could take now, by queue.

    All that wait, which an index counts, without what the user has judged and what somebody else has open, which are
    few: so that the page of a referral can say it among 100,000. `known` are all that wait, where they were counted.
    """
    turns = turns_of(user)
    judged = Q(first_reviewer=user) | Q(second_reviewer=user)
    counts: Counter[int] = Counter()
    for awaiting in turns:
        counts.update(known[awaiting] if known else _by_queue(Referral.objects.filter(wants=awaiting)))
    for state, awaiting in ((State.SECOND, Awaiting.REVIEW), (State.DISPUTED, Awaiting.ADJUDICATION)):
        if awaiting in turns:
            counts.subtract(_by_queue(Referral.objects.filter(judged, state=state)))
    leased = Referral.objects.filter(leased_until__gte=timezone.now())
    counts.subtract(
        queue
        for queue, awaiting, *people in leased.values_list(
            "queue", "wants", "leased_to", "first_reviewer", "second_reviewer"
        )
        if awaiting in turns and user.pk not in people
    )
    for queue in closed_queues(user):
        counts.pop(queue, None)
    return counts


def _by_queue(rows: Any) -> dict[int, int]:
    return dict(rows.order_by().values_list("queue").annotate(count=Count("*")))


def closed_queues(user: Any) -> list[int]:
    """Queues that this user may not see; adjudicators and managers see all."""
    if roles_of(user) & {Role.ADJUDICATOR, Role.MANAGER}:
        return []
    return list(Queue.objects.exclude(reviewers=None).exclude(reviewers=user).values_list("pk", flat=True))


def lease_to(referral: Referral, user: Any) -> None:
    referral.leased_to_id = user.pk
    referral.leased_until = timezone.now() + lease()
    referral.save(update_fields=["leased_to", "leased_until"])


def release(referral_id: str, user: Any) -> None:
    Referral.objects.filter(pk=referral_id, leased_to=user).update(leased_to=None, leased_until=None)


def lease() -> timedelta:
    return timedelta(minutes=settings.LEAKSCREEN.review.lease_minutes)


def turns_of(user: Any) -> list[Awaiting]:
    mine = roles_of(user)
    turns = [Awaiting.ADJUDICATION] if Role.ADJUDICATOR in mine else []
    return [*turns, Awaiting.REVIEW] if Role.REVIEWER in mine else turns
