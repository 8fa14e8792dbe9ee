"""A person's judgement -> a vote, the referral's new state and an audit entry, all in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from review.accounts.roles import Role, roles_of
from review.audit import record
from review.cases.cases import follow_decision
from review.models import Awaiting, Note, Part, Referral, State, Verdict, Vote
from review.referrals.dashboard_copy import update_dashboard_copy
from review.referrals.leases import lease, lease_to
from review.referrals.standing import Opinion, Standing, in_force, standing
from review.translation import gettext as _

UNDO = "undo-"  # begins the token of a vote that takes another one back, whose number follows
_LONGEST_NOTE = 4_000
_MOST_SECONDS = 86_400
_TWO = 2


class NotYoursError(Exception):
    """The vote is not accepted; the message tells the voter why."""


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: Verdict
    token: str
    characteristics: tuple[str, ...] = ()
    note: str = ""
    group: str | None = None  # where the file is judged as one of a group


@transaction.atomic
def decide(referral_id: str, user: Any, judgement: Judgement) -> Vote:
    """A form that is sent twice counts once; a later opinion of the same person replaces the earlier one."""
    referral = Referral.objects.select_for_update().get(pk=referral_id)
    sent_before: Vote | None = Vote.objects.filter(token=judgement.token).first()
    if sent_before is not None:
        return sent_before
    votes = votes_of_round(referral)
    part = part_for(referral, user, votes)
    vote = _add(referral, user, part, judgement)
    alone = referral.double and part is Part.REVIEW and _is_only_reviewer()
    referral.double = referral.double and not alone
    _settle(referral, [*votes, vote])
    follow_decision(referral, user.get_username())
    details: dict[str, Any] = {
        "round": referral.round,
        "part": part.value,
        "verdict": judgement.verdict.value,
        "state": referral.state,
    }
    details["decision"] = referral.decision
    if judgement.group is not None:
        details["group"] = judgement.group
    if alone:
        details["alone"] = True  # judged once, because there was no second reviewer
    record(user.get_username(), "decision", f"referral:{referral.pk}", **details)
    return vote


@transaction.atomic
def undo(vote_id: int, user: Any) -> Vote:
    """Withdraws the user's vote, if nobody has voted since; the user keeps the referral."""
    vote = Vote.objects.get(pk=vote_id)
    referral = Referral.objects.select_for_update().get(pk=vote.referral_id)
    votes = votes_of_round(referral)
    if not _is_last(vote, votes, user):
        raise NotYoursError(_("This vote can no longer be undone: somebody has voted since, or it was undone before."))
    withdrawn = _add(referral, user, Part(vote.part), Judgement(Verdict.WITHDRAWN, f"{UNDO}{vote.pk}"))
    _settle(referral, [*votes, withdrawn])
    follow_decision(referral, user.get_username())
    if referral.wants:
        lease_to(referral, user)
    record(
        user.get_username(),
        "undo",
        f"referral:{referral.pk}",
        round=referral.round,
        vote=vote.number,
        state=referral.state,
        decision=referral.decision,
    )
    return withdrawn


def can_undo(vote_id: int | None, user: Any) -> bool:
    """Whether `undo` would take this vote back now."""
    vote = Vote.objects.filter(pk=vote_id).select_related("referral").first()
    return vote is not None and _is_last(vote, votes_of_round(vote.referral), user)


def _is_last(vote: Vote, votes: Sequence[Vote], user: Any) -> bool:
    return bool(votes) and votes[-1].pk == vote.pk and vote.reviewer_id == user.pk and vote.verdict != Verdict.WITHDRAWN


def _is_only_reviewer() -> bool:
    """Nobody waits for a second reviewer who does not exist."""
    return bool(get_user_model().objects.filter(is_active=True, groups__name=Role.REVIEWER).count() < _TWO)


def opinions(votes: Sequence[Vote]) -> list[Opinion]:
    return [Opinion(vote.reviewer_id, vote.part, vote.verdict) for vote in votes]


def votes_of_round(referral: Referral) -> list[Vote]:
    return list(Vote.objects.filter(referral=referral, round=referral.round).order_by("number"))


def part_for(referral: Referral, user: Any, votes: Sequence[Vote]) -> Part:
    roles, valid = roles_of(user), in_force(opinions(votes))
    mine = next((opinion for opinion in valid if opinion.reviewer == user.pk), None)
    ruled = any(opinion.part == Part.ADJUDICATION for opinion in valid)
    if referral.state in (State.SUPERSEDED, State.UNSAMPLED):
        raise NotYoursError(_("This referral no longer needs a review."))
    if mine is not None:
        if ruled and mine.part == Part.REVIEW:
            raise NotYoursError(_("An adjudicator has decided; your earlier vote can no longer change."))
        return Part(mine.part)
    if (
        referral.leased_to_id not in (None, user.pk)
        and referral.leased_until
        and referral.leased_until > timezone.now()
    ):
        raise NotYoursError(_("Somebody else has this referral open."))
    if referral.wants == Awaiting.REVIEW and Role.REVIEWER in roles:
        return Part.REVIEW
    if referral.wants == Awaiting.ADJUDICATION and Role.ADJUDICATOR in roles:
        return Part.ADJUDICATION
    raise NotYoursError(_("This referral is not waiting for you: it is decided, or it waits for another role."))


def _add(referral: Referral, user: Any, part: Part, judgement: Judgement) -> Vote:
    now = timezone.now()
    seconds = None
    if referral.leased_to_id == user.pk and referral.leased_until:
        seconds = min(_MOST_SECONDS, max(0, int((now - (referral.leased_until - lease())).total_seconds())))
    vote = Vote(
        referral=referral,
        number=Vote.objects.filter(referral=referral).count() + 1,
        round=referral.round,
        reviewer=user,
        part=part,
        verdict=judgement.verdict,
        characteristics=sorted(set(judgement.characteristics)),
        at=now,
        seconds=seconds,
        group=judgement.group,
        token=judgement.token,
    )
    vote.save()
    note = judgement.note.replace("\0", "").strip()[:_LONGEST_NOTE]
    if note:
        Note.objects.create(vote=vote, text=note)
    return vote


def _rests_on_group(votes: Sequence[Vote]) -> bool:
    """Whether a vote that decided was one for the group; a ruling decides alone."""
    last = {vote.reviewer_id: vote for vote in votes}
    valid = [last[opinion.reviewer] for opinion in in_force(opinions(votes))]
    rulings = [vote for vote in valid if vote.part == Part.ADJUDICATION]
    return any(vote.group is not None for vote in rulings or valid[:_TWO])


def _settle(referral: Referral, votes: Sequence[Vote]) -> None:
    now: Standing = standing(opinions(votes), referral.double)
    referral.state, referral.wants, referral.decision = now.state, now.awaiting, now.decision
    referral.first_reviewer_id, referral.second_reviewer_id = now.first, now.second
    referral.by_group = bool(now.decision) and _rests_on_group(votes)
    referral.decided_at = timezone.now() if now.decision else None
    referral.leased_to_id = referral.leased_until = None
    changed = (
        "double",
        "state",
        "wants",
        "decision",
        "by_group",
        "first_reviewer",
        "second_reviewer",
        "decided_at",
        "leased_to",
        "leased_until",
    )
    referral.save(update_fields=changed)
    update_dashboard_copy(referral, votes)
