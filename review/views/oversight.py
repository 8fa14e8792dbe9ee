"""What managers and auditors look at: agreement, samples, the audit log, and the labels for evaluation."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from review.accounts.roles import Role, allowed
from review.audit import record
from review.models import AuditEntry, Kind, SamplePlan
from review.referrals.agreement import agreement_by_week
from review.referrals.labels import csv_text, label_lines
from review.referrals.on_record import verify_all
from review.vocabulary import ACTIONS

_ENTRIES = 100


@require_safe
@allowed(Role.MANAGER, Role.AUDITOR)
def agreed(request: HttpRequest) -> HttpResponse:
    overall, weeks = agreement_by_week()
    return render(request, "review/agreement.html", {"overall": overall, "weeks": weeks})


@require_safe
@allowed(Role.MANAGER, Role.AUDITOR)
def samples(request: HttpRequest) -> HttpResponse:
    return render(
        request, "review/samples.html", {"plans": SamplePlan.objects.select_related("queue").order_by("-made")[:200]}
    )


@require_safe
@allowed(Role.MANAGER, Role.AUDITOR)
def audit_log(request: HttpRequest) -> HttpResponse:
    before, action, actor = (request.GET.get(name, "") for name in ("before", "action", "actor"))
    number = int(before) if before.isdecimal() and len(before) < 19 else None
    shown, more = entries_before(number, action, actor, _ENTRIES)
    record(request.user.get_username(), "audit log", "", shown=len(shown))
    page = {"entries": shown, "more": more, "action": action, "actor": actor, "actions": sorted(ACTIONS)}
    return render(request, "review/audit.html", page)


def entries_before(number: int | None, action: str, actor: str, most: int) -> tuple[list[AuditEntry], int | None]:
    """Entries, the newest first, and the number before which the next page begins, if there may be one."""
    entries = AuditEntry.objects.order_by("-number")
    if number is not None:
        entries = entries.filter(number__lt=number)
    if action:
        entries = entries.filter(action=action)
    if actor:
        entries = entries.filter(actor=actor)
    shown = list(entries[:most])
    return shown, shown[-1].number if len(shown) == most else None


@require_safe
@allowed(Role.AUDITOR)
def audit_check(request: HttpRequest) -> HttpResponse:
    count, faults = verify_all()
    record(request.user.get_username(), "audit check", "", entries=count, faults=len(faults))
    return render(request, "review/audit_check.html", {"count": count, "faults": faults})


@require_safe
@allowed(Role.MANAGER)
def labels(request: HttpRequest) -> HttpResponse:
    kind = next((kind for kind in Kind if kind.value == request.GET.get("kind")), None)
    lines, exported = label_lines(kind)
    name = "all" if kind is None else kind.value
    record(request.user.get_username(), "export", "labels", kind=name, labels=exported.labels)
    response = HttpResponse(csv_text(lines), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="labels-{name}.csv"'
    return response
