"""Operations on referrals: list, read, take the next one, vote, adjudicate and undo."""

import hashlib
import secrets
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from ninja import Query, Router
from ninja.responses import Status

from review.api.access import ApiRequest, permitted, refuse_unknown
from review.api.scope import Scope
from review.api.shapes import (
    NextIn,
    Number,
    Problem,
    ReferralFilter,
    ReferralId,
    ReferralOut,
    ReferralPage,
    VoteIn,
    VoteOut,
)
from review.audit import record
from review.models import Finding, Queue, Referral, State, Verdict, Vote
from review.referrals.leases import closed_queues, release, take_next
from review.referrals.search import Search, found
from review.referrals.voting import Judgement, decide, undo
from review.views import listing as list_page
from review.views import referral as page

router = Router(tags=["referrals"])
_TOKEN = 32
_OWN = ("after", "limit")  # parameters that are no filters


@router.get("/referrals", response=ReferralPage)
@permitted(Scope.REFERRALS_READ, list_page.listing)
def list_referrals(request: ApiRequest, filters: Query[ReferralFilter]) -> Any:
    """Referrals in the order that is asked for, page by page; without a state, those that are open."""
    refuse_unknown(request, ReferralFilter)
    chosen = {name: str(value) for name, value in filters.dict(exclude=set(_OWN)).items() if value}
    chosen.setdefault("state", "decided" if "verdict" in chosen else "open")
    queues = list(Queue.objects.exclude(pk__in=closed_queues(request.user)).values_list("pk", flat=True))
    result = found(Search(**chosen), queues, filters.after, filters.limit)
    record(request.user.get_username(), "list", "", shown=len(result.referrals), filters=sorted(chosen))
    items = [_listed(row) for row in list_page.described(result.referrals)]
    return {"items": items, "count": result.count, "more_than": result.more_than, "next": result.after}


@router.get("/referrals/{pk}", response={200: ReferralOut, 404: Problem})
@permitted(Scope.REFERRALS_READ, page.referral)
def read_referral(request: ApiRequest, pk: ReferralId) -> Any:
    """One referral with its masked evidence; reading it does not reserve it."""
    return _shown(request, page.visible(request, pk))


@router.post("/next", response={200: ReferralOut, 204: None, 404: Problem})
@permitted(Scope.REFERRALS_JUDGE, page.next_one)
def take_next_referral(request: ApiRequest, wanted: NextIn | None = None) -> Any:
    """The next referral that waits for you, reserved for you for a while; 204 where none does."""
    queue, wanted = None, wanted or NextIn()
    if wanted.queue is not None:
        queue = get_object_or_404(Queue.objects.exclude(pk__in=closed_queues(request.user)), pk=wanted.queue)
    referral = take_next(request.user, queue, wanted.skip)
    return Status(204, None) if referral is None else _shown(request, referral)


@router.post("/referrals/{pk}/release", response={204: None, 404: Problem})
@permitted(Scope.REFERRALS_JUDGE, page.next_one)
def release_referral(request: ApiRequest, pk: ReferralId) -> Any:
    """Gives back a referral that you took and will not judge now."""
    release(page.visible(request, pk).pk, request.user)
    return Status(204, None)


@router.post("/referrals/{pk}/votes", response={200: VoteOut, 404: Problem, 409: Problem})
@permitted(Scope.REFERRALS_JUDGE, page.judge)
def vote_on_referral(request: ApiRequest, pk: ReferralId, vote: VoteIn) -> Any:
    """Your verdict, or your ruling on a disputed referral; a later one replaces the earlier one."""
    referral = page.visible(request, pk)
    finding = Finding.objects.filter(pk=pk).first()
    there = tuple(name for name in vote.characteristics if finding and name in finding.counts)
    judgement = Judgement(Verdict(vote.verdict), _form_token(request, pk, vote.key), there, vote.note)
    return _vote(decide(referral.pk, request.user, judgement))


@router.post("/votes/{number}/undo", response={200: VoteOut, 404: Problem, 409: Problem})
@permitted(Scope.REFERRALS_JUDGE, page.take_back)
def undo_vote(request: ApiRequest, number: Number) -> Any:
    """Takes your vote back, as long as nobody has voted since; the referral is yours again."""
    mine = get_object_or_404(Vote, pk=number, reviewer=request.user)
    page.visible(request, mine.referral_id)
    return _vote(undo(mine.pk, request.user))


def _form_token(request: ApiRequest, pk: str, key: str | None) -> str:
    """Of the caller's key, its token and the referral, so that no key meets a vote of somebody else."""
    if key is None:
        return secrets.token_hex(_TOKEN // 2)
    return hashlib.sha256(f"{request.api_token.pk}:{pk}:{key}".encode()).hexdigest()[:_TOKEN]


def _listed(row: dict[str, Any]) -> dict[str, Any]:
    referral, finding = row["referral"], row["finding"]
    return {
        **_outline(referral, row["hidden"]),
        "queue": row["queue"].name,
        "path": row["path"],
        "paths": row["paths"],
        "media_type": finding.media_type if finding else "",
        "owner": finding.owner if finding else "",
        "asked": referral.asked,
        "decided_at": referral.decided_at,
    }


def _outline(referral: Referral, hidden: bool) -> dict[str, Any]:
    """First and second reviews look alike: a second reviewer must not learn that there was a first."""
    return {
        "id": referral.pk,
        "state": State.WAITING.value if referral.state == State.SECOND else referral.state,
        "decision": referral.decision,
        "risk": None if hidden else referral.risk,
        "kind": None if hidden else referral.kind,
    }


@transaction.atomic
def _shown(request: ApiRequest, referral: Referral) -> dict[str, Any]:
    card = page.card(referral)
    part, why_not = page.my_part(referral, request.user)
    standing = page.standing_for(referral, request.user, part, why_not, request)
    record(request.user.get_username(), "sight", f"referral:{referral.pk}", round=referral.round)
    finding = card["finding"]
    return {
        **_outline(referral, card["hidden"]),
        "round": referral.round,
        "blind": card["hidden"],
        "queue": referral.queue.name,
        "scan": referral.last_scan_id,
        "media_type": finding.media_type if finding else "",
        "size": finding.size if finding else None,
        "owner": finding.owner if finding else "",
        "paths": [{"uri": path.uri, "current": path.current} for path in card["paths"]],
        "more_paths": card["more_paths"],
        "found": _details(referral, card) if finding and not card["hidden"] else None,
        "part": part,
        "why_not": why_not,
        "votes": [_vote(vote) for vote in standing["votes"]],
        "earlier_votes": [_vote(vote) for vote in card["history"]],
        "undoable": standing["mine"].pk if standing["mine"] else None,
        "previous": card["previous"].pk if card["previous"] else None,
    }


def _details(referral: Referral, card: dict[str, Any]) -> dict[str, Any]:
    """What the page shows; the keyed hashes of values stay inside."""
    finding = card["finding"]
    same = ("status", "chars", "persons", "strongest", "health_threshold", "health_class", "terms", "neighbours")
    return {
        "reason": card["reason"],
        "health_distance": referral.health_distance,
        "counts": dict(card["counts"]),
        "rules": card["rules"],
        "evidence": finding.evidence,
        **{name: getattr(finding, name) for name in same},
    }


def _vote(vote: Vote) -> dict[str, Any]:
    return {
        "id": vote.pk,
        "referral": vote.referral_id,
        "round": vote.round,
        "reviewer": vote.reviewer.get_username(),
        "part": vote.part,
        "verdict": vote.verdict,
        "characteristics": vote.characteristics,
        "at": vote.at,
        "note": vote.note.text if hasattr(vote, "note") else "",
    }
