"""Scans: what ran and runs, what is scheduled, how to start one, and what changed between two."""

from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import require_POST, require_safe

from core.errors import LeakscreenError
from evaluation.design import REFERRED
from review.accounts.roles import Role, allowed, roles_of
from review.audit import record
from review.models import Scan, Seen
from review.referrals.blind import is_hidden
from review.scanning.compare import described, difference
from review.scanning.desk import BusyError, Desk, Job, ScheduleLine, desk
from review.translation import gettext as _
from review.translation import gettext_noop, ngettext, number

_OVERSEERS = (Role.MANAGER, Role.AUDITOR)
_MOST = 50


@require_safe
@allowed(*_OVERSEERS)
def scans(request: HttpRequest) -> HttpResponse:
    listed = list(Scan.objects.order_by("-started", "pk")[:_MOST])
    counts = _counts(listed)
    running = desk()
    schedules, fault = schedules_of(running)
    job = running.job() if running else None
    page = {
        "scans": [(scan, counts.get(scan.pk, (0, 0))) for scan in listed],
        "job": job,
        "job_words": _in_words(job) if job else "",
        "pair": _pair(listed),
        "sources": running.sources() if running and Role.MANAGER in roles_of(request.user) else (),
        "can_start": running is not None,
        "schedules": schedules,
        "fault": fault,
        "now": timezone.now(),
    }
    return render(request, "review/scans.html", page)


@require_POST
@allowed(Role.MANAGER)
def start(request: HttpRequest) -> HttpResponse:
    running, source = desk(), request.POST.get("source", "")
    if running is None or source not in running.sources():
        messages.error(request, _("This source is not among those that may be scanned from here."))
        return redirect("scans")
    try:
        running.start(source, request.user.get_username())
    except BusyError:
        messages.error(request, _("A scan is running already; wait for its end."))
    else:
        record(request.user.get_username(), "scan started", source)
    return redirect("scans")


@require_safe
@allowed(*_OVERSEERS)
def progress(request: HttpRequest) -> HttpResponse:
    """What the page asks for every other second."""
    running = desk()
    job = running.job() if running else None
    return JsonResponse({"job": {**job.as_json(), "words": _in_words(job)} if job else None})


@require_safe
@allowed(*_OVERSEERS)
def compare(request: HttpRequest) -> HttpResponse:
    """Names of files may reveal something about people: managers see them, auditors see the counts."""
    listed = list(Scan.objects.order_by("-started", "pk")[:_MOST])
    chosen = {scan.pk: scan for scan in listed}
    first, second = (chosen.get(request.GET.get(name, "")) for name in ("first", "second"))
    if not request.GET and (pair := _pair(listed)):
        first, second = pair
    page: dict[str, Any] = {"scans": listed, "first": first, "second": second}
    if first and second and first != second:
        found = difference(first, second, [])
        named = Role.MANAGER in roles_of(request.user)
        parts = (
            ("new", gettext_noop("New"), found.new),
            ("gone", gettext_noop("Gone"), found.gone),
            ("still", gettext_noop("Still there"), found.still),
        )
        page["parts"] = [
            (name, words, rows.count(), [_masked(row) for row in described(rows)] if named else [])
            for name, words, rows in parts
        ]
        page["other_sources"] = set(first.sources) != set(second.sources)
        record(request.user.get_username(), "scans compared", f"scan:{second.pk}"[:200], with_scan=first.pk)
    return render(request, "review/scans_compare.html", page)


def _pair(listed: list[Scan]) -> tuple[Scan, Scan] | None:
    """What is compared unless somebody chooses: the newest scan, and the one of the same sources before it."""
    for at, later in enumerate(listed):
        for earlier in listed[at + 1 :]:
            if set(earlier.sources) == set(later.sources):
                return earlier, later
    return (listed[1], listed[0]) if len(listed) > 1 else None


def _in_words(job: Job) -> str:
    """How far it is, or how it ended."""
    if job.step == "failed":
        return _("Failed: %s") % job.fault
    if job.step == "done":
        files = ngettext("%s file", "%s files", job.files) % number(job.files)
        new = ngettext("%s new referral", "%s new referrals", job.referred) % number(job.referred)
        return _("Done: %(files)s, %(new)s.") % {"files": files, "new": new}
    if not job.planned:
        return f"{capfirst(_(job.step))} …"
    words = _("%(step)s: %(files)s of %(planned)s files, %(screened_positive)s screened positive.")
    return words % {
        "step": capfirst(_(job.step)),
        "files": number(job.files),
        "planned": number(job.planned),
        "screened_positive": number(job.screened_positive),
    }


def _masked(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "hidden": is_hidden(row["referral"])}


def schedules_of(running: Desk | None) -> tuple[list[ScheduleLine], str]:
    try:
        return (running.schedules() if running else []), ""
    except LeakscreenError as error:
        return [], str(error)


def _counts(listed: list[Scan]) -> dict[str, tuple[int, int]]:
    """Contents that each scan referred, and how many of them are decided."""
    rows = (
        Seen.objects.filter(scan__in=[scan.pk for scan in listed], stage__in=("", REFERRED)).order_by().values("scan")
    )
    counted = rows.annotate(
        contents=Count("referral", distinct=True),
        decided=Count("referral", distinct=True, filter=Q(referral__state="decided")),
    )
    return {row["scan"]: (row["contents"], row["decided"]) for row in counted}
