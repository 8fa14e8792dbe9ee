"""Requests that schemathesis makes from the API's own description: each is answered as described, none by a fault."""

from collections.abc import Callable
from typing import Any

import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from review.accounts.roles import Role
from review.api.scope import Scope
from review.api.tokens import make_token
from review.models import Vote
from review.referrals.intake import Intake
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 12  # of each operation: this bounds the time of the test


def test_made_requests_are_answered_as_described(database_url: str, review_settings: Callable[..., None]) -> None:
    review_settings(api_requests=1_000_000)
    Intake(facts()).take(many(4))
    _, secret = make_token(make_user("ann", *Role), "fuzz", tuple(Scope), 1, "mia")
    headers = {"Authorization": f"Bearer {secret}"}
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application(), headers=headers)
    statuses: dict[str, set[int]] = {}
    for operation in (found.ok() for found in schema.get_all_operations()):
        seen = statuses.setdefault(f"{operation.method} {operation.path}", set())
        _answered(operation, headers, seen)
    assert len(statuses) == 37
    assert all(seen & {200, 204, 404, 409} for seen in statuses.values()), statuses
    assert Vote.objects.count() == 0  # ids are guessed in vain


def _answered(operation: Any, headers: dict[str, str], seen: set[int]) -> None:
    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Any) -> None:
        response = case.call(headers=headers)
        seen.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    send()
