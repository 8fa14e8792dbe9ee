"""Forged answers of an OpenID Connect provider to the real service -> nobody gets in, and nobody gets a higher role."""

import tempfile
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

from benchmarks.attack.case import Tried
from tests.end_to_end.serving import Service, serving
from tests.review.forging_provider import (
    CLIENT,
    GROUPS,
    HONEST,
    SECRET,
    TOKENS,
    ForgingProvider,
    forging_provider,
    sent_back,
)

_ROLES = "reviewer=privacy-office,manager=privacy-leads"


def sign_on() -> Iterator[Tried]:
    with tempfile.TemporaryDirectory() as home, forging_provider() as provider:
        settings = {"issuer": provider.forge.issuer, "client_id": CLIENT, "roles": _ROLES}
        words = [word for name, value in settings.items() for word in ("--set", f"oidc.{name}={value}")]
        with serving(Path(home), "--quiet", *words, LEAKSCREEN_OIDC_SECRET=SECRET) as service:
            for what, forgery in TOKENS.items():
                provider.forgery = forgery
                yield Tried(f"token {what}", not _gets_in(service, provider))
            provider.forgery = HONEST
            for what, groups in GROUPS.items():
                provider.more = {"groups": groups}
                yield Tried(f"groups: {what}", not _gets_in(service, provider))
            provider.more = {}
            yield Tried("another browser brings the answer", not _gets_in(service, provider, other_browser=True))
            yield Tried("another state", not _gets_in(service, provider, state="x"))
            yield Tried("an honest answer opens", _gets_in(service, provider))
            provider.more = {"sub": "eve-2"}
            yield Tried("a second person of the same name", not _gets_in(service, provider))
            provider.more = {"sub": "eve-3", "preferred_username": "mia"}
            yield Tried("somebody called as the manager", not _gets_in(service, provider))


def _gets_in(service: Service, provider: ForgingProvider, *, other_browser: bool = False, state: str = "") -> bool:
    _, location, cookie = _ask(service, "/login/provider/", "")
    back = sent_back(provider, location)
    _, _, session = _ask(service, back + state, "" if other_browser else cookie)
    return _ask(service, "/referrals/", session or cookie)[0] == 200


def _ask(service: Service, path: str, cookie: str) -> tuple[int, str, str]:
    """Status, where to go on, and the cookies."""
    connection = HTTPConnection("127.0.0.1", service.port, timeout=30)
    try:
        connection.request("GET", path, headers={"Host": "localhost", **({"Cookie": cookie} if cookie else {})})
        answer = connection.getresponse()
        answer.read()
        cookies = [value.partition(";")[0] for value in answer.headers.get_all("Set-Cookie", [])]
        return answer.status, answer.getheader("Location") or "", "; ".join(cookies)
    finally:
        connection.close()
