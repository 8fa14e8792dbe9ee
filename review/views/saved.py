"""Searches that somebody keeps: saved under a name, opened by an address of their own, and removed."""

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


@require_POST
@allowed(*_READERS)
def save(request: HttpRequest) -> HttpResponse:
    query = urlencode(chosen_in(QueryDict(request.POST.get("query", ""))))
    name = " ".join(request.POST.get("name", "").replace("\0", "").split())[:_LONGEST]
    mine = SavedView.objects.filter(owner=request.user)
    if not name:
        messages.error(request, _("A view needs a name."))
    elif mine.exclude(name=name).count() >= _MOST:
        messages.error(request, _("You have %s views; remove one first.") % _MOST)
    else:
        values = {"query": query, "shared": "shared" in request.POST}
        saved, _made = SavedView.objects.update_or_create(owner=request.user, name=name, defaults=values)
        record(request.user.get_username(), "view saved", f"view:{saved.pk}", shared=saved.shared)
        return redirect("view", pk=saved.pk)
    return redirect(f"{reverse('list')}?{query}")


@require_POST
@allowed(*_READERS)
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    saved = get_object_or_404(SavedView, owner=request.user, pk=pk)
    record(request.user.get_username(), "view removed", f"view:{saved.pk}")
    saved.delete()
    return redirect("list")
