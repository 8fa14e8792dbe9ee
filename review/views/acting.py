"""Actions on the files of a case: propose one, and approve, reject or undo what is listed."""

from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from review.accounts.roles import Role, allowed
from review.acting.asking import fault_of, is_slow, offered, wish_for
from review.acting.asking import propose as propose_action
from review.cases.cases import CaseError
from review.models import Case, CaseAction, CaseState, Wish
from review.translation import gettext as _
from review.translation import ngettext, number
from review.views.referral import visible_case

_ACTORS = (Role.REVIEWER, Role.ADJUDICATOR, Role.MANAGER)
_BUTTONS = (Wish.APPROVE, Wish.REJECT, Wish.UNDO)


@require_POST
@allowed(*_ACTORS)
def propose(request: HttpRequest, pk: str) -> HttpResponse:
    try:
        count = propose_action(visible_case(request, pk), request.user.get_username(), request.POST.get("kind", ""))
    except CaseError as error:
        messages.error(request, str(error))
    else:
        words = ngettext(
            "Proposed for %s file. Nothing is touched before somebody approves it.",
            "Proposed for %s files. Nothing is touched before somebody approves it.",
            count,
        )
        messages.success(request, words % number(count))
    return redirect("case", pk=pk)


@require_POST
@allowed(*_ACTORS)
def wish(request: HttpRequest, pk: str) -> HttpResponse:
    current, sent = visible_case(request, pk), request.POST.get("wish", "")
    try:
        if sent not in _BUTTONS:
            raise CaseError(_("Choose approve, reject or undo."))
        wish_for(current, request.user.get_username(), Wish(sent), request.POST.getlist("action"))
    except CaseError as error:
        messages.error(request, str(error))
    return redirect("case", pk=pk)


def of_case(case: Case, who: str) -> dict[str, Any]:
    """Its actions, those of one proposal together, and what this person may do about each."""
    rows = list(case.actions.order_by("-wished", "kind", "uri"))
    is_over = case.state in (CaseState.VOID, CaseState.CLOSED)
    return {
        "offered": [] if is_over else offered(),
        "proposals": [_proposal(list(group), who) for _, group in groupby(rows, key=_together)],
        "act_is_slow": any(map(is_slow, rows)),
        "act_is_waited_for": any(row.wish for row in rows),
    }


def _together(row: CaseAction) -> tuple[Any, ...]:
    return row.wished, row.kind, row.state, row.wish


def _proposal(rows: list[CaseAction], who: str) -> dict[str, Any]:
    faults = {wish: next(filter(None, (fault_of(row, who, wish) for row in rows)), "") for wish in _BUTTONS}
    return {
        "rows": rows,
        "first": rows[0],
        "wishes": [wish.value for wish in _BUTTONS if not faults[wish]],
        "fault": faults[Wish.APPROVE] if rows[0].state == "proposed" else "",
    }
