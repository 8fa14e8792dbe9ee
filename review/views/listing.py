"""The list of referrals, filtered, in the order in which they are worked on."""

from itertools import chain
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.records import Risk
from review.accounts.roles import Role, allowed
from review.audit import record
from review.models import Awaiting, Finding, Kind, Queue, Referral, ReferralPath, State
from review.referrals.blind import is_hidden
from review.referrals.identity import ranks_of
from review.referrals.leases import closed_queues

PAGE = 50
# Each is a set of rows that an index holds in the order of work; several are merged.
_STATES = {
    "open": (("wants", Awaiting.REVIEW), ("wants", Awaiting.ADJUDICATION)),
    "waiting": (("wants", Awaiting.REVIEW),),
    "disputed": (("wants", Awaiting.ADJUDICATION),),
    "decided": (("state", State.DECIDED),),
    "unsampled": (("state", State.UNSAMPLED),),
    "superseded": (("state", State.SUPERSEDED),),
}
# The same rows by state, as the index has them that counts are read from.
_COUNTED = {
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
    queues = list(Queue.objects.exclude(pk__in=closed))
    parts = [part.exclude(queue__in=closed) if closed else part for part in _filtered(chosen)]
    after = request.GET.get("after", "")
    pages = [list(_after(part, after).order_by("rank", "pk")[: PAGE + 1]) for part in parts]
    referrals = sorted(chain.from_iterable(pages), key=lambda referral: (referral.rank, referral.pk))[: PAGE + 1]
    more = len(referrals) > PAGE
    shown = _described(referrals[:PAGE])
    record(request.user.get_username(), "list", "", shown=len(shown), **chosen)
    page = {
        "rows": shown,
        "count": _count(chosen, queues),
        "chosen": chosen,
        "queues": queues,
        "states": list(_STATES),
        "risks": [risk.value for risk in Risk],
        "kinds": [kind.value for kind in Kind],
        "next": urlencode({**chosen, "after": f"{referrals[PAGE - 1].rank}-{referrals[PAGE - 1].pk}"}) if more else "",
    }
    return render(request, "review/list.html", page)


def _chosen(request: HttpRequest) -> dict[str, str]:
    allowed_values = {
        "state": set(_STATES),
        "risk": {risk.value for risk in Risk},
        "kind": {kind.value for kind in Kind},
    }
    chosen = {name: request.GET.get(name, "") for name in ("queue", *allowed_values)}
    chosen["state"] = chosen["state"] if chosen["state"] in _STATES else "open"
    return {
        name: value
        for name, value in chosen.items()
        if value
        and (value in allowed_values[name] if name in allowed_values else value.isdecimal() and len(value) < 19)
    }


def _filtered(chosen: dict[str, str]) -> list[Any]:
    parts = [Referral.objects.filter(**{name: value}) for name, value in _STATES[chosen["state"]]]
    for name in ("queue", "kind"):
        if name in chosen:
            parts = [part.filter(**{name: chosen[name]}) for part in parts]
    if "risk" in chosen:
        low, high = ranks_of(chosen["risk"])
        parts = [part.filter(rank__gte=low, rank__lt=high) for part in parts]
    return [_unblinded(part, chosen) for part in parts]


def _unblinded(rows: Any, chosen: dict[str, str]) -> Any:
    """What is judged blind is in no list by risk or kind, which would tell both."""
    if not {"risk", "kind"} & chosen.keys():
        return rows
    return rows.exclude(blind=True, state__in=(State.WAITING, State.SECOND, State.DISPUTED))


def _count(chosen: dict[str, str], queues: list[Queue]) -> int:
    """By the queues that may be seen and their states: a small index holds both, so that no row is looked at."""
    rows = Referral.objects.filter(queue__in=[queue.pk for queue in queues], state__in=_COUNTED[chosen["state"]])
    for name in ("queue", "risk", "kind"):
        if name in chosen:
            rows = rows.filter(**{name: chosen[name]})
    return int(_unblinded(rows, chosen).count())


def _after(rows: Any, after: str) -> Any:
    rank, _, pk = after.partition("-")
    if not rank.isdecimal() or len(rank) > 18:
        return rows
    return rows.filter(rank__gte=int(rank)).exclude(rank=int(rank), pk__lte=pk)


def _described(referrals: list[Referral]) -> list[dict[str, Any]]:
    ids = [referral.pk for referral in referrals]
    queues = Queue.objects.in_bulk({referral.queue_id for referral in referrals})
    findings = Finding.objects.only("media_type", "owner").in_bulk(ids)
    paths: dict[str, list[str]] = {}
    for referral, uri in (
        ReferralPath.objects.filter(referral__in=ids).order_by("-current", "uri").values_list("referral", "uri")
    ):
        paths.setdefault(referral, []).append(uri)
    return [
        {
            "referral": referral,
            "hidden": is_hidden(referral),
            "queue": queues[referral.queue_id],
            "finding": findings.get(referral.pk),
            "path": (paths.get(referral.pk) or [""])[0],
            "paths": len(paths.get(referral.pk, ())),
        }
        for referral in referrals
    ]
