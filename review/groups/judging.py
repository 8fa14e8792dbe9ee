"""A group and a person -> its members that this person may see and judge, and one verdict for the chosen ones."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from review.models import Referral, State, Verdict
from review.referrals.leases import closed_queues, open_to, turns_of
from review.referrals.voting import Judgement, NotYoursError, decide

MOST = 500  # that are shown and judged at once
_TOKEN = 32


@dataclass(frozen=True, slots=True)
class Member:
    referral: Referral
    waits: bool  # for this person


def members_of(group: str, user: Any) -> list[Member]:
    """What is judged blind is not among them: a group would tell that the scan referred it."""
    rows = Referral.objects.filter(group=group).exclude(queue__in=closed_queues(user))
    rows = rows.exclude(blind=True, state__in=(State.WAITING, State.SECOND, State.DISPUTED))
    waiting = {
        pk
        for awaiting in turns_of(user)
        for pk in open_to(user, awaiting).filter(group=group).values_list("pk", flat=True)
    }
    return [Member(row, row.pk in waiting) for row in rows.order_by("created", "pk")[:MOST]]


def judge_group(group: str, user: Any, verdict: Verdict, token: str, chosen: Collection[str]) -> tuple[int, int]:
    """How many members got the vote, and how many no longer waited for it; each vote says that it is one for the group.

    Each member is one transaction, and a form that is sent twice counts once for each.
    """
    judged = refused = 0
    for member in members_of(group, user):
        pk = member.referral.pk
        if pk not in chosen:
            continue
        own = hashlib.sha256(f"{token}{pk}".encode()).hexdigest()[:_TOKEN]
        try:
            decide(pk, user, Judgement(verdict, own, group=group))
            judged += 1
        except NotYoursError:
            refused += 1
    return judged, refused
