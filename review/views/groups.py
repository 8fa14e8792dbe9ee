"""Files that are alike as one: what they are, its members, and one verdict for those that somebody chooses."""

import secrets

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from review.accounts.roles import Role, allowed
from review.audit import record
from review.groups.judging import judge_group, members_of
from review.models import Finding, ReferralPath, Verdict
from review.translation import gettext as _
from review.translation import gettext_noop, ngettext
from review.views.referral import card

_VERDICTS = ((Verdict.PHI, "PHI", "P"), (Verdict.NOT_PHI, gettext_noop("Not PHI"), "N"))
_TOKEN = 32


@require_safe
@allowed(Role.REVIEWER, Role.ADJUDICATOR, Role.MANAGER)
def group(request: HttpRequest, pk: str) -> HttpResponse:
    members = members_of(pk, request.user)
    if not members:
        raise Http404
    ids = [member.referral.pk for member in members]
    findings = Finding.objects.only("owner", "people", "media_type").in_bulk(ids)
    paths: dict[str, str] = {}
    for referral, uri in (
        ReferralPath.objects.filter(referral__in=ids).order_by("-current", "uri").values_list("referral", "uri")
    ):
        paths.setdefault(referral, uri)
    record(request.user.get_username(), "group sight", f"group:{pk}"[:200], shown=len(members))
    page = {
        **card(members[0].referral),
        "members": [(each, paths.get(each.referral.pk, ""), findings.get(each.referral.pk)) for each in members],
        "waiting": sum(member.waits for member in members),
        "group": pk,
        "choices": [(verdict.value, label, key) for verdict, label, key in _VERDICTS],
        "token": secrets.token_hex(_TOKEN // 2),
    }
    return render(request, "review/group.html", page)


@require_POST
@allowed(Role.REVIEWER, Role.ADJUDICATOR)
def judge(request: HttpRequest, pk: str) -> HttpResponse:
    if not members_of(pk, request.user):
        raise Http404
    verdict, token = request.POST.get("verdict", ""), request.POST.get("token", "")
    chosen = frozenset(request.POST.getlist("members"))
    if verdict not in {choice.value for choice, _, _ in _VERDICTS} or not 16 <= len(token) <= _TOKEN or not chosen:
        messages.error(request, _("Choose at least one file, and PHI or not PHI."))
        return redirect("group", pk=pk)
    judged, refused = judge_group(pk, request.user, Verdict(verdict), token, chosen)
    words = ngettext("%s file judged as a group.", "%s files judged as a group.", judged) % judged
    gone = " " + ngettext("%s no longer waited for you.", "%s no longer waited for you.", refused) % refused
    messages.success(request, words + (gone if refused else ""))
    return redirect("group", pk=pk)
