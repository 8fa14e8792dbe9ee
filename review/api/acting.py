"""Operations on the actions of a case: what would be done to its files, by whom it was proposed and approved."""

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Router, Schema
from pydantic import Field, StringConstraints

from review.acting.asking import propose, wish_for
from review.api.access import ApiRequest, permitted
from review.api.scope import Scope
from review.api.shapes import Problem, ReferralId, Strict
from review.audit import record
from review.models import Case, Wish
from review.views import acting as page
from review.views import cases as case_page
from review.views.referral import visible_case

router = Router(tags=["actions"])
_ActionId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8,16}$")]
_MOST = 200  # files of a case that can be acted on from here


class Proposal(Strict):
    kind: Literal["quarantine", "restrict", "replace", "delete", "label", "tell"] = Field(
        description="one of those that `act.from_cases` offers"
    )


class Wanted(Strict):
    wish: Literal["approve", "reject", "undo"]
    actions: Annotated[list[_ActionId], Field(min_length=1, max_length=_MOST)]


class ActionOut(Schema):
    id: str
    uri: str
    kind: str
    state: str
    wish: str = Field(description="what `leakscreen act run` takes up next")
    proposed_by: str
    approved_by: str
    steps: list[str] = Field(description="what would happen, by a dry run")
    fault: str = Field(description="why the file would be left alone")
    note: str
    changed: datetime


@router.get("/cases/{pk}/actions", response={200: list[ActionOut], 404: Problem})
@permitted(Scope.REFERRALS_READ, case_page.case)
def list_actions(request: ApiRequest, pk: ReferralId) -> Any:
    """The actions on the files of a case, the newest first."""
    case = visible_case(request, pk)
    record(request.user.get_username(), "case sight", f"referral:{case.pk}")
    return _actions(case)


@router.post("/cases/{pk}/actions", response={200: list[ActionOut], 404: Problem, 409: Problem})
@permitted(Scope.CASES_ACT, page.propose)
def propose_action(request: ApiRequest, pk: ReferralId, proposal: Proposal) -> Any:
    """Proposes an action on every file of the case. Nothing is touched before somebody else approves it."""
    case = visible_case(request, pk)
    propose(case, request.user.get_username(), proposal.kind)
    return _actions(case)


@router.post("/cases/{pk}/actions/wish", response={200: list[ActionOut], 404: Problem, 409: Problem})
@permitted(Scope.CASES_ACT, page.wish)
def wish_for_actions(request: ApiRequest, pk: ReferralId, wanted: Wanted) -> Any:
    """Approves, rejects or undoes actions; all of them, or none."""
    case = visible_case(request, pk)
    wish_for(case, request.user.get_username(), Wish(wanted.wish), wanted.actions)
    return _actions(case)


def _actions(case: Case) -> list[Any]:
    return list(case.actions.order_by("-wished", "kind", "uri"))
