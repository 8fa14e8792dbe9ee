"""A person, scopes and days -> a token that is shown once; and a token -> its owner, as long as it is valid."""

import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from core.errors import ReviewError
from review.api.scope import scopes_of
from review.audit import record
from review.models import ApiToken

PREFIX = "lsk_"  # by which people and secret scanners recognise a token
LONGEST_DAYS = 366
_BYTES = 32
_SALT = "leakscreen.api-token"
_USE_NOTED = timedelta(minutes=1)  # not every request writes


@transaction.atomic
def make_token(owner: Any, name: str, scopes: Iterable[str], days: int, maker: str) -> tuple[ApiToken, str]:
    """The row, and the token itself, which nobody can read again."""
    try:
        wanted = scopes_of(scopes)
    except ValueError as error:
        raise ReviewError(str(error)) from None
    if not wanted:
        raise ReviewError("a token needs at least one scope")
    if not 1 <= days <= LONGEST_DAYS:
        raise ReviewError(f"a token is valid for 1 to {LONGEST_DAYS} days, not {days}")
    name = name.replace("\0", "").strip()[:100]
    if not name:
        raise ReviewError("a token needs a name that says what it is for")
    secret, now = PREFIX + secrets.token_urlsafe(_BYTES), timezone.now()
    token = ApiToken.objects.create(
        name=name,
        owner=owner,
        digest=_digest(secret),
        scopes=[scope.value for scope in wanted],
        made=now,
        made_by=maker,
        expires=now + timedelta(days=days),
    )
    record(maker, "token", f"token:{token.pk}", owner=owner.get_username(), scopes=token.scopes, days=days)
    return token, secret


@transaction.atomic
def revoke_token(pk: int, by: str) -> ApiToken:
    token: ApiToken | None = ApiToken.objects.select_for_update().filter(pk=pk).first()
    if token is None:
        raise ReviewError(f"there is no token {pk}")
    if token.revoked is None:
        token.revoked = timezone.now()
        token.save(update_fields=["revoked"])
        record(by, "token revoked", f"token:{token.pk}", owner=token.owner.get_username())
    return token


def valid_token(secret: str) -> ApiToken | None:
    """None for what was never made, is revoked or expired, or belongs to somebody who may not log in any more."""
    now = timezone.now()
    token: ApiToken | None = ApiToken.objects.select_related("owner").filter(digest=_digest(secret)).first()
    if token is None or token.revoked is not None or token.expires <= now or not token.owner.is_active:
        return None
    if token.last_used is None or now - token.last_used > _USE_NOTED:
        ApiToken.objects.filter(pk=token.pk).update(last_used=now)
    return token


def state_of(token: ApiToken) -> str:
    if token.revoked is not None:
        return "revoked"
    if token.expires <= timezone.now():
        return "expired"
    return "valid" if token.owner.is_active else "owner may not log in"


def _digest(secret: str) -> str:
    """Keyed, so that a copy of the database alone does not even tell whether a guess is right."""
    return str(salted_hmac(_SALT, secret, algorithm="sha256").hexdigest())
