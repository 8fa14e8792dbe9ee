"""A referral whose state has changed -> the dashboard's copy of its decision and of the first two verdicts."""

from collections.abc import Sequence
from datetime import datetime

from review.models import PairedOpinion, Part, Referral, Seen, Vote
from review.referrals.standing import Opinion, in_force


def update_dashboard_copy(referral: Referral, votes: Sequence[Vote]) -> None:
    """Part of the vote's transaction; `votes` are those of the referral's present round."""
    Seen.objects.filter(referral=referral).update(verdict=referral.measured_decision)
    pair = paired_opinion(referral, votes)
    if pair is None:
        PairedOpinion.objects.filter(referral=referral, round=referral.round).delete()
        return
    values = {name: getattr(pair, name) for name in ("week", "first_id", "second_id", "first_said", "second_said")}
    PairedOpinion.objects.update_or_create(referral=referral, round=referral.round, defaults=values)


def paired_opinion(referral: Referral, votes: Sequence[Vote]) -> PairedOpinion | None:
    """The opinions in force of the first two reviewers of this file alone; None where there are fewer."""
    reviews = [vote for vote in votes if vote.part == Part.REVIEW and vote.group is None]
    valid = in_force(Opinion(vote.reviewer_id, vote.part, vote.verdict) for vote in reviews)[:2]
    if len(valid) < 2:
        return None
    last = {vote.reviewer_id: vote for vote in reviews}
    first, second = sorted(valid, key=lambda opinion: opinion.reviewer)
    return PairedOpinion(
        referral=referral,
        round=referral.round,
        week=week_of(max(last[opinion.reviewer].at for opinion in valid)),
        first_id=first.reviewer,
        second_id=second.reviewer,
        first_said=first.verdict,
        second_said=second.verdict,
    )


def week_of(at: datetime) -> str:
    year, week, _ = at.isocalendar()
    return f"{year}-W{week:02}"
