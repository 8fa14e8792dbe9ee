"""Errors of the API -> one shape, application/problem+json (RFC 9457); answers to GET -> the same with an ETag."""

import hashlib
import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from ninja import NinjaAPI
from ninja.errors import HttpError, Throttled, ValidationError

from review.cases.cases import CaseError
from review.ignoring.ignoring import IgnoreError
from review.referrals.voting import NotYoursError
from review.views.saved import NotSavedError

ROOT = "/api/"
MEDIA_TYPE = "application/problem+json"
_WORDS = {
    HTTPStatus.UNAUTHORIZED: "Send a valid token: Authorization: Bearer lsk_...",
    HTTPStatus.NOT_FOUND: "There is nothing here that you may see.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not know this method.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The database does not answer. Nothing was saved; try again in a moment.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "No partial change was saved. The log of the service says where the error is.",
}


def problem(status: int, detail: str = "", **more: Any) -> HttpResponse:
    known = HTTPStatus(status)
    body = {
        "type": "about:blank",
        "title": known.phrase,
        "status": status,
        "detail": detail or _WORDS.get(known, known.description or known.phrase),
        **more,
    }
    response = HttpResponse(json.dumps(body), status=status, content_type=MEDIA_TYPE)
    if known is HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    return response


def answer_problems(api: NinjaAPI) -> None:
    """Exceptions of operations; what happens around them is answered by ApiAnswers."""

    def on(kind: type[Exception]) -> Callable[[Any], Any]:
        return api.exception_handler(kind)

    @on(ValidationError)
    def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        """Says where and why, and never repeats what was sent."""
        places = [{"where": ".".join(map(str, fault["loc"])), "why": fault["msg"]} for fault in error.errors]
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "The request is not as described.", errors=places)

    @on(Throttled)
    def _too_many(request: HttpRequest, error: Throttled) -> HttpResponse:
        response = problem(HTTPStatus.TOO_MANY_REQUESTS, f"Too many requests; wait {error.wait} s.")
        response["Retry-After"] = str(error.wait)
        return response

    @on(HttpError)
    def _refused(request: HttpRequest, error: HttpError) -> HttpResponse:
        return problem(error.status_code, "" if error.status_code == HTTPStatus.UNAUTHORIZED else error.message)

    @on(Http404)
    def _nothing(request: HttpRequest, error: Http404) -> HttpResponse:
        return problem(HTTPStatus.NOT_FOUND)

    @on(PermissionDenied)
    def _denied(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
        return problem(HTTPStatus.FORBIDDEN)

    @on(NotYoursError)
    @on(CaseError)
    @on(IgnoreError)
    @on(NotSavedError)
    def _not_accepted(request: HttpRequest, error: Exception) -> HttpResponse:
        return problem(HTTPStatus.CONFLICT, str(error))


class ApiAnswers:
    """Around all of the API: pages that say what went wrong become problems, and unchanged answers become 304."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._next = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._next(request)
        if not request.path_info.startswith(ROOT):
            return response
        if response.status_code >= HTTPStatus.BAD_REQUEST and response.get("Content-Type") != MEDIA_TYPE:
            told = problem(response.status_code)
            for name in ("Allow", "Retry-After"):
                if name in response:
                    told[name] = response[name]
            return told
        if request.method in ("GET", "HEAD") and response.status_code == HTTPStatus.OK:
            etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
            response["ETag"] = etag
            return get_conditional_response(request, etag=etag, response=response) or response
        return response
