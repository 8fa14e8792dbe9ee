"""An OpenID Connect provider on loopback whose tokens an attacker wrote, and the ways in which they lie."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

CLIENT, SECRET = "leakscreen", "a secret of the tests, long enough"
Claims = dict[str, Any]
Forgery = Callable[["Forge", Claims], str]


def _coded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _json(value: Any) -> str:
    return _coded(json.dumps(value).encode())


class Forge:
    """The keys: one that the provider publishes, and one that only the attacker has."""

    def __init__(self) -> None:
        self.issuer = ""
        self.own = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
        self.stolen = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
        form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        self.public_pem = self.own.public_key().public_bytes(*form)

    @property
    def jwks(self) -> dict[str, Any]:
        numbers = self.own.public_key().public_numbers()
        n = _coded(numbers.n.to_bytes(256, "big"))
        return {"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "one", "n": n, "e": "AQAB"}]}

    def signed(self, claims: Claims, key: rsa.RSAPrivateKey | None = None, **header: Any) -> str:
        text = f"{_json({'alg': 'RS256', 'kid': 'one', **header})}.{_json(claims)}"
        signature = (key or self.own).sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{text}.{_coded(signature)}"

    def by_shared_key(self, claims: Claims, key: bytes) -> str:
        text = f"{_json({'alg': 'HS256', 'kid': 'one'})}.{_json(claims)}"
        return f"{text}.{_coded(hmac.new(key, text.encode(), hashlib.sha256).digest())}"

    def unsigned(self, claims: Claims, algorithm: str) -> str:
        return f"{_json({'alg': algorithm})}.{_json(claims)}."


def _changed_later(forge: Forge, claims: Claims) -> str:
    head, _, signature = forge.signed({**claims, "groups": ["staff"]}).split(".")
    return f"{head}.{_json(claims)}.{signature}"


def _without(name: str) -> Forgery:
    return lambda forge, claims: forge.signed({key: value for key, value in claims.items() if key != name})


def _with(**more: Any) -> Forgery:
    return lambda forge, claims: forge.signed({**claims, **more})


HONEST: Forgery = lambda forge, claims: forge.signed(claims)  # noqa: E731
TOKENS: dict[str, Forgery] = {  # with claims that would make a manager
    "no signature": lambda forge, claims: forge.unsigned(claims, "none"),
    "no signature, in capitals": lambda forge, claims: forge.unsigned(claims, "NONE"),
    "no signature, mixed": lambda forge, claims: forge.unsigned(claims, "nOnE"),
    "algorithm of the key, but no signature": lambda forge, claims: forge.unsigned(claims, "RS256"),
    "signed with the public key as a secret": lambda forge, claims: forge.by_shared_key(claims, forge.public_pem),
    "signed with the client's secret": lambda forge, claims: forge.by_shared_key(claims, SECRET.encode()),
    "signed with an empty secret": lambda forge, claims: forge.by_shared_key(claims, b""),
    "signed with another key": lambda forge, claims: forge.signed(claims, forge.stolen),
    "signed with a key that the token brings": lambda forge, claims: forge.signed(
        claims, forge.stolen, jwk={"kty": "RSA", "n": _coded(b"\1" * 256), "e": "AQAB"}
    ),
    "signed with a key at an address in the token": lambda forge, claims: forge.signed(
        claims, forge.stolen, jku="http://127.0.0.1:1/jwks"
    ),
    "claims changed after signing": _changed_later,
    "of another issuer": _with(iss="https://evil.example.org"),
    "for another client": _with(aud="another"),
    "for nobody": _without("aud"),
    "of no issuer": _without("iss"),
    "without a subject": _without("sub"),
    "without a nonce": _without("nonce"),
    "with another nonce": _with(nonce="another"),
    "expired": _with(exp=1_500_000_000),
    "without an end": _without("exp"),
    "of the future": _with(iat=4_000_000_000, nbf=4_000_000_000),
    "no token at all": lambda forge, claims: "",
    "no JSON": lambda forge, claims: "a.b.c",
}
GROUPS: dict[str, Any] = {  # values of the claim of roles that no setting gives a role to
    "the name of a role": ["manager"],
    "two groups in one value": ["privacy-office,privacy-leads"],
    "another spelling": ["PRIVACY-LEADS", " privacy-leads", "privacy-leads\n", "privacy\u2010leads"],
    "a list in a list": [["privacy-leads"]],
    "a table": {"privacy-leads": True},
    "a table in a list": [{"name": "privacy-leads"}],
    "true": True,
    "a number": 0,
    "a pattern": ["privacy-*", ".*"],
    "nothing": None,
}


class ForgingProvider(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.forge = Forge()
        self.forge.issuer = f"http://127.0.0.1:{self.server_port}/o"
        self.forgery = HONEST
        self.more: Claims = {}
        self.nonce = ""

    def id_token(self) -> str:
        now = int(time.time())
        claims = {
            "iss": self.forge.issuer,
            "aud": CLIENT,
            "sub": "eve-1",
            "iat": now,
            "exp": now + 300,
            "nonce": self.nonce,
            "preferred_username": "eve",
            "groups": ["privacy-leads"],
            **self.more,
        }
        return self.forgery(self.forge, claims)


class _Handler(BaseHTTPRequestHandler):
    server: ForgingProvider

    def do_GET(self) -> None:
        issuer = self.server.forge.issuer
        if self.path.endswith("/.well-known/openid-configuration"):
            self._say(
                {
                    "issuer": issuer,
                    "authorization_endpoint": f"{issuer}/authorize",
                    "token_endpoint": f"{issuer}/token",
                    "jwks_uri": f"{issuer}/jwks",
                    "id_token_signing_alg_values_supported": ["none", "HS256", "RS256"],
                }
            )
        elif self.path.endswith("/jwks"):
            self._say(self.server.forge.jwks)
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        token = self.server.id_token()
        self._say(
            {"access_token": "a", "token_type": "Bearer", "expires_in": 300, **({"id_token": token} if token else {})}
        )

    def _say(self, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


@contextmanager
def forging_provider() -> Iterator[ForgingProvider]:
    with ForgingProvider() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


def sent_back(provider: ForgingProvider, location: str) -> str:
    """The path and query that the provider would send the browser back to, which left for this location."""
    query = parse_qs(urlsplit(location).query)
    provider.nonce = query["nonce"][0]
    return f"/login/provider/back/?code=c&state={query['state'][0]}"
