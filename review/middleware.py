"""Responses -> strict security headers; requests -> those of logged-in users, unless their view is open."""

import math
import time
from collections.abc import Callable
from typing import Any

from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
PICTURES = POLICY.replace("img-src 'self'", "img-src 'self' data:")  # of a page that came within the answer
OIDC_UNTIL = "oidc_until"  # in the session of a single sign-on: when it has to be renewed
Next = Callable[[HttpRequest], HttpResponse]


def open_to_all(view: Any) -> Any:
    view.open_to_all = True
    return view


def with_pictures(response: HttpResponse) -> HttpResponse:
    """For the pages on which a revealed page is shown: it has no address of its own."""
    response.holds_pictures = True
    return response


class SecurityHeaders:
    def __init__(self, get_response: Next) -> None:
        self._next = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._next(request)
        response["Content-Security-Policy"] = PICTURES if getattr(response, "holds_pictures", False) else POLICY
        response["X-Frame-Options"] = "DENY"
        response["Permissions-Policy"] = "camera=(), microphone=(), geolocation=(), clipboard-read=()"
        response["Cross-Origin-Resource-Policy"] = "same-origin"
        response.setdefault("Cache-Control", "no-store")
        return response


class ReadersLanguage(LocaleMiddleware):
    """As the browser asks for it; programs are answered in English."""

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info.startswith("/api/"):
            translation.activate("en")
            request.LANGUAGE_CODE = "en"
        else:
            super().process_request(request)


class LoginEverywhere:
    """A view requires a log-in unless it is marked as open."""

    def __init__(self, get_response: Next) -> None:
        self._next = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._next(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if request.session.get(OIDC_UNTIL, math.inf) < time.time():
            logout(request)
        if request.user.is_authenticated or getattr(view, "open_to_all", False):
            return None
        if request.method == "GET":
            return redirect_to_login(request.get_full_path())
        return redirect_to_login("/")
