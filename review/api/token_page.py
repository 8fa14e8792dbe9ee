"""The tokens of the API, for managers: make one, which is shown once, and revoke one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import format_lazy
from django.views.decorators.http import require_http_methods, require_POST

from review.accounts.roles import Role, allowed
from review.api.scope import WORDS
from review.api.tokens import LONGEST_DAYS, make_token, revoke_token, state_of
from review.models import ApiToken
from review.translation import gettext, gettext_lazy

_SCOPES = [(scope.value, format_lazy("{}: {}", scope.value, gettext_lazy(words))) for scope, words in WORDS.items()]
_DAYS = 90


class TokenForm(forms.Form):
    name = forms.CharField(max_length=100, label=gettext_lazy("What it is for"))
    owner = forms.ModelChoiceField(
        get_user_model().objects.filter(is_active=True).order_by("username"),
        empty_label=gettext_lazy("choose"),
        label=gettext_lazy("Acts for"),
        to_field_name="username",
    )
    scopes = forms.MultipleChoiceField(
        choices=_SCOPES, widget=forms.CheckboxSelectMultiple, label=gettext_lazy("Scopes")
    )
    days = forms.IntegerField(min_value=1, max_value=LONGEST_DAYS, initial=_DAYS, label=gettext_lazy("Valid for days"))


@require_http_methods(["GET", "HEAD", "POST"])
@allowed(Role.MANAGER)
def tokens(request: HttpRequest) -> HttpResponse:
    form = TokenForm(request.POST or None)
    shown: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        manager = request.user.get_username()
        token, secret = make_token(data["owner"], data["name"], data["scopes"], data["days"], manager)
        shown, form = {"token": token, "secret": secret}, TokenForm()
    rows = [(token, state_of(token)) for token in ApiToken.objects.select_related("owner")]
    return render(request, "review/tokens.html", {"form": form, "rows": rows, **shown})


@require_POST
@allowed(Role.MANAGER)
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    token = revoke_token(get_object_or_404(ApiToken, pk=pk).pk, request.user.get_username())
    messages.success(request, gettext("%s was revoked.") % token.name)
    return redirect("tokens")
