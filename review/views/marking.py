"""Pages on which people mark spans: sessions with their agreement, what waits, and one text."""

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import ReviewError
from review.accounts.roles import Role, allowed
from review.marking.agreement import session_agreement
from review.marking.marking import NotYoursToMarkError, make_session, open_text, save_marks
from review.marking.spans import IDENTIFIERS, categories
from review.marking.waiting import waiting_texts
from review.models import MarkingSession
from review.translation import gettext as _
from review.translation import ngettext, number
from review.views.referral import visible

_SHORTEST_REASON = 3
_WORKERS = (Role.REVIEWER, Role.ADJUDICATOR)


@require_http_methods(["GET", "HEAD", "POST"])
@allowed(*_WORKERS, Role.MANAGER)
def sessions(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return make(request)
    rows = [(session, session_agreement(session)) for session in MarkingSession.objects.all()[:50]]
    return render(request, "review/marking/sessions.html", {"rows": rows})


@require_POST
@allowed(Role.MANAGER)
def make(request: HttpRequest) -> HttpResponse:
    try:
        make_session(request.POST.get("name", ""), request.user.get_username())
    except ReviewError as error:
        messages.error(request, str(error))
    return redirect("marking")


@require_safe
@allowed(*_WORKERS)
def session(request: HttpRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(MarkingSession, pk=pk)
    page = {"session": found, "rows": waiting_texts(found, request.user), "agreement": session_agreement(found)}
    return render(request, "review/marking/session.html", page)


@require_POST
@allowed(*_WORKERS)
def text(request: HttpRequest, session: int, pk: str) -> HttpResponse:
    """The text, once, for somebody who says why; it leaves no trace but that it was read."""
    found, referral = get_object_or_404(MarkingSession, pk=session), visible(request, pk)
    reason = request.POST.get("reason", "").strip()
    if len(reason) < _SHORTEST_REASON:
        messages.error(request, _("Give a reason to see the text."))
        return redirect("marking-session", pk=session)
    try:
        opened = open_text(found, referral, request.user, reason)
    except (NotYoursToMarkError, ReviewError) as error:
        messages.error(request, str(error))
        return redirect("marking-session", pk=session)
    page = {
        "session": found,
        "referral": referral,
        "opened": opened,
        "data": {
            "text": opened.text,
            "marks": opened.marks,
            "others": opened.others,
            "categories": categories(),
            "identifiers": IDENTIFIERS,
        },
    }
    response = render(request, "review/marking/text.html", page)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@allowed(*_WORKERS)
def save(request: HttpRequest, session: int, pk: str) -> HttpResponse:
    found, referral = get_object_or_404(MarkingSession, pk=session), visible(request, pk)
    try:
        saved = save_marks(found, referral, request.user, _sent(request), request.POST.get("text_hmac", ""))
        count = len(saved.spans)
        messages.success(request, ngettext("%s span was saved.", "%s spans were saved.", count) % number(count))
    except (NotYoursToMarkError, ReviewError) as error:
        messages.error(request, str(error))
    return redirect("marking-session", pk=session)


def _sent(request: HttpRequest) -> Any:
    try:
        return json.loads(request.POST.get("spans", ""))
    except ValueError:
        raise ReviewError(_("the marks did not arrive complete; open the text again")) from None
