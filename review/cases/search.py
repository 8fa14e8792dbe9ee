"""What somebody looks for -> one page of cases, those that are due first, and how many there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef

from review.cases.cases import IN_WORK
from review.models import Case, CaseState, ReferralPath

STATES = {
    "in work": IN_WORK,
    "open": (CaseState.OPEN,),
    "told": (CaseState.TOLD,),
    "contained": (CaseState.CONTAINED,),
    "closed": (CaseState.CLOSED,),
    "void": (CaseState.VOID,),
    "any": tuple(CaseState),
}
DUE = {"overdue": "overdue", "week": "within a week", "none": "without a due day"}
ME, NOBODY = "me", "nobody"
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class CaseSearch:
    """Each field as the address of the list has it; empty where it does not matter."""

    state: str = "in work"
    assignee: str = ""  # me, nobody, or the number of a user
    due: str = ""
    queue: str = ""
    q: str = ""


def cases_found(search: CaseSearch, queues: Sequence[int], user: Any, today: date) -> Any:
    """Of the queues that may be seen, what is due first at the beginning."""
    rows = Case.objects.filter(state__in=STATES[search.state], referral__queue__in=queues)
    if search.assignee:
        whose = {ME: user.pk, NOBODY: None}.get(search.assignee, search.assignee)
        rows = rows.filter(assignee=whose)
    if search.due == "none":
        rows = rows.filter(due=None)
    elif search.due:
        rows = rows.filter(due__lt=today if search.due == "overdue" else today + _WEEK)
    if search.queue:
        rows = rows.filter(referral__queue=search.queue)
    if search.q:
        paths = ReferralPath.objects.filter(referral=OuterRef("pk"), uri__icontains=search.q)
        rows = rows.filter(Exists(paths))
    return rows.order_by(F("due").asc(nulls_last=True), "opened", "pk")
