"""Logging in with a password and out, and changing one's own password."""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy

from review.accounts import lockout
from review.accounts.oidc.views import log_in_options
from review.audit import record
from review.middleware import open_to_all

LOCKED_STATUS = 429


class _SignIn(LoginView):
    template_name = "review/login.html"
    redirect_authenticated_user = False

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), **log_in_options()}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LEAKSCREEN.oidc.passwords:
            record(_known(self._who()[0]), "log-in refused", "no passwords", address=self._who()[1])
            raise PermissionDenied
        if lockout.is_locked(*self._who()):
            record(_known(self._who()[0]), "log-in refused", "locked", address=self._who()[1])
            page = self.get_context_data(form=self.get_form_class()(request), locked=True)
            return self.render_to_response(page, status=LOCKED_STATUS)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        lockout.failed(*self._who())
        record(_known(self._who()[0]), "log-in failed", address=self._who()[1])
        return super().form_invalid(form)

    def form_valid(self, form: Any) -> HttpResponse:
        lockout.succeeded(self._who()[0])
        return super().form_valid(form)

    def _who(self) -> tuple[str, str]:
        return lockout.cleaned(self.request.POST.get("username", "")), self.request.META.get("REMOTE_ADDR", "")


class _NewPassword(PasswordChangeView):
    template_name = "review/password.html"
    success_url = reverse_lazy("home")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        record(self.request.user.get_username(), "password", f"user:{self.request.user.pk}")
        return response


def _known(username: str) -> str:
    """People type passwords where names belong; only names that exist are written down."""
    return username if get_user_model().objects.filter(username=username).exists() else "(unknown)"


sign_in = open_to_all(_SignIn.as_view())
sign_out = LogoutView.as_view()
password = _NewPassword.as_view()
