"""Operations on groups: files that are alike, and one verdict for those that are named."""

import hashlib
import secrets
from typing import Annotated, Any, Literal

from django.http import Http404
from ninja import Router, Schema
from pydantic import Field, StringConstraints

from review.api.access import ApiRequest, permitted
from review.api.scope import Scope
from review.api.shapes import Problem, ReferralId, Strict
from review.audit import record
from review.groups.judging import MOST, judge_group, members_of
from review.models import ReferralPath, Verdict
from review.views import groups as page

router = Router(tags=["groups"])
GroupId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8,64}$")]
_TOKEN = 32


class MemberOut(Schema):
    id: str
    path: str
    waits: bool = Field(description="for your verdict")
    decision: str
    by_group: bool = Field(description="decided by a verdict for the group")


class GroupOut(Schema):
    id: str
    members: list[MemberOut]


class GroupVoteIn(Strict):
    verdict: Literal["phi", "not_phi"]
    members: Annotated[list[ReferralId], Field(min_length=1, max_length=MOST)]
    key: Annotated[
        str | None,
        Field(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="a request that is sent twice with one key counts once"),
    ] = None


class GroupJudged(Schema):
    judged: int
    refused: int = Field(description="that no longer waited for you")


@router.get("/groups/{pk}", response={200: GroupOut, 404: Problem})
@permitted(Scope.REFERRALS_READ, page.group)
def read_group(request: ApiRequest, pk: GroupId) -> Any:
    """The files of a group that you may see."""
    members = members_of(pk, request.user)
    if not members:
        raise Http404
    ids = [member.referral.pk for member in members]
    rows = ReferralPath.objects.filter(referral__in=ids).order_by("current", "-uri").values_list("referral", "uri")
    paths = dict(rows)
    record(request.user.get_username(), "group sight", f"group:{pk}"[:200], shown=len(members))
    return {
        "id": pk,
        "members": [
            {
                "id": member.referral.pk,
                "path": paths.get(member.referral.pk, ""),
                "waits": member.waits,
                "decision": member.referral.decision or "",
                "by_group": bool(member.referral.by_group),
            }
            for member in members
        ],
    }


@router.post("/groups/{pk}/votes", response={200: GroupJudged, 404: Problem})
@permitted(Scope.REFERRALS_JUDGE, page.judge)
def vote_on_group(request: ApiRequest, pk: GroupId, vote: GroupVoteIn) -> Any:
    """One verdict for the named files; rates are never measured with it."""
    if not members_of(pk, request.user):
        raise Http404
    own = f"{request.api_token.pk}:{pk}:{vote.key}" if vote.key else secrets.token_hex(_TOKEN)
    token = hashlib.sha256(own.encode()).hexdigest()[:_TOKEN]
    judged, refused = judge_group(pk, request.user, Verdict(vote.verdict), token, frozenset(vote.members))
    return {"judged": judged, "refused": refused}
