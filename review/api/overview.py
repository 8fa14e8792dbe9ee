"""Operations that read: queues, scans, the figures of the dashboard, and who the token acts for."""

from datetime import date
from typing import Annotated, Any, Literal

from django.db.models import Q
from django.http import HttpResponse
from django.template.response import TemplateResponse
from django.utils.dateparse import parse_datetime
from ninja import Query, Router
from pydantic import Field, StringConstraints

from review.accounts.roles import roles_of
from review.api.access import ApiRequest, permitted, refuse_unknown
from review.api.scope import Scope
from review.api.shapes import DashboardOut, Me, Number, Problem, QueueOut, ScanPage, Strict, Text, UnexaminedPage
from review.dashboard import views as dashboard
from review.dashboard.conclusions import conclusion
from review.models import Awaiting, Scan
from review.referrals.counts import counts_by_queue
from review.referrals.leases import closed_queues, waiting_for
from review.views import home

router = Router(tags=["overview"])
_PAGES = {
    "rules": dashboard.rules,
    "time": dashboard.over_time,
    "compare": dashboard.compared,
    "what-if": dashboard.what_if,
    "queues": dashboard.queues,
    "scan": dashboard.scanned,
    "folders": dashboard.folders,
}
_Cursor = Annotated[str, StringConstraints(pattern=r"^([0-9T:.+\-]{19,40} [^\x00]{1,200})?$")]


class Choice(Strict):
    """As in the addresses of the dashboard's pages; what a page does not know, it passes over."""

    scan: Text = ""
    source: Text = ""
    from_: Annotated[date | None, Field(alias="from")] = None
    to: date | None = None
    rules: Text = ""


class DashboardChoice(Choice):
    rule: Annotated[list[Text], Field(max_length=50)] = Field(default_factory=list)
    first: Text = ""
    second: Text = ""
    join: Literal["", "and", "or", "not"] = ""
    other: Text = ""
    radius: Annotated[int | None, Field(ge=0, le=64)] = None
    other_radius: Annotated[int | None, Field(ge=0, le=64)] = None
    folder: Annotated[int, Field(ge=0, le=999_999_999)] = 0
    skipped: Annotated[int, Field(ge=0, le=999_999_999)] = 0


class UnexaminedChoice(Choice):
    status: Text = ""
    reason: Text | None = None
    after: Number | None = None


@router.get("/me", response=Me)
def who_am_i(request: ApiRequest) -> Any:
    """The owner of the token, with roles and scopes."""
    token = request.api_token
    return {
        "token": token.name,
        "owner": request.user.get_username(),
        "roles": sorted(roles_of(request.user)),
        "scopes": token.scopes,
        "expires": token.expires,
    }


@router.get("/queues", response=list[QueueOut])
@permitted(Scope.SCANS_READ, home.home, audited=False)
def list_queues(request: ApiRequest) -> Any:
    """The queues that you may see, with what waits in them."""
    queues = counts_by_queue(without=closed_queues(request.user))
    known = {
        Awaiting.REVIEW: {counts.queue.pk: counts.waiting for counts in queues},
        Awaiting.ADJUDICATION: {counts.queue.pk: counts.disputed for counts in queues},
    }
    mine = waiting_for(request.user, known)
    return [
        {
            "id": counts.queue.pk,
            "name": counts.queue.name,
            "waiting": counts.waiting,
            "disputed": counts.disputed,
            "decided": counts.decided,
            "mine": mine[counts.queue.pk],
            "risks": {risk: count for risk, count in counts.risks.items() if count},
            "blind": counts.blind,
        }
        for counts in queues
    ]


@router.get("/scans", response=ScanPage)
@permitted(Scope.SCANS_READ, home.home, audited=False)
def list_scans(request: ApiRequest, after: _Cursor = "", limit: Annotated[int, Field(ge=1, le=200)] = 50) -> Any:
    """Scans whose referrals were taken in, the newest first."""
    rows = Scan.objects.order_by("-started", "pk")
    moment, _, pk = after.partition(" ")
    try:
        started = parse_datetime(moment)
    except ValueError:
        started = None
    if started is not None and started.tzinfo is not None:
        rows = rows.filter(Q(started__lt=started) | Q(started=started, pk__gt=pk))
    scans = list(rows[: limit + 1])
    last = scans[limit - 1] if len(scans) > limit else None
    return {"items": scans[:limit], "next": f"{last.started.isoformat()} {last.pk}" if last else ""}


@router.get("/dashboard/{name}", response={200: DashboardOut, 403: Problem})
def read_dashboard(
    request: ApiRequest,
    name: Literal["rules", "time", "compare", "what-if", "queues", "scan", "folders"],
    choice: Query[DashboardChoice],
) -> Any:
    """The plots of one page of the dashboard, as columns and rows."""
    refuse_unknown(request, DashboardChoice)
    page = _PAGES[name]

    @permitted(Scope.DASHBOARD_READ, page, audited=False)
    def dashboard_page(request: ApiRequest) -> Any:
        context = _context(page(request))
        plots = [
            {
                "name": plot.name,
                "title": str(plot.title),
                "note": str(plot.note),
                "conclusion": conclusion(plot),
                "columns": [
                    {"key": column.key, "label": str(column.label), "how": column.how} for column in plot.columns
                ],
                "rows": [list(row) for row in plot.rows],
            }
            for plot in context["plots"]
        ]
        scan = context["choice"].scan
        return {"page": name, "scan": scan.pk if scan else None, "plots": plots, "words": context.get("words") or ""}

    return dashboard_page(request)


@router.get("/unexamined", response=UnexaminedPage)
@permitted(Scope.SCANS_READ, dashboard.files)
def list_unexamined(request: ApiRequest, choice: Query[UnexaminedChoice]) -> Any:
    """Files of a scan that were not, or not wholly, examined."""
    refuse_unknown(request, UnexaminedChoice)
    context = _context(dashboard.files(request))
    items = [
        {
            "uri": row.uri,
            "media_type": row.media_type,
            "size": row.size,
            "status": reason.status,
            "reason": reason.reason,
        }
        for row, reason in context["listed"]
    ]
    last = str(context["listed"][-1][0].pk) if context["more"] else ""
    return {"items": items, "count": context["count"], "next": last}


def _context(response: HttpResponse) -> dict[str, Any]:
    """What a page would show."""
    if not isinstance(response, TemplateResponse):
        raise TypeError("a page that is no template")
    context: dict[str, Any] = response.context_data or {}
    return context
