"""Operations on what people keep: saved views, and what is ignored from now on."""

from datetime import date
from typing import Annotated, Any

from django.db.models import Q
from django.utils import timezone
from ninja import Router, Schema
from ninja.errors import HttpError
from ninja.responses import Status
from pydantic import Field, StringConstraints

from core.errors import LeakscreenError
from review.api.access import ApiRequest, permitted
from review.api.scope import Scope
from review.api.shapes import Number, Problem, ReferralId, Strict
from review.ignoring.ignoring import Grounds, entries, ignore_folder, ignore_value
from review.models import Finding, Referral, SavedView
from review.referrals.blind import is_hidden
from review.views import ignoring, saved
from review.views.referral import visible
from screening.ruleset.allowlist import Entry

router = Router(tags=["views and ignored"])
_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80, pattern=r"^[^\x00]*$")]
_Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300, pattern=r"^[^\x00]*$")]
_Path = Annotated[str, StringConstraints(min_length=1, max_length=4000, pattern=r"^[^\x00]*$")]
_Query = Annotated[str, StringConstraints(max_length=4000, pattern=r"^[^\x00]*$")]


class ViewIn(Strict):
    name: _Line
    query: Annotated[_Query, Field(description="as in the address of the list: state=open&risk=high")] = ""
    shared: bool = False


class ViewOut(Schema):
    id: int
    name: str
    query: str
    shared: bool
    owner: str


class _Ignored(Strict):
    reason: _Reason
    expires: Annotated[date, Field(ge=date(2000, 1, 1), le=date(2999, 12, 31), description="its last day")]


class IgnoreFolder(_Ignored):
    folder: Annotated[_Path, Field(description="a folder around the file")]


class IgnoreValue(_Ignored):
    """A value by its place in the evidence."""

    characteristic: Annotated[_Path, Field(description="of the value")]
    start: Annotated[int, Field(ge=0, le=2**53, description="where the value begins")]


class IgnoredOut(Schema):
    folder: str
    characteristic: str
    reason: str
    author: str
    expires: date
    over: bool


@router.get("/views", response=list[ViewOut])
@permitted(Scope.REFERRALS_READ, saved.view, audited=False)
def list_views(request: ApiRequest) -> Any:
    """Your saved views, and those that others share."""
    rows = SavedView.objects.filter(Q(owner=request.user) | Q(shared=True)).select_related("owner").order_by("pk")
    return [_view(each) for each in rows[:200]]


@router.post("/views", response={200: ViewOut, 409: Problem})
@permitted(Scope.VIEWS_CHANGE, saved.save)
def save_view(request: ApiRequest, wanted: ViewIn) -> Any:
    """Keeps a search under a name; a view of yours with that name is replaced."""
    return _view(saved.save_view(request.user, wanted.name, wanted.query, shared=wanted.shared))


@router.post("/views/{number}/remove", response={204: None, 404: Problem})
@permitted(Scope.VIEWS_CHANGE, saved.remove)
def remove_view(request: ApiRequest, number: Number) -> Any:
    """Removes a view of yours."""
    saved.remove_view(request.user, number)
    return Status(204, None)


@router.get("/ignored", response={200: list[IgnoredOut], 409: Problem})
@permitted(Scope.SCANS_READ, ignoring.ignored)
def list_ignored(request: ApiRequest) -> Any:
    """What scans ignore, or ignored once."""
    try:
        return [_entry(each) for each in sorted(entries(), key=lambda entry: entry.expires)]
    except LeakscreenError as error:
        raise HttpError(409, str(error)) from None


@router.post("/referrals/{pk}/ignore", response={200: IgnoredOut, 404: Problem, 409: Problem})
@permitted(Scope.IGNORED_CHANGE, ignoring.ignore)
def ignore(request: ApiRequest, pk: ReferralId, wanted: IgnoreFolder | IgnoreValue) -> Any:
    """From the next scan on; the referral itself is judged as usual."""
    referral = visible(request, pk)
    who = request.user.get_username()
    grounds = Grounds(wanted.reason, who, wanted.expires)
    if isinstance(wanted, IgnoreFolder):
        entry = ignore_folder(referral, wanted.folder, grounds)
    else:
        entry = ignore_value(referral, wanted.characteristic, _hash_of(referral, wanted), grounds)
    ignoring.record_ignored(who, referral, entry)
    return _entry(entry)


def _hash_of(referral: Referral, wanted: IgnoreValue) -> str:
    """Of the value at that place; empty where none is shown, which is refused as any unknown value is."""
    finding = None if is_hidden(referral) else Finding.objects.filter(pk=referral.pk).first()
    pieces = finding.evidence if finding else []
    found = (
        each for each in pieces if (each["characteristic"], each["start"]) == (wanted.characteristic, wanted.start)
    )
    return next((str(each["hmac"]) for each in found), "")


def _view(view: SavedView) -> dict[str, Any]:
    own = {"id": view.pk, "name": view.name, "query": view.query, "shared": view.shared}
    return {**own, "owner": view.owner.get_username()}


def _entry(entry: Entry) -> dict[str, Any]:
    said = {
        "folder": entry.glob,
        "characteristic": entry.characteristic,
        "reason": entry.reason,
        "author": entry.author,
    }
    return {**said, "expires": entry.expires, "over": entry.expires < timezone.now().date()}
