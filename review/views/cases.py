"""Cases: the list, one case with its history, and both as a page to keep or print."""

from collections.abc import Iterable
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from review.accounts.roles import Role, allowed
from review.audit import record
from review.cases.cases import CHOSEN, UNCHANGED, CaseError, Change, change_case
from review.cases.search import DUE, ME, NOBODY, STATES, CaseSearch, cases_found
from review.models import Case, CaseState, Finding, Queue, ReferralPath
from review.referrals.leases import closed_queues
from review.referrals.standing import in_force
from review.translation import gettext as _
from review.views import acting
from review.views.referral import card, visible_case

PAGE = 50
_READERS = (Role.REVIEWER, Role.ADJUDICATOR, Role.MANAGER)
_LONGEST = 200
_MOST_EXPORTED = 1_000
_KEYS = {CaseState.OPEN: "o", CaseState.TOLD: "t", CaseState.CONTAINED: "c", CaseState.CLOSED: "x"}


@require_safe
@allowed(*_READERS)
def cases(request: HttpRequest) -> HttpResponse:
    chosen = _chosen(request)
    queues = list(Queue.objects.exclude(pk__in=closed_queues(request.user)))
    today = timezone.now().date()
    rows = _search(request, chosen, queues, today)
    number = _page_number(request.GET.get("page", ""))
    shown = described(rows[(number - 1) * PAGE : number * PAGE + 1])
    record(request.user.get_username(), "cases", "", shown=len(shown[:PAGE]), filters=sorted(chosen))
    page_of = {
        "rows": shown[:PAGE],
        "count": rows.count(),
        "overdue": cases_found(CaseSearch(due="overdue"), [queue.pk for queue in queues], request.user, today).count(),
        "chosen": {"state": CaseSearch().state, **chosen},
        "states": list(STATES),
        "dues": DUE.items(),
        "people": _readers(),
        "queues": queues,
        "today": today,
        "address": urlencode(chosen),
        "next": urlencode({**chosen, "page": number + 1}) if len(shown) > PAGE else "",
    }
    return render(request, "review/cases.html", page_of)


@require_safe
@allowed(*_READERS)
def case(request: HttpRequest, pk: str) -> HttpResponse:
    current = visible_case(request, pk)
    record(request.user.get_username(), "case sight", f"referral:{current.pk}")
    page = {
        **_facts(current),
        "states": [(state.value, _KEYS[state]) for state in CHOSEN],
        "people": [person for person in _readers() if current.referral.queue_id not in closed_queues(person)],
        "today": timezone.now().date(),
        **acting.of_case(current, request.user.get_username()),
    }
    return render(request, "review/case.html", page)


@require_POST
@allowed(*_READERS)
def change(request: HttpRequest, pk: str) -> HttpResponse:
    """Each form sends what it is about, and nothing else changes."""
    current = visible_case(request, pk)
    try:
        wanted = _wanted(request, current)
        change_case(current.pk, request.user.get_username(), wanted)
    except CaseError as error:
        messages.error(request, str(error))
    return redirect("case", pk=pk)


@require_safe
@allowed(*_READERS)
def case_export(request: HttpRequest, pk: str) -> HttpResponse:
    current = visible_case(request, pk)
    record(request.user.get_username(), "case export", f"referral:{current.pk}", cases=1)
    return _download(f"case-{current.pk[:8]}.html", [_facts(current)], request)


@require_safe
@allowed(*_READERS)
def cases_export(request: HttpRequest) -> HttpResponse:
    """All cases that the filters leave, as far as one document can hold them."""
    chosen = _chosen(request)
    queues = list(Queue.objects.exclude(pk__in=closed_queues(request.user)))
    rows = _search(request, chosen, queues, timezone.now().date()).select_related("referral__queue", "assignee")
    exported = [_facts(each) for each in rows[:_MOST_EXPORTED]]
    record(request.user.get_username(), "case export", "", cases=len(exported), filters=sorted(chosen))
    return _download("cases.html", exported, request, left_out=max(0, rows.count() - len(exported)))


def _download(name: str, exported: list[dict[str, Any]], request: HttpRequest, left_out: int = 0) -> HttpResponse:
    """With its style in it, as it is opened from a disk; a browser prints it to PDF."""
    page = {"cases": exported, "left_out": left_out, "at": timezone.now(), "by": request.user.get_username()}
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(
        render_to_string("review/case_export.html", page), content_type="text/html; charset=utf-8", headers=headers
    )


def _chosen(request: HttpRequest) -> dict[str, str]:
    given = {name: request.GET.get(name, "").replace("\0", "").strip()[:_LONGEST] for name in CaseSearch.__slots__}
    return {name: value for name, value in given.items() if value and _fits(name, value)}


def _fits(name: str, value: str) -> bool:
    match name:
        case "state":
            return value in STATES
        case "due":
            return value in DUE
        case "queue":
            return _is_number(value)
        case "assignee":
            return value in (ME, NOBODY) or _is_number(value)
    return True


def _page_number(given: str) -> int:
    return max(1, int(given)) if given.isdecimal() and len(given) < 7 else 1


def _is_number(value: str) -> bool:
    return value.isdecimal() and len(value) < 19


def _search(request: HttpRequest, chosen: dict[str, str], queues: Iterable[Queue], today: date) -> Any:
    return cases_found(CaseSearch(**chosen), [queue.pk for queue in queues], request.user, today)


def _wanted(request: HttpRequest, current: Case) -> Change:
    sent = request.POST
    state = sent.get("state", "")
    if state and state not in {each.value for each in CHOSEN}:
        raise CaseError(_("Choose one of the four states."))
    return Change(
        state=CaseState(state) if state else None,
        assignee=assignee_of(sent["assignee"], request, current) if "assignee" in sent else UNCHANGED,
        due=_day(sent["due"]) if "due" in sent else UNCHANGED,
        note=sent.get("note", ""),
    )


def assignee_of(given: str, request: HttpRequest, current: Case) -> Any:
    if given == ME:
        return request.user
    if not given:
        return None
    people = {str(person.pk): person for person in _readers()}
    person = people.get(given)
    if person is None or current.referral.queue_id in closed_queues(person):
        raise CaseError(_("Nobody with this number may see this queue."))
    return person


def _day(given: str) -> date | None:
    try:
        return date.fromisoformat(given) if given else None
    except ValueError:
        raise CaseError(_("The due day is not a date such as 2026-03-31.")) from None


def _readers() -> list[Any]:
    people = get_user_model().objects.filter(is_active=True, groups__name__in=_READERS)
    return list(people.distinct().order_by("username"))


def described(rows: Any) -> list[dict[str, Any]]:
    found = list(rows.select_related("referral__queue", "assignee"))
    ids = [each.pk for each in found]
    people = dict(Finding.objects.filter(pk__in=ids).values_list("pk", "people"))
    paths: dict[str, str] = {}
    for referral, uri in (
        ReferralPath.objects.filter(referral__in=ids).order_by("-current", "uri").values_list("referral", "uri")
    ):
        paths.setdefault(referral, uri)
    return [{"case": each, "path": paths.get(each.pk, ""), "people": people.get(each.pk)} for each in found]


def _facts(current: Case) -> dict[str, Any]:
    """What is known of the file, as its referral shows it, and what was done about it."""
    referral = current.referral
    return {
        **card(referral),
        "case": current,
        "events": list(current.events.all()),
        "actions": list(current.actions.all()),
        "votes": in_force(referral.votes.filter(round=current.round).select_related("reviewer").order_by("number")),
    }
