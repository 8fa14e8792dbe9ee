"""Votes of two reviewers about the same referrals -> how well they agree, by week and pair."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.agreement import Agreement, Decision, agreement
from review.models import Part, Verdict, Vote
from review.referrals.dashboard_copy import week_of
from review.referrals.standing import in_force
from review.referrals.voting import opinions


@dataclass(frozen=True, slots=True)
class PairWeek:
    week: str
    pair: str
    figures: Agreement


def agreement_by_week() -> tuple[Agreement, list[PairWeek]]:
    """Overall, and for each week and pair, the newest week first."""
    by_pair: dict[tuple[str, str], list[Decision]] = defaultdict(list)
    everything: list[Decision] = []
    for decisions in _decided_twice():
        week = max(decision.when for decision in decisions)
        pair = " and ".join(sorted(decision.person for decision in decisions))
        by_pair[week, pair] += decisions
        everything += decisions
    rows = [
        PairWeek(week, pair, agreement(decisions, Verdict.PHI.value))
        for (week, pair), decisions in sorted(by_pair.items(), reverse=True)
    ]
    return agreement(everything, Verdict.PHI.value), rows


def _decided_twice() -> Iterator[list[Decision]]:
    votes = Vote.objects.filter(part=Part.REVIEW, group=None).select_related("reviewer")
    votes = votes.order_by("referral", "round", "number")
    group: list[Vote] = []
    for vote in votes.iterator(chunk_size=2_000):
        if group and (group[0].referral_id, group[0].round) != (vote.referral_id, vote.round):
            yield from _pair(group)
            group = []
        group.append(vote)
    yield from _pair(group)


def _pair(votes: list[Vote]) -> Iterator[list[Decision]]:
    valid = in_force(opinions(votes))
    if len(valid) < 2:
        return
    last = {vote.reviewer_id: vote for vote in votes}
    item = f"{votes[0].referral_id}:{votes[0].round}"
    yield [
        Decision(
            item,
            last[opinion.reviewer].reviewer.get_username(),
            str(opinion.verdict),
            week_of(last[opinion.reviewer].at),
        )
        for opinion in valid[:2]
    ]
