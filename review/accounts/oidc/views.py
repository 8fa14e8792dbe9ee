"""Sending people to the provider, and taking them in when they come back."""

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
_NO_ANSWER = "The log-in service cannot be used just now. Try again; if it stays so, tell who looks after this service."
_BROKEN_OFF = "The log-in was broken off, or took too long. Try again."


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
        return _told(request, str(refusal), _REFUSED)
    except Exception as error:
        return _failed(request, error)
    onward = request.session.pop(_NEXT, "")
    login(request, user, backend=_BACKEND)
    request.session[OIDC_UNTIL] = (datetime.now(UTC) + timedelta(hours=provider.settings.hours)).timestamp()
    safe = url_has_allowed_host_and_scheme(onward, allowed_hosts=None)
    return redirect(onward if safe and onward.startswith("/") else "home")


def _failed(request: HttpRequest, error: Exception) -> HttpResponse:
    """Whatever goes wrong between the two, nobody is let in; the log names the kind of fault, never what was sent."""
    from requests import RequestException

    why = str(error) if isinstance(error, ProviderError) else type(error).__name__
    record("(unknown)", "log-in failed", "provider", address=_from(request), why=why)
    if isinstance(error, RequestException | ProviderError):
        return _told(request, _NO_ANSWER, _UNREACHABLE)
    return _told(request, _BROKEN_OFF, _REFUSED)


def _told(request: HttpRequest, words: str, status: int) -> HttpResponse:
    return render(request, "review/login.html", {"refused": words, **log_in_options()}, status=status)


def log_in_options() -> dict[str, Any]:
    """For the log-in page: what the provider is called, and whether a password opens the door too."""
    given = settings.LEAKSCREEN.oidc
    return {"provider": given.label if settings.OIDC_PROVIDER else "", "passwords": given.passwords}


def _provider() -> Provider:
    found: Provider | None = settings.OIDC_PROVIDER
    if found is None:
        raise Http404
    return found


def _address(request: HttpRequest) -> str:
    """Where the provider sends people back to; it has to be on the provider's list."""
    path, url = reverse("oidc-back"), settings.LEAKSCREEN.review.url
    return f"{url.rstrip('/')}{path}" if url else str(request.build_absolute_uri(path))


def _from(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))
