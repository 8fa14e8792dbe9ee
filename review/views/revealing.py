"""The text of a referral, for somebody who says why."""

from collections import Counter

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from review.accounts.roles import Role, allowed
from review.audit import record
from review.referrals.blind import is_hidden
from review.reveal.reveal import BUSY, Revealed, reveal
from review.views.referral import may_reveal, visible

_BUSY_STATUS, _RETRY_SECONDS = 503, "20"
_LONGEST_REASON = 300
_SHORTEST_REASON = 3


@require_POST
@allowed(Role.REVIEWER, Role.ADJUDICATOR)
def reveal_text(request: HttpRequest, pk: str) -> HttpResponse:
    referral = visible(request, pk)
    if not may_reveal(referral, request.user):
        record(request.user.get_username(), "reveal refused", f"referral:{referral.pk}", state=referral.state)
        raise PermissionDenied
    reason = request.POST.get("reason", "").strip()
    if len(reason) < _SHORTEST_REASON:
        messages.error(request, "A reveal needs a reason.")
        return redirect("referral", pk=pk)
    subject = f"referral:{referral.pk}"
    record(
        request.user.get_username(), "reveal", subject, reason=reason[:_LONGEST_REASON]
    )  # on record even where the reading fails
    revealed = reveal(referral)
    record(request.user.get_username(), "revealed", subject, outcome=revealed.outcome)
    response = render(
        request,
        "review/reveal.html",
        {"referral": referral, "revealed": revealed, "seen": _seen(revealed), "hidden": is_hidden(referral)},
    )
    response["Cache-Control"] = "no-store"
    if revealed.outcome == BUSY:
        response.status_code, response["Retry-After"] = _BUSY_STATUS, _RETRY_SECONDS
    return response


def _seen(revealed: Revealed) -> list[tuple[str, int]]:
    """How often each characteristic is marked."""
    return Counter(piece.characteristic for piece in revealed.pieces if piece.characteristic).most_common()
