"""A session and a person -> the texts that this person may mark now, begun ones first."""

from typing import Any

from review.marking.marking import NotYoursToMarkError, part_in
from review.models import Marking, MarkingPart, MarkingSession, Referral, ReferralPath, State
from review.referrals.leases import closed_queues

MOST = 20


def waiting_texts(session: MarkingSession, user: Any) -> list[tuple[Referral, MarkingPart, str]]:
    """With the part, and a path; then decided files that nobody has begun, the last decided first."""
    open_to_me = Referral.objects.exclude(queue__in=closed_queues(user))
    ids = Marking.objects.filter(session=session).values_list("referral", flat=True)
    begun = open_to_me.filter(pk__in=ids).order_by("pk")
    others = open_to_me.filter(state=State.DECIDED).exclude(pk__in=ids).order_by("-decided_at", "pk")
    found: list[tuple[Referral, MarkingPart]] = []
    for rows in (begun.iterator(chunk_size=MOST), others[:MOST]):
        for referral in rows:
            try:
                found.append((referral, part_in(session, referral, user)))
            except NotYoursToMarkError:
                continue
            if len(found) == MOST:
                break
    paths = dict(
        ReferralPath.objects.filter(referral__in=[referral.pk for referral, _ in found])
        .order_by("current", "-uri")
        .values_list("referral", "uri")
    )
    return [(referral, part, paths.get(referral.pk, "")) for referral, part in found[:MOST]]
