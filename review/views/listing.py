"""The list of referrals, filtered, in the order in which they are worked on."""

from typing import Any
from urllib.parse import urlencode

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.records import Risk
from review.audit import record
from review.models import Finding, Kind, Queue, Referral, ReferralPath, State
from review.roles import Role, allowed
from review.work import closed_queues

PAGE = 50
_STATES = {
    "open": (State.WAITING, State.SECOND, State.DISPUTED),
    "waiting": (State.WAITING, State.SECOND),
    "disputed": (State.DISPUTED,),
    "decided": (State.DECIDED,),
    "unsampled": (State.UNSAMPLED,),
    "superseded": (State.SUPERSEDED,),
}


@require_safe
@allowed(Role.REVIEWER, Role.ADJUDICATOR, Role.MANAGER)
def listing(request: HttpRequest) -> HttpResponse:
    chosen = _chosen(request)
    closed = closed_queues(request.user)
    rows = _filtered(chosen).exclude(queue__in=closed) if closed else _filtered(chosen)
    count = rows.count()
    referrals = list(_after(rows, request.GET.get("after", "")).select_related("queue").order_by("rank", "pk")[: PAGE + 1])
    more = len(referrals) > PAGE
    shown = _described(referrals[:PAGE])
    record(request.user.get_username(), "list", "", shown=len(shown), **chosen)
    page = {
        "rows": shown,
        "count": count,
        "chosen": chosen,
        "queues": Queue.objects.exclude(pk__in=closed),
        "states": list(_STATES),
        "risks": [risk.value for risk in Risk],
        "kinds": [kind.value for kind in Kind],
        "next": urlencode({**chosen, "after": f"{referrals[PAGE - 1].rank}-{referrals[PAGE - 1].pk}"}) if more else "",
    }
    return render(request, "review/list.html", page)


def _chosen(request: HttpRequest) -> dict[str, str]:
    allowed_values = {"state": set(_STATES), "risk": {risk.value for risk in Risk}, "kind": {kind.value for kind in Kind}}
    chosen = {name: request.GET.get(name, "") for name in ("queue", *allowed_values)}
    chosen["state"] = chosen["state"] or "open"
    return {
        name: value
        for name, value in chosen.items()
        if value and (value in allowed_values[name] if name in allowed_values else value.isdecimal() and len(value) < 19)
    }


def _filtered(chosen: dict[str, str]) -> Any:
    rows = Referral.objects.all()
    if "state" in chosen:
        rows = rows.filter(state__in=_STATES[chosen["state"]])
    for name in ("queue", "risk", "kind"):
        if name in chosen:
            rows = rows.filter(**{name: chosen[name]})
    return rows


def _after(rows: Any, after: str) -> Any:
    rank, _, pk = after.partition("-")
    if not rank.isdecimal() or len(rank) > 18:
        return rows
    return rows.filter(Q(rank__gt=int(rank)) | Q(rank=int(rank), pk__gt=pk))


def _described(referrals: list[Referral]) -> list[dict[str, Any]]:
    ids = [referral.pk for referral in referrals]
    findings = Finding.objects.only("media_type", "owner").in_bulk(ids)
    paths: dict[str, list[str]] = {}
    for referral, uri in ReferralPath.objects.filter(referral__in=ids).order_by("-current", "uri").values_list("referral", "uri"):
        paths.setdefault(referral, []).append(uri)
    return [
        {"referral": each, "finding": findings.get(each.pk), "path": (paths.get(each.pk) or [""])[0], "paths": len(paths.get(each.pk, ()))}
        for each in referrals
    ]
