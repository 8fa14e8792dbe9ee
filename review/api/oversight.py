"""Operations for managers and auditors: agreement, samples, labels, and the audit log."""

import json
from dataclasses import asdict
from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from review.api.access import ApiRequest, permitted, refuse_unknown
from review.api.scope import Scope
from review.api.shapes import AuditCheck, AuditPage, Number, Strict, Text
from review.audit import record
from review.models import SamplePlan
from review.referrals.agreement import agreement_by_week
from review.referrals.on_record import verify_all
from review.views import oversight as page

router = Router(tags=["oversight"])
_CSV = {"responses": {200: {"description": "OK", "content": {"text/csv": {"schema": {"type": "string"}}}}}}


class AuditFilter(Strict):
    before: Number | None = None
    action: Text = ""
    actor: Text = ""
    limit: Annotated[int, Field(ge=1, le=1_000)] = 100


class AgreementRow(Schema):
    week: str
    pair: str
    figures: dict[str, Any]


class AgreementOut(Schema):
    overall: dict[str, Any]
    weeks: list[AgreementRow]


class SampleOut(Schema):
    scan: str
    queue: str
    kind: str
    seed: int
    budget: int
    strata: dict[str, list[int]] = Field(description="stratum -> [drawn, there]")


@router.get("/agreement", response=AgreementOut)
@permitted(Scope.DASHBOARD_READ, page.agreed, audited=False)
def read_agreement(request: ApiRequest) -> Any:
    """How well two reviewers agree, overall and by week and pair."""
    overall, weeks = agreement_by_week()
    rows = [{"week": row.week, "pair": row.pair, "figures": asdict(row.figures)} for row in weeks]
    return {"overall": asdict(overall), "weeks": rows}


@router.get("/samples", response=list[SampleOut])
@permitted(Scope.DASHBOARD_READ, page.samples, audited=False)
def list_samples(request: ApiRequest) -> Any:
    """The draws by which estimates are weighted, the newest 200."""
    return [
        {
            "scan": plan.scan_id,
            "queue": plan.queue.name,
            "kind": plan.kind,
            "seed": plan.seed,
            "budget": plan.budget,
            "strata": plan.strata,
        }
        for plan in SamplePlan.objects.select_related("queue").order_by("-made")[:200]
    ]


@router.get("/labels.csv", openapi_extra=_CSV)
@permitted(Scope.LABELS_EXPORT, page.labels)
def export_labels(request: ApiRequest, kind: Literal["", "referred", "negative"] = "") -> HttpResponse:
    """Decisions as labels for `leakscreen evaluate`."""
    response: HttpResponse = page.labels(request)
    return response


@router.get("/audit", response=AuditPage)
@permitted(Scope.AUDIT_READ, page.audit_log)
def read_audit(request: ApiRequest, filters: Query[AuditFilter]) -> Any:
    """Entries of the audit log, the newest first."""
    refuse_unknown(request, AuditFilter)
    shown, more = page.entries_before(filters.before, filters.action, filters.actor, filters.limit)
    record(request.user.get_username(), "audit log", "", shown=len(shown))
    items = [
        {
            "number": entry.number,
            "at": entry.at,
            "actor": entry.actor,
            "action": entry.action,
            "subject": entry.subject,
            "details": json.loads(entry.details) if entry.details else {},
        }
        for entry in shown
    ]
    return {"items": items, "next": more}


@router.post("/audit/check", response=AuditCheck)
@permitted(Scope.AUDIT_READ, page.audit_check)
def check_audit(request: ApiRequest) -> Any:
    """Whether log and decisions are unbroken, and where not."""
    count, faults = verify_all()
    record(request.user.get_username(), "audit check", "", entries=count, faults=len(faults))
    return {"entries": count, "faults": [asdict(fault) for fault in faults]}
