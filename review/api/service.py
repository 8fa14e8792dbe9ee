"""All operations -> one API under /api/v1/, described by OpenAPI 3.1 at /api/v1/openapi.json."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from ninja import NinjaAPI

from core.version import VERSION
from review.api import acting, breach, cases, groups, keeping, marking, oversight, overview, referrals, scans
from review.api.access import Bearer
from review.api.problems import MEDIA_TYPE, answer_problems
from review.middleware import open_to_all

_DESCRIPTION = (
    "What the pages of the review service show and do, except the reveal of a text. A token acts for its owner, within"
    " its scopes. Values are masked, as on the pages."
)
_ERRORS = {
    400: "not readable",
    401: "no valid token",
    403: "scope or role is missing",
    422: "not as described",
    429: "too many requests",
}

api = NinjaAPI(
    title="leakscreen review",
    version=VERSION,
    description=_DESCRIPTION,
    urls_namespace="api",
    auth=Bearer(),
    docs_url=None,
    openapi_url=None,
)
api.add_router("", referrals.router)
api.add_router("", cases.router)
api.add_router("", acting.router)
api.add_router("", groups.router)
api.add_router("", keeping.router)
api.add_router("", scans.router)
api.add_router("", marking.router)
api.add_router("", overview.router)
api.add_router("", breach.router)
api.add_router("", oversight.router)
answer_problems(api)


@api.get("/openapi.json", include_in_schema=False)
def openapi(request: HttpRequest) -> JsonResponse:
    """For whoever has a token."""
    return JsonResponse(schema())


def schema() -> dict[str, Any]:
    """Each operation also says which errors it may answer, all in one shape."""
    described: dict[str, Any] = dict(api.get_openapi_schema(path_prefix="/api/v1/"))
    shape = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for operations in described["paths"].values():
        for operation in operations.values():
            answers = operation["responses"]
            for status in [status for status in answers if int(status) >= 400]:
                answers[status] = {"description": answers[status]["description"], **shape}
            for status, words in _ERRORS.items():
                answers.setdefault(status, {"description": words, **shape})
    return described


def patterns() -> tuple[Any, ...]:
    """For urls.py: a token takes the place of the log-in that pages require."""
    urls, app, namespace = api.urls
    for pattern in urls:
        open_to_all(pattern.callback)
    return urls, app, namespace
