"""A session and a person -> the texts that this person may mark now, begun ones first, own ones last."""

from typing import Any, NamedTuple

from review.marking.marking import NotYoursToMarkError, part_in
from review.models import Marking, MarkingPart, MarkingSession, Referral, ReferralPath, State
from review.referrals.leases import closed_queues

MOST = 20


class WaitingText(NamedTuple):
    referral: Referral
    part: MarkingPart
    path: str
    is_marked: bool  # by this person, who may still change it


def waiting_texts(session: MarkingSession, user: Any) -> list[WaitingText]:
    """What others have begun, then decided files that nobody has, the last decided first; then what can be changed."""
    open_to_me = Referral.objects.exclude(queue__in=closed_queues(user))
    ids = Marking.objects.filter(session=session).values_list("referral", flat=True)
    mine = Marking.objects.filter(session=session, person=user).values_list("referral", flat=True)
    begun = open_to_me.filter(pk__in=ids).exclude(pk__in=mine).order_by("pk")
    others = open_to_me.filter(state=State.DECIDED).exclude(pk__in=ids).order_by("-decided_at", "pk")
    own = open_to_me.filter(pk__in=mine).order_by("pk")
    found: list[tuple[Referral, MarkingPart, bool]] = []
    for rows, is_marked in ((begun.iterator(chunk_size=MOST), False), (others[:MOST], False), (own, True)):
        room = len(found) + MOST if is_marked else MOST
        for referral in rows:
            if len(found) == room:
                break
            try:
                found.append((referral, part_in(session, referral, user), is_marked))
            except NotYoursToMarkError:
                continue
    paths = dict(
        ReferralPath.objects.filter(referral__in=[referral.pk for referral, *_ in found])
        .order_by("current", "-uri")
        .values_list("referral", "uri")
    )
    return [WaitingText(referral, part, paths.get(referral.pk, ""), done) for referral, part, done in found]
