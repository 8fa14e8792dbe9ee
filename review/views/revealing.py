"""The text of a referral and its pages, for somebody who says why; and its masked passage for whoever judges it."""

import re
from collections import Counter

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from extraction.sandbox.sandbox import LAST_PAGE
from review.accounts.roles import Role, allowed
from review.audit import record
from review.middleware import with_pictures
from review.models import Finding, Referral
from review.referrals.blind import is_hidden
from review.reveal.passage import FARTHEST, deciding_place, surroundings
from review.reveal.reveal import BUSY, UNKNOWN, Deciding, Revealed, reveal
from review.reveal.sandbox import BusyError
from review.translation import gettext as _
from review.views.referral import may_reveal, shows_passage, visible

_BUSY_STATUS, _RETRY_SECONDS = 503, "20"
_ASK_AGAIN = 204  # nothing to show yet, which is no error
_LONGEST_REASON = 300
_SHORTEST_REASON = 3
_LONGEST_NUMBER = 6
_PAGE = re.compile(r"\bpage ([\d,]{1,7})")


@require_POST
@allowed(Role.REVIEWER, Role.ADJUDICATOR)
def reveal_text(request: HttpRequest, pk: str) -> HttpResponse:
    referral = visible(request, pk)
    if not may_reveal(referral, request.user):
        record(request.user.get_username(), "reveal refused", f"referral:{referral.pk}", state=referral.state)
        raise PermissionDenied
    reason = request.POST.get("reason", "").strip()
    if len(reason) < _SHORTEST_REASON:
        messages.error(request, _("A reveal needs a reason."))
        return redirect("referral", pk=pk)
    subject = f"referral:{referral.pk}"
    page = _page(request)
    which = {"page": page} if page else {}
    # On record even where the reading fails.
    record(request.user.get_username(), "reveal", subject, reason=reason[:_LONGEST_REASON], **which)
    revealed = reveal(referral, page, _deciding(referral))
    record(request.user.get_username(), "revealed", subject, outcome=revealed.outcome)
    response = render(
        request,
        "review/reveal.html",
        {
            "referral": referral,
            "revealed": revealed,
            "seen": _seen(revealed),
            "hidden": is_hidden(referral),
            "reason": reason[:_LONGEST_REASON],
            "only_page": bool(page),
        },
    )
    response["Cache-Control"] = "no-store"
    if revealed.outcome == BUSY:
        response.status_code, response["Retry-After"] = _BUSY_STATUS, _RETRY_SECONDS
    return with_pictures(response)


@require_safe
@allowed(Role.REVIEWER, Role.ADJUDICATOR)
def passage(request: HttpRequest, pk: str) -> HttpResponse:
    """Asked for by the page of a referral once somebody has looked at it for a moment."""
    referral = visible(request, pk)
    finding = Finding.objects.filter(pk=referral.pk).first()
    if not may_reveal(referral, request.user):
        raise PermissionDenied
    if not shows_passage(referral, request.user) or finding is None:
        raise Http404
    try:
        found, blocks = surroundings(referral, finding)
    except BusyError:
        return HttpResponse(status=_ASK_AGAIN)
    record(request.user.get_username(), "passage", f"referral:{referral.pk}", outcome=found.outcome)
    return render(request, "review/passage.html", {"revealed": found, "blocks": blocks})


def _deciding(referral: Referral) -> Deciding:
    """The passage that decided; the first page where that is not known, or not to be known."""
    finding = Finding.objects.filter(pk=referral.pk).first()
    if finding is None or is_hidden(referral):
        return UNKNOWN
    places = (piece.get("where") for piece in finding.evidence if piece.get("passage") == finding.strongest)
    numbers = (_PAGE.search(str(place)) for place in places)
    page = next((int(number[1].replace(",", "")) for number in numbers if number), 1)
    start, end = deciding_place(finding) or (0, 0)
    return Deciding(page, start, end) if end <= FARTHEST else Deciding(page)


def _page(request: HttpRequest) -> int:
    asked = request.POST.get("page", "")
    return min(int(asked), LAST_PAGE) if asked.isdecimal() and len(asked) <= _LONGEST_NUMBER else 0


def _seen(revealed: Revealed) -> list[tuple[str, int]]:
    """How often each characteristic is marked."""
    return Counter(piece.characteristic for piece in revealed.pieces if piece.characteristic).most_common()
