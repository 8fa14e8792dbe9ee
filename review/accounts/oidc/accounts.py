"""What a provider says about a person -> that person's account, with the roles that the table gives; or a refusal."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from review.accounts.oidc.provider import Provider
from review.audit import SYSTEM, record
from review.models import OidcIdentity

_LONGEST_SUBJECT = 255


class RefusedError(Exception):
    """The person may not enter; the message says why, in words for that person."""

    def __init__(self, message: str, why: str, who: str = "(unknown)") -> None:
        super().__init__(message)
        self.why = why
        self.who = who


def account_of(provider: Provider, claims: Mapping[str, Any]) -> Any:
    """The account of this identity, made on first sight. Roles are what the claims give now; a refused person loses them."""
    subject, roles = str(claims["sub"]), provider.roles_by(claims)
    if len(subject) > _LONGEST_SUBJECT:
        raise RefusedError("The provider names you by too long a text.", "subject too long")
    refusal = None
    with transaction.atomic():
        known = (
            OidcIdentity.objects.select_related("user").filter(issuer=provider.settings.issuer, subject=subject).first()
        )
        if known is None and roles:
            return _make(provider, claims, subject, roles)
        user = known.user if known else None
        if user is not None:
            _give(user, roles)
        if not roles:
            refusal = RefusedError(
                "No role is given to you here; ask who looks after the groups of your log-in.", "no role", _name(user)
            )
        elif user is not None and not user.is_active:
            refusal = RefusedError("You may not log in here any more; ask a manager.", "not active", _name(user))
    if refusal:
        raise refusal
    return user


def _name(user: Any) -> str:
    return "(unknown)" if user is None else str(user.get_username())


def _make(provider: Provider, claims: Mapping[str, Any], subject: str, roles: frozenset[str]) -> Any:
    """An account of that name that was made here stays its owner's: nobody gets into it by being called the same elsewhere."""
    user = get_user_model()(username=str(claims.get(provider.settings.name_claim) or ""), email=_mail_of(claims))
    if get_user_model().objects.filter(username__iexact=user.username).exists():
        raise RefusedError(
            "There is an account of your name already, made by a manager; a manager has to rename it first.",
            "name taken",
            user.username,
        )
    user.set_unusable_password()
    try:
        user.full_clean(exclude=["password", "email"])
    except ValidationError:
        raise RefusedError(
            "The provider gives you no name that can be used here; see oidc.name_claim.", "unfit name"
        ) from None
    user.save()
    OidcIdentity.objects.create(user=user, issuer=provider.settings.issuer, subject=subject)
    record(SYSTEM, "person", f"user:{user.pk}", new=True, by="provider", roles=sorted(roles))
    user.groups.set(Group.objects.filter(name__in=roles))
    return user


def _give(user: Any, roles: frozenset[str]) -> None:
    before = set(user.groups.values_list("name", flat=True))
    if before != roles:
        user.groups.set(Group.objects.filter(name__in=roles))
        record(SYSTEM, "person", f"user:{user.pk}", by="provider", roles=sorted(roles), roles_before=sorted(before))


def _mail_of(claims: Mapping[str, Any]) -> str:
    """Where digests go; an address that the provider has not checked is left out."""
    address = str(claims.get("email") or "")
    try:
        validate_email(address)
    except ValidationError:
        return ""
    return address if claims.get("email_verified") is not False else ""
