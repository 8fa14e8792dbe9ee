"""Operations on scans: what runs and is scheduled, how to start one, and what changed between two."""

from datetime import datetime
from typing import Annotated, Any

from django.http import Http404
from ninja import Router, Schema
from ninja.errors import HttpError
from pydantic import Field, StringConstraints

from review.accounts.roles import Role, roles_of
from review.api.access import ApiRequest, permitted
from review.api.scope import Scope
from review.api.shapes import Problem, Strict, Text
from review.audit import record
from review.models import Scan
from review.referrals.blind import is_hidden
from review.scanning.compare import described, difference
from review.scanning.desk import BusyError, desk
from review.views import scans as page

router = Router(tags=["scans"])
_Id = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]


class JobOut(Schema):
    source: str
    by: str
    started: datetime
    ended: datetime | None
    step: str
    files: int
    planned: int
    screened_positive: int
    referred: int
    fault: str
    runs: bool
    percent: int


class ScheduleOut(Schema):
    name: str
    cron: str
    zone: str
    sources: list[str]
    settings: list[str]
    next: datetime
    last_started: datetime | None
    last_end: str
    last_what: str


class DeskOut(Schema):
    job: JobOut | None = Field(description="the scan that was started here last, or runs")
    sources: list[str] = Field(description="what you may start")
    schedules: list[ScheduleOut]
    fault: str = Field(description="why the schedules cannot be read")


class StartIn(Strict):
    source: Text


class ChangedOut(Schema):
    id: str
    path: str
    risk: str | None
    decision: str


class PartOut(Schema):
    count: int
    items: list[ChangedOut] = Field(description="the first 100, for managers")


class ComparisonOut(Schema):
    first: str
    second: str
    same_sources: bool
    new: PartOut
    gone: PartOut
    still: PartOut


@router.get("/scans/desk", response=DeskOut)
@permitted(Scope.SCANS_READ, page.scans, audited=False)
def read_desk(request: ApiRequest) -> Any:
    """The scan that runs, what may be started, and the schedules with their last run."""
    here = desk()
    job = here.job() if here else None
    schedules, fault = page.schedules_of(here)
    starts = here is not None and Role.MANAGER in roles_of(request.user)
    return {
        "job": job.as_json() if job else None,
        "sources": list(here.sources()) if here and starts else [],
        "schedules": schedules,
        "fault": fault,
    }


@router.post("/scans/start", response={200: JobOut, 404: Problem, 409: Problem})
@permitted(Scope.SCANS_START, page.start)
def start_scan(request: ApiRequest, wanted: StartIn) -> Any:
    """Scans one of the sources that may be started, and refers what is found."""
    here = desk()
    if here is None or wanted.source not in here.sources():
        raise Http404
    try:
        job = here.start(wanted.source, request.user.get_username())
    except BusyError:
        raise HttpError(409, "A scan is running already; wait for its end.") from None
    record(request.user.get_username(), "scan started", wanted.source)
    return job.as_json()


@router.get("/scans/compare", response={200: ComparisonOut, 404: Problem})
@permitted(Scope.SCANS_READ, page.compare)
def compare_scans(request: ApiRequest, first: _Id, second: _Id) -> Any:
    """Of two scans: which referred contents are new, gone and still there; names of files for managers alone."""
    before, after = (Scan.objects.filter(pk=pk).first() for pk in (first, second))
    if before is None or after is None:
        raise Http404
    found = difference(before, after, [])
    named = Role.MANAGER in roles_of(request.user)
    record(request.user.get_username(), "scans compared", f"scan:{after.pk}"[:200], with_scan=before.pk)
    parts = {"new": found.new, "gone": found.gone, "still": found.still}
    return {
        "first": before.pk,
        "second": after.pk,
        "same_sources": set(before.sources) == set(after.sources),
        **{
            name: {"count": rows.count(), "items": [_changed(row) for row in described(rows)] if named else []}
            for name, rows in parts.items()
        },
    }


def _changed(row: dict[str, Any]) -> dict[str, Any]:
    referral = row["referral"]
    return {
        "id": referral.pk,
        "path": row["path"],
        "risk": None if is_hidden(referral) else referral.risk,
        "decision": referral.decision or "",
    }
