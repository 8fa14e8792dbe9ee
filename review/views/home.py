"""The first page: what waits, what was done, and what to do next where there is nothing yet."""

from datetime import datetime

from django.contrib.auth import get_user_model
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from review.accounts.roles import Role, allowed, roles_of
from review.cases.cases import IN_WORK
from review.middleware import open_to_all
from review.models import Awaiting, Case, Referral, Scan, State
from review.referrals.counts import counts_by_queue
from review.referrals.leases import closed_queues, waiting_for
from review.views.referral import undoable


@require_safe
@allowed(*Role)
def home(request: HttpRequest) -> HttpResponse:
    queues = counts_by_queue(without=closed_queues(request.user))
    known = {
        Awaiting.REVIEW: {counts.queue.pk: counts.waiting for counts in queues},
        Awaiting.ADJUDICATION: {counts.queue.pk: counts.disputed for counts in queues},
    }
    mine = waiting_for(request.user, known)
    reviewers = get_user_model().objects.filter(is_active=True, groups__name=Role.REVIEWER)
    last_scan = Scan.objects.order_by("-started").first()
    in_work = Case.objects.filter(assignee=request.user, state__in=IN_WORK)
    cases = in_work.aggregate(all=Count("pk"), late=Count("pk", filter=Q(due__lt=timezone.now().date())))
    page = {
        "queues": [(counts, mine[counts.queue.pk]) for counts in queues],
        "mine": mine.total(),
        "open": sum(counts.open for counts in queues),
        "blind": any(counts.blind for counts in queues),
        "decided": sum(counts.decided for counts in queues),
        "oldest": _oldest([counts.queue.pk for counts in queues]),
        "last_scan": last_scan,
        "nothing_yet": last_scan is None,
        "works": bool(roles_of(request.user) & {Role.REVIEWER, Role.ADJUDICATOR}),
        "reviewers": reviewers.count(),
        "last_vote": undoable(request),
        "cases": cases["all"],
        "cases_late": cases["late"],
    }
    return render(request, "review/home.html", page)


def _oldest(queues: list[int]) -> datetime | None:
    """When what waits longest was asked for: the first row of an index for each state."""
    rows = Referral.objects.filter(queue__in=queues)
    firsts = (
        rows.filter(state=state).order_by("asked", "pk").values_list("asked", flat=True).first()
        for state in (State.WAITING, State.SECOND, State.DISPUTED)
    )
    return min((asked for asked in firsts if asked is not None), default=None)


@open_to_all
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """For load balancers: nothing but that the service answers."""
    return HttpResponse("ok\n", content_type="text/plain")
