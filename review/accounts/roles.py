"""Users -> their roles, and views -> the roles that may use them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from review.accounts.role import Role as Role

_THEMES = ("light", "dark")
View = Callable[..., HttpResponse]


def roles_of(user: Any) -> frozenset[str]:
    """Queried once a request."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    if not hasattr(user, "_review_roles"):
        user._review_roles = frozenset(user.groups.values_list("name", flat=True)) & frozenset(Role)
    roles: frozenset[str] = user._review_roles
    return roles


def allowed(*roles: Role) -> Callable[[View], View]:
    """Restricts a view to people with one of these roles; LoginEverywhere has already required a log-in."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not roles_of(request.user) & frozenset(roles):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        guarded.roles = frozenset(roles)  # type: ignore[attr-defined]
        return guarded

    return guard


def make_groups() -> None:
    for role in Role:
        Group.objects.get_or_create(name=role.value)


def of_request(request: HttpRequest) -> dict[str, Any]:
    """For templates: `roles.manager` and so on, and the colours that the reader chose, where that is so."""
    user = getattr(request, "user", None)
    mine = roles_of(user) if user is not None else frozenset()
    theme = request.COOKIES.get("theme", "")
    return {"roles": {role.value: role in mine for role in Role}, "theme": theme if theme in _THEMES else ""}
