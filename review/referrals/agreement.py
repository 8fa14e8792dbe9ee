"""Votes of two reviewers about the same referrals -> how well they agree, by week and pair."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from evaluation.agreement import Agreement, Decision, agreement
from review.models import Part, Verdict, Vote
from review.referrals.standing import in_force
from review.referrals.voting import opinions


@dataclass(frozen=True, slots=True)
class PairWeek:
    week: str
    pair: str
    figures: Agreement


def agreement_by_week() -> tuple[Agreement, list[PairWeek]]:
    """Overall, and for each week and pair, the newest week first."""
    parted: dict[tuple[str, str], list[Decision]] = defaultdict(list)
    everything: list[Decision] = []
    for decisions in _decided_twice():
        week = max(decision.when for decision in decisions)
        pair = " and ".join(sorted(decision.person for decision in decisions))
        parted[week, pair] += decisions
        everything += decisions
    rows = [
        PairWeek(week, pair, agreement(found, Verdict.PHI.value))
        for (week, pair), found in sorted(parted.items(), reverse=True)
    ]
    return agreement(everything, Verdict.PHI.value), rows


def _decided_twice() -> Iterator[list[Decision]]:
    votes = Vote.objects.filter(part=Part.REVIEW).select_related("reviewer").order_by("referral", "round", "number")
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
        Decision(item, last[each.reviewer].reviewer.get_username(), str(each.verdict), _week(last[each.reviewer].at))
        for each in valid[:2]
    ]


def _week(at: datetime) -> str:
    year, week, _ = at.isocalendar()
    return f"{year}-W{week:02}"
