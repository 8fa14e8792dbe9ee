"""Searches that somebody keeps: saved under a name, opened by an address of their own, and removed."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from review.accounts.roles import Role, allowed
from review.audit import record
from review.models import SavedView
from review.translation import gettext as _
from review.views.listing import chosen_in

_READERS = (Role.REVIEWER, Role.ADJUDICATOR, Role.MANAGER)
_LONGEST = 80
_MOST = 50


@require_safe
@allowed(*_READERS)
def view(request: HttpRequest, pk: int) -> HttpResponse:
    """An address that stays the same when its owner saves the view anew."""
    saved = get_object_or_404(SavedView, Q(owner=request.user) | Q(shared=True), pk=pk)
    return redirect(f"{reverse('list')}?{saved.query}&view={saved.pk}")


class NotSavedError(Exception):
    """The view is not kept; the message says why."""


@require_POST
@allowed(*_READERS)
def save(request: HttpRequest) -> HttpResponse:
    sent = request.POST
    try:
        saved = save_view(request.user, sent.get("name", ""), sent.get("query", ""), shared="shared" in sent)
    except NotSavedError as error:
        messages.error(request, str(error))
        return redirect(f"{reverse('list')}?{_query(sent.get('query', ''))}")
    return redirect("view", pk=saved.pk)


def save_view(owner: Any, name: str, query: str, *, shared: bool) -> SavedView:
    """Under a name of its owner; one that is there is replaced."""
    name = " ".join(name.replace("\0", "").split())[:_LONGEST]
    if not name:
        raise NotSavedError(_("A view needs a name."))
    if SavedView.objects.filter(owner=owner).exclude(name=name).count() >= _MOST:
        raise NotSavedError(_("You have %s views; remove one first.") % _MOST)
    values = {"query": _query(query), "shared": shared}
    saved: SavedView = SavedView.objects.update_or_create(owner=owner, name=name, defaults=values)[0]
    record(owner.get_username(), "view saved", f"view:{saved.pk}", shared=saved.shared)
    return saved


def _query(given: str) -> str:
    return urlencode(chosen_in(QueryDict(given)))


@require_POST
@allowed(*_READERS)
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    remove_view(request.user, pk)
    return redirect("list")


def remove_view(owner: Any, pk: int) -> None:
    saved = get_object_or_404(SavedView, owner=owner, pk=pk)
    record(owner.get_username(), "view removed", f"view:{saved.pk}")
    saved.delete()
