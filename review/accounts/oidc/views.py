"""Sends people to the provider, and logs them in when they come back."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from review.accounts.oidc.accounts import RefusedError, account_of
from review.accounts.oidc.provider import Provider, ProviderError
from review.audit import record
from review.middleware import OIDC_UNTIL, open_to_all

_NEXT = "oidc_next"
_BACKEND = "django.contrib.auth.backends.ModelBackend"
_REFUSED, _UNREACHABLE = 403, 502
_NO_ANSWER = "The log-in service is not available now. Try again later; if that does not help, tell the administrator."
_BROKEN_OFF = "The log-in was interrupted, or took too long. Try again."


@open_to_all
@require_safe
def leave(request: HttpRequest) -> HttpResponse:
    provider = _provider()
    request.session[_NEXT] = request.GET.get("next", "")[:2_000]
    try:
        return provider.client().authorize_redirect(request, _address(request))
    except Exception as error:
        return _failed(request, error)


@open_to_all
@require_safe
def come_back(request: HttpRequest) -> HttpResponse:
    provider = _provider()
    try:
        user = account_of(provider, provider.claims(provider.client(), request))
    except RefusedError as refusal:
        record(refusal.who, "log-in refused", refusal.why, address=_from(request), by="provider")
        return _refusal(request, str(refusal), _REFUSED)
    except Exception as error:
        return _failed(request, error)
    onward = request.session.pop(_NEXT, "")
    login(request, user, backend=_BACKEND)
    request.session[OIDC_UNTIL] = (datetime.now(UTC) + timedelta(hours=provider.settings.hours)).timestamp()
    safe = url_has_allowed_host_and_scheme(onward, allowed_hosts=None)
    return redirect(onward if safe and onward.startswith("/") else "home")


def _failed(request: HttpRequest, error: Exception) -> HttpResponse:
    """Any error means no log-in; the log names the kind of error, never what was sent."""
    from requests import RequestException

    why = str(error) if isinstance(error, ProviderError) else type(error).__name__
    record("(unknown)", "log-in failed", "provider", address=_from(request), why=why)
    if isinstance(error, RequestException | ProviderError):
        return _refusal(request, _NO_ANSWER, _UNREACHABLE)
    return _refusal(request, _BROKEN_OFF, _REFUSED)


def _refusal(request: HttpRequest, words: str, status: int) -> HttpResponse:
    return render(request, "review/login.html", {"refused": words, **log_in_options()}, status=status)


def log_in_options() -> dict[str, Any]:
    """For the log-in page: the provider's name, and whether passwords are accepted too."""
    oidc = settings.LEAKSCREEN.oidc
    return {"provider": oidc.label if settings.OIDC_PROVIDER else "", "passwords": oidc.passwords}


def _provider() -> Provider:
    provider: Provider | None = settings.OIDC_PROVIDER
    if provider is None:
        raise Http404
    return provider


def _address(request: HttpRequest) -> str:
    """The address that the provider sends people back to; it must be registered there."""
    path, url = reverse("oidc-back"), settings.LEAKSCREEN.review.url
    return f"{url.rstrip('/')}{path}" if url else str(request.build_absolute_uri(path))


def _from(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))
