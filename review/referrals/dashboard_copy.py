"""A referral whose standing has changed -> the dashboard's copy of its decision, and of what two reviewers said of it."""

from collections.abc import Sequence
from datetime import datetime

from review.models import PairedOpinion, Part, Referral, Seen, Vote
from review.referrals.standing import Opinion, in_force


def settled(referral: Referral, votes: Sequence[Vote]) -> None:
    """In the transaction of the vote; the votes are those of the referral's present round."""
    Seen.objects.filter(referral=referral).update(verdict=referral.decision)
    pair = paired(referral, votes)
    if pair is None:
        PairedOpinion.objects.filter(referral=referral, round=referral.round).delete()
        return
    said = {name: getattr(pair, name) for name in ("week", "first_id", "second_id", "first_said", "second_said")}
    PairedOpinion.objects.update_or_create(referral=referral, round=referral.round, defaults=said)


def paired(referral: Referral, votes: Sequence[Vote]) -> PairedOpinion | None:
    """The first two reviewers whose opinions stand."""
    reviews = [vote for vote in votes if vote.part == Part.REVIEW]
    valid = in_force(Opinion(vote.reviewer_id, vote.part, vote.verdict) for vote in reviews)[:2]
    if len(valid) < 2:
        return None
    last = {vote.reviewer_id: vote for vote in reviews}
    first, second = sorted(valid, key=lambda each: each.reviewer)
    return PairedOpinion(
        referral=referral,
        round=referral.round,
        week=week_of(max(last[each.reviewer].at for each in valid)),
        first_id=first.reviewer,
        second_id=second.reviewer,
        first_said=first.verdict,
        second_said=second.verdict,
    )


def week_of(at: datetime) -> str:
    year, week, _ = at.isocalendar()
    return f"{year}-W{week:02}"
