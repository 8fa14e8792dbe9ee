"""Requests -> pages of the dashboard; each plot of a page is also a CSV file at the same address with `csv=`."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from evaluation.comparison import Comparison, Ratio
from evaluation.comparison_in_words import in_words
from evaluation.design import REFERRED
from review.accounts.roles import Role, allowed, roles_of
from review.audit import record
from review.dashboard.affected import affected_plots
from review.dashboard.characteristics import characteristics_plot
from review.dashboard.choice import Choice, choice_of, day_of, filters, midnight
from review.dashboard.conclusions import conclusion
from review.dashboard.containment import containment_plots
from review.dashboard.folders import folder_map
from review.dashboard.plots import Plot
from review.dashboard.queues import agreement_plot, people_plot, queue_plot
from review.dashboard.rules import comparison_of, comparison_plot, rules_plot, stages_plot, time_plots
from review.dashboard.scanned import scan_plots
from review.dashboard.whatif import JOINS, WIDEST, Trial, tried
from review.models import Unexamined
from review.referrals.leases import closed_queues

_OVERSEERS = (Role.MANAGER, Role.AUDITOR)
_PAGE = 100
_PEOPLE_DAYS = 30


@require_safe
@allowed(*_OVERSEERS)
def rules(request: HttpRequest) -> HttpResponse:
    choice = choice_of(request)
    plots = [rules_plot(choice), stages_plot(choice)] if choice.scan else [rules_plot(choice)]
    return _page(request, "rules", choice, [*plots, characteristics_plot()])


@require_safe
@allowed(*_OVERSEERS)
def over_time(request: HttpRequest) -> HttpResponse:
    choice = choice_of(request)
    known = [REFERRED, *sorted(choice.figures.rules)] if choice.figures else []
    wanted = [rule for rule in dict.fromkeys(request.GET.getlist("rule")) if rule in known]
    plots = [*time_plots(choice, wanted), *affected_plots(), *containment_plots()]
    return _page(request, "time", choice, plots, known=known, wanted=wanted)


@require_safe
@allowed(*_OVERSEERS)
def compared(request: HttpRequest) -> HttpResponse:
    choice = choice_of(request)
    first, second = (request.GET.get(name, "") for name in ("first", "second"))
    comparison = comparison_of(choice, first, second)
    known = [REFERRED, *sorted(choice.figures.rules)] if choice.figures else []
    context = {
        "first": first,
        "second": second,
        "known": known,
        "found": comparison,
        "words": _in_english(comparison),
    }
    return _page(request, "compare", choice, [comparison_plot(comparison)] if comparison else [], **context)


@require_safe
@allowed(*_OVERSEERS)
def what_if(request: HttpRequest) -> HttpResponse:
    choice = choice_of(request)
    shapes = {shape.id: shape for shape in choice.figures.shapes if shape.prototypes} if choice.figures else {}
    trial = _trial(request, {name: shape.radius for name, shape in shapes.items()})
    outcome = tried(choice, trial) if trial else None
    told: dict[str, Any] = {
        "known": sorted(shapes),
        "trial": trial,
        "outcome": outcome,
        "joins": JOINS.items(),
        "radii": range(WIDEST + 1),
    }
    told["words"] = _in_english(outcome.beside if outcome else None)
    return _page(request, "what-if", choice, [outcome.plot, outcome.curve] if outcome else [], **told)


def _trial(request: HttpRequest, radii: dict[str, int]) -> Trial | None:
    rule, other, join = (request.GET.get(name, "") for name in ("rule", "other", "join"))
    if rule not in radii:
        return None
    join = join if join in JOINS and other in radii else ""
    radius, other_radius = (
        _number(request.GET.get(name), radii.get(each, 0)) for name, each in (("radius", rule), ("other_radius", other))
    )
    return Trial(rule, radius, join, other if join else "", other_radius if join else 0)


def _number(text: str | None, otherwise: int) -> int:
    return min(int(text), WIDEST) if text and text.isdecimal() and len(text) < 4 else otherwise


@require_safe
@allowed(*Role)
def queues(request: HttpRequest) -> HttpResponse:
    """Managers and auditors see everything; others see their own queues and their own work."""
    choice = choice_of(request)
    oversees = bool(roles_of(request.user) & set(_OVERSEERS))
    since = day_of(choice.given.get("from")) or midnight(timezone.now() - timedelta(days=_PEOPLE_DAYS))
    without = [] if oversees else closed_queues(request.user)
    plots = [queue_plot(without), people_plot(since, None if oversees else request.user.pk)]
    return _page(request, "queues", choice, [*plots, agreement_plot()] if oversees else plots, oversees=oversees)


@require_safe
@allowed(*_OVERSEERS)
def scanned(request: HttpRequest) -> HttpResponse:
    choice = choice_of(request)
    file_list = reverse("dashboard-files") if Role.MANAGER in roles_of(request.user) else ""
    return _page(request, "scan", choice, scan_plots(choice, file_list))


@require_safe
@allowed(Role.MANAGER)
def files(request: HttpRequest) -> HttpResponse:
    """File names may reveal something about people: for managers alone, and every look is in the audit log."""
    choice = choice_of(request)
    status, reason, after = (request.GET.get(name, "") for name in ("status", "reason", "after"))
    places = _reason_places(choice, status, reason if "reason" in request.GET else None)
    rows = (
        Unexamined.objects.filter(scan=choice.scan, reason__in=places).order_by("pk")
        if choice.scan and places
        else Unexamined.objects.none()
    )
    if after.isdecimal() and len(after) < 19:
        rows = rows.filter(pk__gt=int(after))
    shown = list(rows[: _PAGE + 1])
    more = choice.address(status=status, reason=reason, after=str(shown[_PAGE - 1].pk)) if len(shown) > _PAGE else ""
    record(
        request.user.get_username(),
        "unexamined files",
        f"scan:{choice.scan.pk}" if choice.scan else "",
        shown=len(shown[:_PAGE]),
    )
    listed = [(row, choice.figures.reasons[row.reason]) for row in shown[:_PAGE]] if choice.figures else []
    count = sum(choice.figures.reasons[place].files for place in places) if choice.figures else 0
    return _page(request, "files", choice, [], listed=listed, more=more, status=status, reason=reason, count=count)


def _reason_places(choice: Choice, status: str, reason: str | None) -> list[int]:
    places = []
    for place, each in enumerate(choice.figures.reasons if choice.figures else ()):
        fits = each.is_gap if not status else each.status == status
        if fits and (reason is None or each.reason == reason) and choice.source in ("", each.source):
            places.append(place)
    return places


@require_safe
@allowed(*_OVERSEERS)
def folders(request: HttpRequest) -> HttpResponse:
    choice = choice_of(request)
    number, skipped = (
        int(given) if (given := request.GET.get(name, "")).isdecimal() and len(given) < 10 else 0
        for name in ("folder", "skipped")
    )
    current = folder_map(choice, number, skipped)
    trail = [(choice.address(folder=str(place)), name) for place, name in current.above]
    return _page(request, "folders", choice, [current.plot], trail=trail)


def _page(request: HttpRequest, name: str, choice: Choice, plots: Sequence[Plot], **more: Any) -> HttpResponse:
    wanted = request.GET.get("csv")
    if wanted is not None:
        plot = next((candidate for candidate in plots if candidate.name == wanted), None)
        if plot is None:
            raise Http404
        record(request.user.get_username(), "dashboard csv", f"{name}:{wanted}"[:200], rows=len(plot.rows))
        headers = {"Content-Disposition": f'attachment; filename="{wanted}.csv"'}
        return HttpResponse(plot.as_csv(), content_type="text/csv; charset=utf-8", headers=headers)
    query = request.GET.copy()
    query.pop("csv", None)
    page = {
        "choice": choice,
        "plots": plots,
        "concluded": [(plot, conclusion(plot)) for plot in plots],
        "filters": filters(choice),
        "page": name,
        "query": query.urlencode(),
        **more,
    }
    return TemplateResponse(request, f"review/dashboard/{name}.html", page)


def _in_english(found: Comparison | None) -> str:
    """The sentences of `leakscreen compare`, for those who read English; the table says the same to all."""
    english = (get_language() or "en").startswith("en")
    return in_words(found) if found and english and any(map(_is_known, (found.rtpf, found.rfpf))) else ""


def _is_known(ratio: Ratio) -> bool:
    return ratio.both + ratio.first_only + ratio.second_only > 0
