"""Operations on marking: sessions with their agreement, and what waits; a text itself is shown to people alone."""

from typing import Annotated, Any

from django.shortcuts import get_object_or_404
from ninja import Router, Schema
from ninja.errors import HttpError
from pydantic import StringConstraints

from core.errors import ReviewError
from review.api.access import ApiRequest, permitted
from review.api.scope import Scope
from review.api.shapes import Number, Problem, Strict
from review.marking.agreement import session_agreement
from review.marking.marking import make_session
from review.marking.waiting import waiting_texts
from review.models import MarkingSession
from review.views import marking as page

router = Router(tags=["marking"])
_SHOWN = 50


class SessionIn(Strict):
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[^\x00]*$")]


class SessionOut(Schema):
    id: int
    name: str
    texts: int
    entities: int
    tokens: int
    entity_f: float | None
    entity_f_partial: float | None
    kappa: float | None
    kappa_marked: float | None


class WaitingText(Schema):
    id: str
    part: str
    path: str
    marked: bool  # by you, and it can still be changed


class SessionWithTexts(SessionOut):
    waiting: list[WaitingText]


@router.get("/marking", response=list[SessionOut])
@permitted(Scope.REFERRALS_READ, page.sessions, audited=False)
def list_sessions(request: ApiRequest) -> Any:
    """Sessions with how well their people agree."""
    return [_session(session) for session in MarkingSession.objects.all()[:_SHOWN]]


@router.post("/marking", response={200: SessionOut, 409: Problem})
@permitted(Scope.MARKING_MANAGE, page.make)
def make_marking_session(request: ApiRequest, wanted: SessionIn) -> Any:
    """A new session, or the one of that name."""
    try:
        return _session(make_session(wanted.name, request.user.get_username()))
    except ReviewError as error:
        raise HttpError(409, str(error)) from None


@router.get("/marking/{number}", response={200: SessionWithTexts, 404: Problem})
@permitted(Scope.REFERRALS_READ, page.session)
def read_session(request: ApiRequest, number: Number) -> Any:
    """One session, with the texts that you may mark now."""
    session = get_object_or_404(MarkingSession, pk=number)
    waiting = [
        {"id": each.referral.pk, "part": each.part.value, "path": each.path, "marked": each.is_marked}
        for each in waiting_texts(session, request.user)
    ]
    return {**_session(session), "waiting": waiting}


def _session(session: MarkingSession) -> dict[str, Any]:
    agreed = session_agreement(session)
    return {
        "id": session.pk,
        "name": session.name,
        **{field: getattr(agreed, field) for field in agreed.__dataclass_fields__},
    }
