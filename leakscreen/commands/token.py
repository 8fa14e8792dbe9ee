"""`leakscreen token`: a person and scopes -> a token of the API, printed once; and the tokens that were made."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import ReviewError
from core.settings import load_settings
from review.service.configuration import configure


def make(owner: str, name: str, scopes: Sequence[str], days: int, flags: dict[str, Any], config: Path | None) -> None:
    _configure(flags, config)
    from django.contrib.auth import get_user_model

    from review.api.tokens import make_token
    from review.audit import SYSTEM

    person = get_user_model().objects.filter(username=owner, is_active=True).first()
    if person is None:
        raise ReviewError(f"nobody of the name {owner!r} may log in; managers add people on the page People")
    token, secret = make_token(person, name, scopes, days, SYSTEM)
    print(secret)
    print(
        f"Token {token.pk} acts for {owner} until {token.expires:%Y-%m-%d}; it is shown once. Revoke it with:"
        f" leakscreen token revoke {token.pk}",
        file=sys.stderr,
    )


def show(flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    _configure(flags, config)
    from review.api.tokens import state_of
    from review.models import ApiToken

    rows = [
        {
            "id": token.pk,
            "name": token.name,
            "owner": token.owner.get_username(),
            "scopes": token.scopes,
            "expires": token.expires.isoformat(timespec="seconds"),
            "last_used": token.last_used.isoformat(timespec="seconds") if token.last_used else None,
            "state": state_of(token),
        }
        for token in ApiToken.objects.select_related("owner")
    ]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        scopes = ", ".join(row["scopes"])
        print(f"{row['id']}  {row['state']}  {row['owner']}  {row['name']}  until {row['expires'][:10]}  {scopes}")
    if not rows:
        print("no token was made yet")


def revoke(number: int, flags: dict[str, Any], config: Path | None) -> None:
    _configure(flags, config)
    from review.api.tokens import revoke_token
    from review.audit import SYSTEM

    token = revoke_token(number, SYSTEM)
    print(f"token {token.pk} ({token.name}) is revoked")


def _configure(flags: dict[str, Any], config: Path | None) -> None:
    configure(load_settings(flags, config=config))
    from review.service.first_start import ensure_database

    ensure_database()
