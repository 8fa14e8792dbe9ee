"""The list of referrals: searched, filtered and sorted as its address says."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from core.in_words import spoken_type
from core.records import Risk
from review.accounts.roles import Role, allowed
from review.audit import record
from review.models import Finding, Kind, Queue, Referral, ReferralPath, SavedView, Scan, Verdict
from review.referrals.blind import is_hidden
from review.referrals.leases import closed_queues
from review.referrals.search import ORDERS, STATES, Search, found
from review.translation import gettext, number
from screening.ruleset.ruleset import rules_of

PAGE = 50
_MOST_SCANS = 24
_LONGEST = 200
_ANY = "any"  # in the place of an id
_VERDICTS = (Verdict.PHI, Verdict.NOT_PHI, Verdict.CANNOT_TELL)
_ACCESS = ("everyone", "group", "owner")
_NAMES = (*Search.__slots__, "alike")
_NUMBERS = {"queue": 19, "people": 10}  # and fewer digits than these
_CHOICES: Mapping[str, frozenset[str]] = {
    "state": frozenset(STATES),
    "risk": frozenset(risk.value for risk in Risk),
    "access": frozenset(_ACCESS),
    "kind": frozenset(kind.value for kind in Kind),
    "verdict": frozenset(verdict.value for verdict in _VERDICTS),
    "sort": frozenset(ORDERS),
    "alike": frozenset({"one"}),
}


@require_safe
@allowed(Role.REVIEWER, Role.ADJUDICATOR, Role.MANAGER)
def listing(request: HttpRequest) -> HttpResponse:
    chosen = chosen_in(request.GET)
    queues = list(Queue.objects.exclude(pk__in=closed_queues(request.user)))
    search = Search(
        **{
            **{name: chosen[name] for name in chosen if name != "alike"},
            "state": chosen.get("state") or ("decided" if "verdict" in chosen else "open"),
        }
    )
    page = found(search, [queue.pk for queue in queues], request.GET.get("after", ""), PAGE)
    shown = described(page.referrals)
    if chosen.get("alike") == "one":
        shown = _as_one(shown)
    record(request.user.get_username(), "list", "", shown=len(shown), filters=sorted(chosen))
    shown_page = {
        "rows": shown,
        "count": gettext("more than %s") % number(page.count) if page.more_than else page.count,
        "filters": _filters(
            get_language() or "en",
            tuple({**chosen, "state": search.state, "sort": search.sort}.items()),
            tuple((queue.pk, queue.name) for queue in queues),
            Scan.objects.order_by("-taken_in").values_list("pk", "taken_in").first(),
        ),
        **_saved(request),
        "address": urlencode(chosen),
        "next": urlencode({**chosen, "after": page.after}) if page.after else "",
    }
    return render(request, "review/list.html", shown_page)


def chosen_in(query: QueryDict) -> dict[str, str]:
    """What an address asks for, without what nobody can ask for."""
    given = {name: query.get(name, "").replace("\0", "").strip()[:_LONGEST] for name in _NAMES}
    return {
        name: value
        for name, value in given.items()
        if value
        and (name not in _CHOICES or value in _CHOICES[name])
        and (name not in _NUMBERS or (value.isdecimal() and len(value) < _NUMBERS[name]))
    }


def _as_one(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of files that are alike the first on the page, with the number of the others."""
    first: dict[str, dict[str, Any]] = {}
    for row in rows:
        group = row["referral"].group
        key = group if group and not row["hidden"] else row["referral"].pk
        if key in first:
            first[key]["alike"] += 1
        else:
            first[key] = {**row, "alike": 0}
    return list(first.values())


def _saved(request: HttpRequest) -> dict[str, Any]:
    """The views of this person, and those that others share."""
    views = list(SavedView.objects.filter(Q(owner=request.user) | Q(shared=True)).select_related("owner"))
    given = request.GET.get("view", "")
    return {"views": views, "view": next((view for view in views if str(view.pk) == given), None)}


@lru_cache(maxsize=64)
def _filters(
    _language: str,
    chosen: tuple[tuple[str, str], ...],
    queues: tuple[tuple[int, str], ...],
    last: tuple[str, datetime | None] | None,
) -> SafeString:
    """The form: hundreds of words that change with what is chosen, the reader's language and the last intake alone."""
    given = dict(chosen)
    page = {
        "chosen": given,
        "narrowed": bool(set(given) - {"state", "sort", "queue"}),
        "queues": [{"pk": pk, "name": name} for pk, name in queues],
        "states": list(STATES),
        "circles": _ACCESS,
        "risks": [risk.value for risk in Risk],
        "kinds": [kind.value for kind in Kind],
        "verdicts": [verdict.value for verdict in _VERDICTS],
        "orders": [(name, order.words) for name, order in ORDERS.items()],
        "rules": _rules(),
        **_offered(last),
    }
    return render_to_string("review/list_filters.html", page)


@lru_cache(maxsize=4)
def _offered(last: tuple[str, datetime | None] | None) -> dict[str, Any]:
    """Scans and their sources, and the types of what was referred; only intake adds some."""
    scans = list(Scan.objects.order_by("-started", "pk").only("pk", "started", "sources")[:_MOST_SCANS])
    types = Finding.objects.order_by().values_list("media_type", flat=True).distinct()
    return {
        "scans": scans,
        "sources": sorted(set(chain.from_iterable(scan.sources for scan in scans))),
        "types": sorted(types, key=spoken_type),
    }


@lru_cache(maxsize=1)
def _rules() -> list[str]:
    return sorted(rule.id for rule in rules_of(settings.LEAKSCREEN.rules).rules)


def described(referrals: list[Referral]) -> list[dict[str, Any]]:
    ids = [referral.pk for referral in referrals]
    queues = Queue.objects.in_bulk({referral.queue_id for referral in referrals})
    findings = Finding.objects.only("media_type", "owner", "access").in_bulk(ids)
    paths: dict[str, list[str]] = {}
    for referral, uri in (
        ReferralPath.objects.filter(referral__in=ids).order_by("-current", "uri").values_list("referral", "uri")
    ):
        paths.setdefault(referral, []).append(uri)
    before, _, behind = reverse("referral", args=(_ANY,)).partition(_ANY)  # once: it is slow
    return [
        {
            "referral": referral,
            "address": f"{before}{referral.pk}{behind}",
            "hidden": is_hidden(referral),
            "queue": queues[referral.queue_id],
            "finding": findings.get(referral.pk),
            "path": (paths.get(referral.pk) or [""])[0],
            "paths": len(paths.get(referral.pk, ())),
        }
        for referral in referrals
    ]
