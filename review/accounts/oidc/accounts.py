"""A provider's claims about a person -> that person's account with the roles of oidc.roles, or a refusal."""

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
from review.translation import gettext as _

_LONGEST_SUBJECT = 255


class RefusedError(Exception):
    """The person may not log in; the message tells that person why."""

    def __init__(self, message: str, why: str, who: str = "(unknown)") -> None:
        super().__init__(message)
        self.why = why
        self.who = who


def account_of(provider: Provider, claims: Mapping[str, Any]) -> Any:
    """The account of this identity, created at the first log-in.

    Its roles are those of the present claims; a refused person loses them.
    """
    subject, roles = str(claims["sub"]), provider.roles_by(claims)
    if len(subject) > _LONGEST_SUBJECT:
        raise RefusedError(_("The provider's identifier for you is too long."), "subject too long")
    refusal = None
    with transaction.atomic():
        identity = (
            OidcIdentity.objects.select_related("user").filter(issuer=provider.settings.issuer, subject=subject).first()
        )
        if identity is None and roles:
            return _make(provider, claims, subject, roles)
        user = identity.user if identity else None
        if user is not None:
            _set_roles(user, roles)
        if not roles:
            refusal = RefusedError(
                _("You have no role here; ask whoever manages the groups of your log-in."), "no role", _name(user)
            )
        elif user is not None and not user.is_active:
            refusal = RefusedError(_("You may no longer log in here; ask a manager."), "not active", _name(user))
    if refusal:
        raise refusal
    return user


def _name(user: Any) -> str:
    return "(unknown)" if user is None else str(user.get_username())


def _make(provider: Provider, claims: Mapping[str, Any], subject: str, roles: frozenset[str]) -> Any:
    """Refuses the name of an existing account: having the same name at the provider must not open it."""
    user = get_user_model()(username=str(claims.get(provider.settings.name_claim) or ""), email=_mail_of(claims))
    if get_user_model().objects.filter(username__iexact=user.username).exists():
        raise RefusedError(
            _("An account with your name already exists, created by a manager; a manager has to rename it first."),
            "name taken",
            user.username,
        )
    user.set_unusable_password()
    try:
        user.full_clean(exclude=["password", "email"])
    except ValidationError:
        raise RefusedError(_("The provider sends no usable name for you; see oidc.name_claim."), "unfit name") from None
    user.save()
    OidcIdentity.objects.create(user=user, issuer=provider.settings.issuer, subject=subject)
    record(SYSTEM, "person", f"user:{user.pk}", new=True, by="provider", roles=sorted(roles))
    user.groups.set(Group.objects.filter(name__in=roles))
    return user


def _set_roles(user: Any, roles: frozenset[str]) -> None:
    before = set(user.groups.values_list("name", flat=True))
    if before != roles:
        user.groups.set(Group.objects.filter(name__in=roles))
        record(SYSTEM, "person", f"user:{user.pk}", by="provider", roles=sorted(roles), roles_before=sorted(before))


def _mail_of(claims: Mapping[str, Any]) -> str:
    """The address for digests; empty where the provider has not verified it."""
    address = str(claims.get("email") or "")
    try:
        validate_email(address)
    except ValidationError:
        return ""
    return address if claims.get("email_verified") is not False else ""
