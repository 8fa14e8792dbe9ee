"""A request -> the owner of its token, within scope, roles and rate; whatever a page refuses, an operation does too."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from ninja import Schema
from ninja.errors import AuthorizationError, Throttled, ValidationError
from ninja.security import HttpBearer

from review.accounts.roles import Role, roles_of
from review.api.allowance import Allowance
from review.api.scope import Scope
from review.api.tokens import valid_token
from review.audit import record
from review.models import ApiToken

_FAILURES = 30  # a minute, of one address
_allowance = Allowance()
Operation = Callable[..., Any]


class ApiRequest(HttpRequest):
    """What an operation gets: the request with the token that it came with."""

    api_token: ApiToken
    user: Any


class Bearer(HttpBearer):
    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        """None is answered with 401."""
        found = valid_token(token)
        if found is None:
            _wait(f"address:{request.META.get('REMOTE_ADDR', '')}", _FAILURES)
            return None
        _wait(f"token:{found.digest}", settings.LEAKSCREEN.review.api_requests)
        request.user, request.api_token = found.owner, found
        return found


def _wait(key: str, most: int) -> None:
    seconds = _allowance.seconds_to_wait(key, most)
    if seconds:
        raise Throttled(seconds)


def permitted(scope: Scope, page: Any, *, audited: bool = True) -> Callable[[Operation], Operation]:
    """Restricts an operation to a scope and to the roles of the page that shows or does the same.

    An audited one is in the log with its token, beside the entry that the page writes too.
    """
    roles: frozenset[Role] = page.roles

    def guard(operation: Operation) -> Operation:
        @wraps(operation)
        def guarded(request: ApiRequest, *args: Any, **kwargs: Any) -> Any:
            if scope not in request.api_token.scopes:
                raise AuthorizationError(message=f"This token lacks the scope {scope.value}.")
            if not roles_of(request.user) & roles:
                raise AuthorizationError(message=f"This needs one of the roles {', '.join(sorted(roles))}.")
            if audited:
                subject = f"token:{request.api_token.pk}"
                record(request.user.get_username(), "api", subject, operation=operation.__name__)
            return operation(request, *args, **kwargs)

        guarded.scope, guarded.roles = scope, roles  # type: ignore[attr-defined]
        return guarded

    return guard


def refuse_unknown(request: HttpRequest, shape: type[Schema]) -> None:
    """A misspelt filter would otherwise be left out, and more be shown than was asked for."""
    known = {field.alias or name for name, field in shape.model_fields.items()}
    unknown = sorted(set(request.GET) - known)
    if unknown:
        raise ValidationError([{"loc": ("query",), "msg": f"known are: {', '.join(sorted(known))}"}])
