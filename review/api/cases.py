"""Operations on cases: what is done about a decided file, by whom and until when."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from ninja import Query, Router, Schema
from pydantic import Field, StringConstraints

from review.api.access import ApiRequest, permitted, refuse_unknown
from review.api.scope import Scope
from review.api.shapes import Number, Problem, ReferralId, Strict, Text
from review.audit import record
from review.cases.cases import UNCHANGED, Change, change_case
from review.cases.search import CaseSearch, cases_found
from review.models import Case, CaseState, Queue
from review.referrals.leases import closed_queues
from review.views import cases as page
from review.views.referral import visible_case

router = Router(tags=["cases"])
_Cursor = Annotated[
    str, StringConstraints(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2}|none) [0-9T:.+\-]{19,40} [0-9a-f]{32}$|^$")
]
_States = Literal["in work", "open", "told", "contained", "closed", "void", "any"]


class CaseFilter(Strict):
    state: _States = "in work"
    assignee: Literal["", "me", "nobody"] | Number = ""
    due: Literal["", "overdue", "week", "none"] = ""
    queue: Number | None = None
    q: Annotated[Text, Field(description="part of a path")] = ""
    after: _Cursor = ""
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class CaseChange(Strict):
    """What is left out stays as it is; null takes assignee or due day away."""

    state: Literal["open", "told", "contained", "closed"] | None = None
    assignee: Literal["me"] | Number | None = None
    due: Annotated[date | None, Field(ge=date(2000, 1, 1), le=date(2999, 12, 31))] = None
    note: Annotated[str, StringConstraints(max_length=4000, pattern=r"^[^\x00]*$")] = ""


class CaseOut(Schema):
    id: str = Field(description="of the case and of its referral")
    state: str
    assignee: str | None
    due: date | None
    opened: datetime
    changed: datetime
    closed: datetime | None
    queue: str
    path: str
    people: int | None


class EventOut(Schema):
    at: datetime
    actor: str
    kind: str
    before: str
    after: str
    note: str


class CaseWithHistory(CaseOut):
    events: list[EventOut]


class CasePage(Schema):
    items: list[CaseOut]
    count: int
    next: str


@router.get("/cases", response=CasePage)
@permitted(Scope.REFERRALS_READ, page.cases)
def list_cases(request: ApiRequest, filters: Query[CaseFilter]) -> Any:
    """Cases, what is due first at the beginning."""
    refuse_unknown(request, CaseFilter)
    chosen = {name: str(value) for name, value in filters.dict(exclude={"after", "limit"}).items() if value}
    queues = list(Queue.objects.exclude(pk__in=closed_queues(request.user)).values_list("pk", flat=True))
    rows = cases_found(CaseSearch(**chosen), queues, request.user, timezone.now().date())
    shown = page.described(_after(rows, filters.after)[: filters.limit + 1])
    record(request.user.get_username(), "cases", "", shown=len(shown[: filters.limit]), filters=sorted(chosen))
    last = shown[filters.limit - 1]["case"] if len(shown) > filters.limit else None
    cursor = f"{last.due or 'none'} {last.opened.isoformat()} {last.pk}" if last else ""
    return {"items": [_case(row) for row in shown[: filters.limit]], "count": rows.count(), "next": cursor}


@router.get("/cases/{pk}", response={200: CaseWithHistory, 404: Problem})
@permitted(Scope.REFERRALS_READ, page.case)
def read_case(request: ApiRequest, pk: ReferralId) -> Any:
    """One case with its history."""
    current = visible_case(request, pk)
    record(request.user.get_username(), "case sight", f"referral:{current.pk}")
    return _whole(current)


@router.post("/cases/{pk}", response={200: CaseWithHistory, 404: Problem, 409: Problem})
@permitted(Scope.CASES_CHANGE, page.change)
def change_one_case(request: ApiRequest, pk: ReferralId, change: CaseChange) -> Any:
    """Changes state, assignee or due day, or adds a note."""
    current, sent = visible_case(request, pk), change.model_fields_set
    given = "" if change.assignee is None else str(change.assignee)
    wanted = Change(
        state=CaseState(change.state) if change.state else None,
        assignee=page.assignee_of(given, request, current) if "assignee" in sent else UNCHANGED,
        due=change.due if "due" in sent else UNCHANGED,
        note=change.note,
    )
    change_case(current.pk, request.user.get_username(), wanted)
    return _whole(visible_case(request, pk))


def _after(rows: Any, cursor: str) -> Any:
    """Cases without a due day come last, so after one with a day there are days, and then none."""
    day, _, rest = cursor.partition(" ")
    moment, _, pk = rest.partition(" ")
    try:
        opened, due = parse_datetime(moment), None if day == "none" else parse_date(day)
    except ValueError:
        return rows
    if not cursor or opened is None or opened.tzinfo is None:
        return rows
    later = Q(due=due) & (Q(opened__gt=opened) | Q(opened=opened, pk__gt=pk))
    return rows.filter(later if due is None else later | Q(due__gt=due) | Q(due=None))


def _whole(current: Case) -> dict[str, Any]:
    row = page.described(Case.objects.filter(pk=current.pk))[0]
    return {**_case(row), "events": list(current.events.all())}


def _case(row: dict[str, Any]) -> dict[str, Any]:
    case = row["case"]
    same = ("state", "due", "opened", "changed", "closed")
    return {
        "id": case.pk,
        "assignee": case.assignee.get_username() if case.assignee else None,
        "queue": case.referral.queue.name,
        "path": row["path"],
        "people": row["people"],
        **{name: getattr(case, name) for name in same},
    }
