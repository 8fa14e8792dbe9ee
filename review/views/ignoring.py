"""From now on a folder or a value is ignored: said on the page of a referral, and listed with reason and end."""

from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from core.errors import LeakscreenError
from review.accounts.roles import Role, allowed
from review.audit import record
from review.ignoring.ignoring import Grounds, IgnoreError, allow_list, entries, ignore_folder, ignore_value
from review.models import Referral
from review.templatetags.wording import day
from review.translation import gettext as _
from review.views.referral import visible
from screening.ruleset.allowlist import Entry

_LONGEST = 300


@require_POST
@allowed(Role.MANAGER)
def ignore(request: HttpRequest, pk: str) -> HttpResponse:
    referral = visible(request, pk)
    try:
        entry = _ignored(request, referral)
    except IgnoreError as error:
        messages.error(request, str(error))
    else:
        record_ignored(request.user.get_username(), referral, entry)
        messages.success(
            request,
            _("Ignored from the next scan on, until %s. Judge this referral all the same.") % day(entry.expires),
        )
    return redirect("referral", pk=pk)


@require_safe
@allowed(Role.MANAGER, Role.AUDITOR)
def ignored(request: HttpRequest) -> HttpResponse:
    fault, listed = "", []
    try:
        listed = sorted(entries(), key=lambda entry: entry.expires)
    except LeakscreenError as error:
        fault = str(error)
    page = {"entries": listed, "fault": fault, "file": allow_list(), "today": timezone.now().date()}
    return render(request, "review/ignored.html", page)


def record_ignored(who: str, referral: Referral, entry: Entry) -> None:
    kind, what = ("folder", entry.glob) if entry.glob else (entry.characteristic, entry.hmac[:8])
    facts = {"kind": kind, "what": what, "reason": entry.reason, "expires": entry.expires.isoformat()}
    record(who, "ignore", f"referral:{referral.pk}", **facts)


def _ignored(request: HttpRequest, referral: Referral) -> Entry:
    what, which = _parts(request.POST.get("what", ""))
    try:
        expires = date.fromisoformat(request.POST.get("expires", ""))
    except ValueError:
        raise IgnoreError(_("The end is not a date such as 2026-03-31.")) from None
    grounds = Grounds(request.POST.get("reason", "").strip()[:_LONGEST], request.user.get_username(), expires)
    if what == "folder":
        return ignore_folder(referral, which, grounds)
    if what == "value":
        characteristic, hashed = _parts(which)
        return ignore_value(referral, characteristic, hashed, grounds)
    raise IgnoreError(_("Choose a folder or a value."))


def _parts(given: str) -> tuple[str, str]:
    before, _colon, behind = given.partition(":")
    return before, behind
