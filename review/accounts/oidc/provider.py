"""The section [oidc] of the settings -> a provider to log in with, and its answer -> verified claims about a person."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from core.errors import SettingsError
from core.settings.review import OidcSettings
from review.accounts.role import Role
from review.secret_files import read_secret

SECRET_IN_ENV = "LEAKSCREEN_OIDC_SECRET"  # noqa: S105 - the name of a variable
_DISCOVERY = "/.well-known/openid-configuration"
# Never `none`, and never a key that both sides share.
_SIGNATURES = frozenset(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"])
_LEEWAY_SECONDS = 60


class ProviderError(Exception):
    """The provider cannot be reached, or its answer cannot be trusted; the message repeats nothing that it sent."""


@dataclass(frozen=True, slots=True)
class Provider:
    settings: OidcSettings
    roles: Mapping[str, frozenset[Role]]
    secret: str = field(repr=False)

    def client(self) -> Any:
        """A client for one request; it reads the provider's metadata anew, so that new keys count at once."""
        from authlib.integrations.django_client import OAuth

        oidc = self.settings
        shape = {"scope": " ".join(oidc.scopes), "code_challenge_method": "S256", "default_timeout": oidc.timeout}
        address = oidc.issuer.rstrip("/") + _DISCOVERY
        client = OAuth().register(
            "provider",
            client_id=oidc.client_id,
            client_secret=self.secret,
            server_metadata_url=address,
            client_kwargs=shape,
        )
        client.client_cls = _session(oidc.ca_file)
        self._check(client.load_server_metadata())
        return client

    def _check(self, metadata: dict[str, Any]) -> None:
        if metadata.get("issuer") != self.settings.issuer:
            raise ProviderError("the provider's issuer is not oidc.issuer")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"):
            if metadata.get(name) and not is_private(str(metadata[name])):
                raise ProviderError(f"the provider's {name} does not use https")
        metadata["id_token_signing_alg_values_supported"] = sorted(
            _SIGNATURES & set(metadata.get("id_token_signing_alg_values_supported", ()))
        )

    def claims(self, client: Any, request: Any) -> dict[str, Any]:
        """The claims of the signed token, and those that the provider adds about the same person on request."""
        token = client.authorize_access_token(request, leeway=_LEEWAY_SECONDS)
        signed = dict(token.get("userinfo") or {})
        if not signed.get("sub"):
            raise ProviderError("the provider sent no signed token")
        wanted = {self.settings.name_claim, self.settings.roles_claim.partition(".")[0]}
        if wanted <= set(signed) or not client.server_metadata.get("userinfo_endpoint"):
            return signed
        further = dict(client.userinfo(token=token))
        if further.get("sub") != signed["sub"]:
            raise ProviderError("the provider's two answers are about different people")
        return {**further, **signed}

    def roles_by(self, claims: Mapping[str, Any]) -> frozenset[Role]:
        """The roles of these claims; the claim is one value or a list, at the end of a dotted path."""
        claim: Any = claims
        for name in self.settings.roles_claim.split("."):
            claim = claim.get(name) if isinstance(claim, Mapping) else None
        values = claim if isinstance(claim, list) else [claim]
        return frozenset(role for value in values if isinstance(value, str) for role in self.roles.get(value, ()))


def provider_of(settings: OidcSettings, environ: Mapping[str, str] = os.environ) -> Provider | None:
    """None where single sign-on is off."""
    if not settings.issuer:
        if not settings.passwords:
            raise SettingsError("oidc.passwords is false and oidc.issuer is empty: nobody could log in")
        return None
    if not is_private(settings.issuer) or urlsplit(settings.issuer).query:
        raise SettingsError(f"oidc.issuer: {settings.issuer!r} is not of the form https://login.example.org/realm")
    if not settings.client_id:
        raise SettingsError("oidc.issuer is set, but oidc.client_id is not")
    if "openid" not in settings.scopes:
        raise SettingsError("oidc.scopes: `openid` is missing")
    secret = read_secret(SECRET_IN_ENV, settings.secret_file, "oidc.secret_file", environ)
    if not secret:
        raise SettingsError(f"oidc.issuer is set, but there is no secret: set {SECRET_IN_ENV} or oidc.secret_file")
    return Provider(settings, role_table(settings.roles), secret)


def role_table(entries: tuple[str, ...]) -> dict[str, frozenset[Role]]:
    """Values of the claim -> the roles that each of them gives."""
    table: dict[str, frozenset[Role]] = {}
    for entry in entries:
        role, _, value = entry.partition("=")
        if role not in frozenset(Role) or not value:
            raise SettingsError(f"oidc.roles: {entry!r} is not of the form ROLE=VALUE; the roles are {', '.join(Role)}")
        table[value] = table.get(value, frozenset()) | {Role(role)}
    if not table:
        raise SettingsError(
            'oidc.issuer is set, but oidc.roles gives no role to anybody; write `oidc.roles = ["reviewer=GROUP"]`'
        )
    return table


def is_private(address: str) -> bool:
    """Whether the address uses https or is on this machine."""
    parts = urlsplit(address)
    if parts.scheme == "https":
        return bool(parts.hostname)
    try:
        return parts.scheme == "http" and ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.scheme == "http" and parts.hostname == "localhost"


def _session(ca_file: str) -> Any:
    """Authlib's session; with a file it trusts that certificate authority alone."""
    from authlib.integrations.requests_client import OAuth2Session

    class Session(OAuth2Session):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            if ca_file:
                self.verify = ca_file

    return Session
