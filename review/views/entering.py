"""A one-time link -> a session of its owner, at the first referral that waits."""

from django.contrib.auth import login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from review.accounts.oidc.views import log_in_options
from review.accounts.one_time import account_of
from review.audit import record
from review.middleware import open_to_all
from review.referrals.leases import take_next

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_USED = "This link was used before, or is older than an hour. Run leakscreen review again for a new one."
_GONE = 404


@open_to_all
@require_GET
def enter(request: HttpRequest, token: str) -> HttpResponse:
    with transaction.atomic():
        user = account_of(token)
        if user is not None:
            login(request, user, backend=_BACKEND)  # within the transaction: it ends the link
    if user is None:
        record("(unknown)", "log-in refused", "link", address=request.META.get("REMOTE_ADDR", ""))
        return render(request, "review/login.html", {"refused": _USED, **log_in_options()}, status=_GONE)
    referral = take_next(user)
    return redirect("home") if referral is None else redirect("referral", pk=referral.pk)
