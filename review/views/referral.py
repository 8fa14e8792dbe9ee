"""One referral: why it was referred, and the reviewer's verdict."""

import secrets
import time
from datetime import timedelta
from itertools import groupby
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from review.accounts.roles import Role, allowed, roles_of
from review.audit import record
from review.ignoring.ignoring import allow_list, folders_of
from review.middleware import with_pictures
from review.models import Case, Finding, Queue, Referral, State, Verdict, Vote
from review.referrals.blind import is_hidden
from review.referrals.leases import closed_queues, lease_to, release, take_next, waiting_for
from review.referrals.reason_in_words import reason_in_words
from review.referrals.voting import Judgement, NotYoursError, can_undo, decide, part_for, undo, votes_of_round
from review.templatetags.wording import words
from review.translation import gettext as _
from review.translation import gettext_noop, ngettext, number

_PATHS_SHOWN = 100
_SKIPPED_KEPT = 200
_TOKEN = 32
_COUNT_SECONDS = 60
_IGNORED_DAYS = 90
_CHOICES = (
    (Verdict.PHI, "PHI", "p"),
    (Verdict.NOT_PHI, gettext_noop("Not PHI"), "n"),
    (Verdict.UNSURE, gettext_noop("Unsure"), "u"),
    (Verdict.CANNOT_TELL, gettext_noop("Cannot tell"), "c"),
)


@require_safe
@allowed(Role.REVIEWER, Role.ADJUDICATOR, Role.MANAGER)
def referral(request: HttpRequest, pk: str) -> HttpResponse:
    with transaction.atomic():
        referral = visible(
            request, pk, Referral.objects.select_for_update(of=("self",)).select_related("queue", "last_scan")
        )
        part, why_not = my_part(referral, request.user)
        if part and referral.wants and request.user.pk not in (referral.first_reviewer_id, referral.second_reviewer_id):
            lease_to(referral, request.user)
        record(request.user.get_username(), "sight", f"referral:{referral.pk}", round=referral.round)
    page = render(
        request,
        "review/referral.html",
        {
            **card(referral),
            "shows_passage": shows_passage(referral, request.user),
            "alike": _alike(referral, request.user),
            **_place(request, referral if part else None),
            **_form(referral, request.user),
            **standing_for(referral, request.user, part, why_not, request),
            **(_ignorable(referral) if Role.MANAGER in roles_of(request.user) else {}),
        },
    )
    return with_pictures(page)


@require_POST
@allowed(Role.REVIEWER, Role.ADJUDICATOR)
def judge(request: HttpRequest, pk: str) -> HttpResponse:
    verdict, token = request.POST.get("verdict", ""), request.POST.get("token", "")
    if verdict not in {choice.value for choice, _, _ in _CHOICES} or not 16 <= len(token) <= _TOKEN:
        messages.error(request, _("Choose one of the four verdicts."))
        return redirect("referral", pk=pk)
    finding = Finding.objects.filter(pk=pk).first()
    there = tuple(
        characteristic
        for characteristic in request.POST.getlist("characteristics")
        if finding and characteristic in finding.counts
    )
    visible(request, pk)
    try:
        vote = decide(pk, request.user, Judgement(Verdict(verdict), token, there, request.POST.get("note", "")))
    except NotYoursError as error:
        messages.error(request, str(error))
        return redirect("referral", pk=pk)
    if request.session.get("last_vote") != vote.pk:
        request.session["judged"] = request.session.get("judged", 0) + 1
    request.session["last_vote"] = vote.pk
    return _next(request)


@require_POST
@allowed(Role.REVIEWER, Role.ADJUDICATOR)
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    vote = get_object_or_404(Vote, pk=pk, reviewer=request.user)
    visible(request, vote.referral_id)
    try:
        undo(vote.pk, request.user)
    except NotYoursError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Your vote was withdrawn. Judge again."))
        request.session.pop("last_vote", None)
        request.session["judged"] = max(0, request.session.get("judged", 0) - 1)
    return redirect("referral", pk=vote.referral_id)


@require_POST
@allowed(Role.REVIEWER, Role.ADJUDICATOR)
def next_one(request: HttpRequest) -> HttpResponse:
    skipped = request.POST.get("skip", "")
    if skipped:
        release(skipped, request.user)
        request.session["skipped"] = [*request.session.get("skipped", []), skipped[:_TOKEN]][-_SKIPPED_KEPT:]
    chosen = request.POST.get("queue")
    if chosen is not None:
        request.session["queue"] = chosen if chosen.isdecimal() else ""
        request.session.pop("counted_until", None)
        request.session["skipped"] = [skipped[:_TOKEN]] if skipped else []
    return _next(request)


def _next(request: HttpRequest) -> HttpResponse:
    chosen = request.session.get("queue") or ""
    queue = Queue.objects.filter(pk=chosen).first() if chosen else None
    referral = take_next(request.user, queue, request.session.get("skipped", []))
    if referral is None:
        messages.success(request, _("Nothing else is waiting for you here."))
        return redirect("home")
    return redirect("referral", pk=referral.pk)


def undoable(request: HttpRequest) -> int | None:
    """The last vote of this session, as long as it can be taken back."""
    last = request.session.get("last_vote")
    return last if last and can_undo(last, request.user) else None


def visible(request: HttpRequest, pk: str, rows: Any = Referral.objects) -> Any:
    """The referral, unless it is in a queue of other people; then there is nothing here."""
    return get_object_or_404(rows.exclude(queue__in=closed_queues(request.user)), pk=pk)


def visible_case(request: HttpRequest, pk: str) -> Case:
    """The case of a referral, unless that is in a queue of other people."""
    rows = Case.objects.select_related("referral__queue", "assignee")
    found: Case = get_object_or_404(rows.exclude(referral__queue__in=closed_queues(request.user)), pk=pk)
    return found


def may_reveal(referral: Referral, user: Any) -> bool:
    """Whoever only adjudicates reads what is disputed, and nothing else."""
    return Role.REVIEWER in roles_of(user) or (Role.ADJUDICATOR in roles_of(user) and referral.state == State.DISPUTED)


def shows_passage(referral: Referral, user: Any) -> bool:
    """The text around the values is the file's own: for those who may reveal it, and not of what is judged blind."""
    return settings.LEAKSCREEN.review.show_passage and may_reveal(referral, user) and not is_hidden(referral)


def card(found: Referral) -> dict[str, Any]:
    """Why it was referred; of what is judged blind only what every file has."""
    hidden = is_hidden(found)
    finding = Finding.objects.filter(pk=found.pk).first()
    paths = list(found.paths.order_by("-current", "uri")[: _PATHS_SHOWN + 1])
    rules = sorted(finding.rules, key=lambda rule: (rule["distance"], rule["rule"])) if finding else []
    return {
        "referral": found,
        "hidden": hidden,
        "finding": finding,
        "reason": _reason(finding) if finding and not hidden else "",
        "paths": paths[:_PATHS_SHOWN],
        "more_paths": len(paths) > _PATHS_SHOWN,
        "rules": rules,
        "nearest": rules[0] if rules else None,
        "counts": sorted(finding.counts.items(), key=lambda entry: (-entry[1], entry[0]))
        if finding and not hidden
        else [],
        **(_pieces(finding) if finding and not hidden else {}),
        "history": list(found.votes.filter(round__lt=found.round).select_related("reviewer").order_by("number")),
        "previous": found.previous,
    }


def _alike(found: Referral, user: Any) -> int:
    """How many other files of its group this person may see; of what is judged blind nothing is said."""
    if not found.group or is_hidden(found):
        return 0
    rows = Referral.objects.filter(group=found.group).exclude(queue__in=closed_queues(user)).exclude(pk=found.pk)
    return int(rows.exclude(blind=True, state__in=(State.WAITING, State.SECOND, State.DISPUTED)).count())


def _ignorable(found: Referral) -> dict[str, Any]:
    """Folders around it, and its values, masked; nothing where no allow list is set, or it is judged blind."""
    finding = Finding.objects.filter(pk=found.pk).first()
    if not allow_list() or is_hidden(found) or finding is None:
        return {}
    uris = found.paths.filter(current=True).values_list("uri", flat=True)[:_PATHS_SHOWN]
    folders = list(dict.fromkeys(folder for uri in uris for folder in folders_of(uri)))
    values = {
        f"value:{piece['characteristic']}:{piece['hmac']}": f"{words(piece['characteristic'])} {piece['masked']}"
        for piece in finding.evidence
    }
    choices = [*((f"folder:{folder}", _("folder %s") % folder) for folder in folders), *values.items()]
    return {"ignorable": choices, "ignore_until": timezone.now().date() + timedelta(days=_IGNORED_DAYS)}


def _reason(finding: Finding) -> str:
    """Results of older versions do not name the passage that decided; then the file as a whole is described."""
    if finding.strongest:
        return reason_in_words(finding)
    kinds, terms = len(finding.counts), len(finding.terms)
    people = ngettext("%s person", "%s people", finding.persons) % number(finding.persons)
    return _("The file identifies %(people)s with %(kinds)s, and mentions %(terms)s.") % {
        "people": people if finding.persons else _("somebody"),
        "kinds": ngettext("%s kind of details", "%s kinds of details", kinds) % kinds,
        "terms": ngettext("%s health term", "%s health terms", terms) % terms,
    }


def _pieces(finding: Finding) -> dict[str, Any]:
    """What the deciding passage holds, and what is elsewhere in the file."""
    there = [piece for piece in finding.evidence if finding.strongest and piece.get("passage") == finding.strongest]
    elsewhere = [piece for piece in finding.evidence if piece not in there] if there else []
    return {
        "passage": by_person(there or finding.evidence),
        "decided_in": finding.strongest if there else "",
        "elsewhere": by_person(elsewhere),
        "elsewhere_count": len(elsewhere),
    }


def by_person(evidence: list[dict[str, Any]]) -> list[tuple[int, list[tuple[str, list[dict[str, Any]]]]]]:
    """Evidence of one person together, and within that of one place; what is nobody's comes last."""
    ordered = sorted(evidence, key=lambda piece: (piece.get("person", 0) == 0, piece.get("person", 0)))
    return [
        (number, _by_place(list(pieces)))
        for number, pieces in groupby(ordered, key=lambda piece: int(piece.get("person", 0)))
    ]


def _by_place(pieces: list[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    places: dict[str, list[dict[str, Any]]] = {}
    for piece in pieces:
        places.setdefault(piece.get("where") or "", []).append(piece)
    return [(place, sorted(each, key=lambda piece: int(piece["start"]))) for place, each in places.items()]


def _form(found: Referral, user: Any) -> dict[str, Any]:
    """The form as this person filled it in the last time, also where that vote was undone."""
    votes = found.votes.filter(round=found.round, reviewer=user).exclude(verdict=Verdict.WITHDRAWN)
    before = votes.select_related("note").order_by("-number").first()
    return {
        "ticked": before.characteristics if before else [],
        "noted": before.note.text if before and hasattr(before, "note") else "",
        "choices": [(verdict.value, label, key) for verdict, label, key in _CHOICES],
        "token": secrets.token_hex(_TOKEN // 2),
    }


def _place(request: HttpRequest, found: Referral | None) -> dict[str, int]:
    """This is the 12th of 61: what was judged since the log-in, and what waits for this person in the chosen queue."""
    if found is None or request.user.pk in (found.first_reviewer_id, found.second_reviewer_id) or not found.wants:
        return {}
    done, chosen = int(request.session.get("judged", 0)), request.session.get("queue") or ""
    if time.time() > request.session.get("counted_until", 0):  # counting 100,000 takes longer than the rest of the page
        waiting = waiting_for(request.user)
        request.session["of"] = done + (waiting[int(chosen)] if chosen else waiting.total())
        request.session["counted_until"] = time.time() + _COUNT_SECONDS
    return {"at": done + 1, "of": max(done + 1, int(request.session["of"]))}


def my_part(found: Referral, user: Any) -> tuple[str, str]:
    try:
        return part_for(found, user, votes_of_round(found)).value, ""
    except NotYoursError as error:
        return "", str(error)


def standing_for(found: Referral, user: Any, part: str, why_not: str, request: HttpRequest) -> dict[str, Any]:
    """A reviewer sees the votes of others only after the decision."""
    roles = roles_of(user)
    open_book = (
        found.state == State.DECIDED or part == "adjudication" or (Role.MANAGER in roles and Role.REVIEWER not in roles)
    )
    votes = (
        list(found.votes.filter(round=found.round).select_related("reviewer", "note").order_by("number"))
        if open_book
        else []
    )
    mine = found.votes.filter(round=found.round, reviewer=user).order_by("-number").first()
    return {
        "part": part,
        "why_not": why_not,
        "votes": votes,
        "mine": mine if mine and can_undo(mine.pk, user) else None,
        "last_vote": undoable(request),
        "decided": found.state == State.DECIDED,
        "case": Case.objects.select_related("assignee").filter(pk=found.pk).first() if open_book else None,
        "may_reveal": may_reveal(found, user),
    }
