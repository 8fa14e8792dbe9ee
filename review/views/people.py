"""Who works here and in which roles; for managers."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from review.accounts import lockout
from review.accounts.roles import Role, allowed
from review.audit import record
from review.models import OidcIdentity, Queue
from review.translation import gettext as _
from review.translation import gettext_lazy as lazy

_ROLES = [(role.value, lazy(role.value)) for role in Role]


def uses_single_sign_on(person: Any) -> bool:
    """Whether the provider decides about the person's name, roles and log-in."""
    return person is not None and OidcIdentity.objects.filter(user=person).exists()


class PersonForm(forms.Form):
    username = forms.RegexField(r"^[\w.@+-]+\Z", max_length=150, label=lazy("User name"))
    email = forms.EmailField(required=False, label=lazy("E-mail"))
    roles = forms.MultipleChoiceField(
        choices=_ROLES, required=False, widget=forms.CheckboxSelectMultiple, label=lazy("Roles")
    )
    queues = forms.ModelMultipleChoiceField(
        Queue.objects.all(), required=False, widget=forms.CheckboxSelectMultiple, label=lazy("Queues")
    )
    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), required=False, strip=False
    )
    active = forms.BooleanField(required=False, initial=True, label=lazy("May log in"))

    def __init__(self, *args: Any, person: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        self.fields["password"].required = person is None
        self.fields["password"].label = _("Password") if person is None else _("New password (empty: no change)")
        if uses_single_sign_on(person):
            for name in ("username", "roles"):
                self.fields[name].disabled = True
            del self.fields["password"]

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        others = get_user_model().objects.filter(username__iexact=name)
        if others.exclude(pk=self.person.pk if self.person else None).exists():
            raise forms.ValidationError(_("Another person has this name."))
        return name

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if password:
            validate_password(password)
        return password


@require_safe
@allowed(Role.MANAGER)
def people(request: HttpRequest) -> HttpResponse:
    everybody = get_user_model().objects.prefetch_related("groups", "queues").order_by("username")
    rows = [(user, sorted(group.name for group in user.groups.all())) for user in everybody]
    return render(request, "review/people.html", {"people": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@allowed(Role.MANAGER)
def person(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    person = get_object_or_404(get_user_model(), pk=pk) if pk is not None else None
    form = PersonForm(request.POST or None, person=person, initial=_initial(person) if person else None)
    if request.method == "POST" and form.is_valid():
        if person is not None and person.pk == request.user.pk and not _stays_manager(form):
            messages.error(request, _("You cannot remove your own role or log-in; another manager can."))
        else:
            saved = _save(form, person, request.user.get_username())
            messages.success(request, _("%s was saved.") % saved.get_username())
            return redirect("people")
    elsewhere = settings.LEAKSCREEN.oidc.label if uses_single_sign_on(person) else ""
    return render(request, "review/person.html", {"form": form, "person": person, "elsewhere": elsewhere})


def _stays_manager(form: PersonForm) -> bool:
    return Role.MANAGER.value in form.cleaned_data["roles"] and form.cleaned_data["active"]


def _initial(known: Any) -> dict[str, Any]:
    return {
        "username": known.get_username(),
        "email": known.email,
        "roles": list(known.groups.values_list("name", flat=True)),
        "queues": list(known.queues.all()),
        "active": known.is_active,
    }


@transaction.atomic
def _save(form: PersonForm, known: Any, manager: str) -> Any:
    data = form.cleaned_data
    saved = known or get_user_model()()
    before = _initial(known) if known else {}
    saved.username, saved.email, saved.is_active = data["username"], data["email"], data["active"]
    if data.get("password"):
        saved.set_password(data["password"])
        lockout.unlock(saved.username)
    saved.save()
    saved.groups.set(Group.objects.filter(name__in=data["roles"]))
    saved.queues.set(data["queues"])
    changes = {
        "new": known is None,
        "roles": sorted(data["roles"]),
        "roles_before": sorted(before.get("roles", [])),
        "active": data["active"],
        "password": bool(data.get("password")),
        "queues": sorted(queue.name for queue in data["queues"]),
    }
    record(manager, "person", f"user:{saved.pk}", **changes)
    return saved
