"""The breach report in the browser: who is affected, what was exposed, what was done, and whom laws ask to tell."""

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from core.errors import LeakscreenError
from review.accounts.roles import Role, allowed, roles_of
from review.audit import record
from review.breach.reporting import BeingCountedError, Reporter, reporter
from review.translation import gettext
from review.translation import gettext_lazy as _

TYPES = {
    "html": "text/html; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
}
_NOT_NOW = 409
_LOOK_AGAIN = 5  # seconds
_COUNTED = _("The people are being counted. This page refreshes by itself.")
_SHOWN_BEFORE = _("The people are being counted again; below is the last count. This page refreshes by itself.")
_PARTS = (
    ("verified", _("Verified"), _("Reviewers found health information about somebody in these files.")),
    ("unverified", _("Not verified"), _("A scan referred these files. Nobody has decided about them yet.")),
)


@require_safe
@allowed(Role.MANAGER, Role.AUDITOR)
def breach(request: HttpRequest) -> HttpResponse:
    """Names of files may reveal something about people: managers see them, auditors see the counts."""
    discovered, fault = _day(request.GET.get("discovered", ""))
    facts: dict[str, Any] = {}
    waiting = False
    if (made_by := reporter()) is None:
        fault = gettext("Start the service with leakscreen serve: this page reads results of scans.")
    else:
        try:
            facts = made_by.facts(discovered, get_language() or "en")
        except BeingCountedError as error:
            facts, waiting = error.before or {}, True
            fault = str(_SHOWN_BEFORE if facts else _COUNTED)
        except LeakscreenError as error:
            fault = str(error)
    if facts or not waiting:
        record(request.user.get_username(), "breach report", "", shown=bool(facts))
    parts = [(name, title, words, facts[name]) for name, title, words in _PARTS if facts and facts[name]]
    page = {
        "facts": facts,
        "parts": parts,
        "fault": fault,
        "waiting": waiting,
        "discovered": discovered,
        "named": Role.MANAGER in roles_of(request.user),
    }
    is_missing = made_by is not None and not facts and not waiting
    response = TemplateResponse(request, "review/breach.html", page, status=_NOT_NOW if is_missing else 200)
    if waiting:
        response.headers["Refresh"] = str(_LOOK_AGAIN)
    return response


@require_safe
@allowed(Role.MANAGER)
def breach_file(request: HttpRequest) -> HttpResponse:
    form = request.GET.get("form", "html")
    made_by: Reporter | None = reporter()
    discovered, fault = _day(request.GET.get("discovered", ""))
    if form not in TYPES:
        raise Http404
    if made_by is None or fault:
        return redirect("breach")  # which says so
    try:
        content = made_by.written(made_by.facts(discovered), form)
    except LeakscreenError as error:
        return HttpResponse(f"{error}\n", content_type="text/plain; charset=utf-8", status=_NOT_NOW)
    record(request.user.get_username(), "breach report downloaded", form)
    return as_file(content, form)


def as_file(content: bytes, form: str) -> HttpResponse:
    return HttpResponse(
        content,
        content_type=TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="breach.{form}"', "Cache-Control": "no-store"},
    )


def _day(given: str) -> tuple[date | None, str]:
    try:
        day = date.fromisoformat(given) if given else None
    except ValueError:
        return None, gettext("The day of discovery is not a date; write it as 2026-03-31.")
    if day is not None and day > timezone.localdate():
        return None, gettext("The day of discovery has not come yet.")
    return day, ""
