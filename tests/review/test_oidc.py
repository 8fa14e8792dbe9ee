"""People who come by a real OpenID Connect provider: who gets in, in which role, and who does not."""

import dataclasses
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
import requests
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from lxml import html

from core.errors import ReviewError, SettingsError
from core.settings import load_settings
from core.settings.review import OidcSettings
from review.accounts.oidc.provider import provider_of
from review.audit import verify
from review.middleware import OIDC_UNTIL
from review.models import AuditEntry, OidcIdentity
from review.service.first_start import ensure_manager
from tests.review.browsing import Browser, chromium, serving
from tests.review.conftest import make_user
from tests.review.oidc_provider import CLIENT, PASSWORD, SECRET, RunningProvider, running_provider
from tests.review.test_access import browser, log_in

ENVIRON = {"LEAKSCREEN_OIDC_SECRET": SECRET}
ROLES = ("reviewer=privacy-office", "manager=privacy-leads", "reviewer=privacy-leads")
ANN: dict[str, Any] = {"preferred_username": "ann", "groups": ["privacy-office", "staff"], "email": "ann@example.org"}


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningProvider]:
    with running_provider(tmp_path_factory.mktemp("provider"), "ann", "bob") as running:
        yield running


@pytest.fixture
def switched_on(database_url: str, provider: RunningProvider, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """switched_on(hours=1): the service as these settings make it."""

    def switch(**more: Any) -> None:
        oidc = OidcSettings(
            **{"issuer": provider.issuer, "client_id": CLIENT, "roles": ROLES, "label": "Example Health", **more}
        )
        monkeypatch.setattr(settings, "LEAKSCREEN", dataclasses.replace(settings.LEAKSCREEN, oidc=oidc))
        monkeypatch.setattr(settings, "OIDC_PROVIDER", provider_of(oidc, ENVIRON))

    provider.tell(ann=ANN, bob={"preferred_username": "bob", "groups": ["staff"]})
    switch()
    return switch


def sent_back(client: Client, name: str, onward: str = "") -> str:
    """Leaves for the provider, logs in there, and is sent back to this address."""
    there = client.get(reverse("oidc"), {"next": onward} if onward else {}).headers["Location"]
    at_provider = requests.Session()
    form = at_provider.get(there)
    assert form.url.partition("?")[0].endswith("/enter/")
    token = html.fromstring(form.text).xpath("//input[@name='csrfmiddlewaretoken']/@value")[0]
    entered = at_provider.post(
        form.url, {"username": name, "password": PASSWORD, "csrfmiddlewaretoken": token}, allow_redirects=False
    )
    back = at_provider.get(urljoin(form.url, entered.headers["Location"]), allow_redirects=False)
    return back.headers["Location"].removeprefix("http://localhost")


def come(client: Client, name: str = "ann", onward: str = "") -> Any:
    return client.get(sent_back(client, name, onward))


def roles_of(name: str) -> list[str]:
    return sorted(User.objects.get(username=name).groups.values_list("name", flat=True))


def actions() -> list[tuple[str, str, str]]:
    return list(AuditEntry.objects.values_list("actor", "action", "subject"))


def test_somebody_new_gets_an_account_in_the_roles_of_the_claim(switched_on: Callable[..., None]) -> None:
    client = browser()
    assert "Log in with Example Health" in client.get("/login/").content.decode()
    response = come(client, onward="/referrals/?state=decided")
    assert (response.status_code, response.headers["Location"]) == (302, "/referrals/?state=decided")
    ann = User.objects.get()
    assert (ann.email, ann.has_usable_password(), roles_of("ann")) == ("ann@example.org", False, ["reviewer"])
    assert client.get("/referrals/").status_code == 200
    assert client.get("/people/").status_code == 403
    assert actions()[:2] == [("leakscreen", "person", f"user:{ann.pk}"), ("ann", "log-in", f"user:{ann.pk}")]
    assert verify()[1] == []


def test_roles_follow_the_claim_at_each_log_in(switched_on: Callable[..., None], provider: RunningProvider) -> None:
    come(browser())
    provider.tell(ann={**ANN, "preferred_username": "ann.other", "groups": "privacy-leads"})
    come(browser())
    assert (roles_of("ann"), User.objects.count()) == (["manager", "reviewer"], 1)
    assert AuditEntry.objects.filter(action="person", details__contains='"roles_before":["reviewer"]').count() == 1
    provider.tell(ann={**ANN, "groups": []})
    refused = come(client := browser())
    assert (refused.status_code, roles_of("ann")) == (403, [])
    assert "You have no role here" in refused.content.decode()
    assert client.get("/").status_code == 302
    assert actions()[-1] == ("ann", "log-in refused", "no role")


def test_who_has_no_role_gets_no_account(switched_on: Callable[..., None]) -> None:
    assert (come(browser(), "bob").status_code, User.objects.count()) == (403, 0)
    assert actions() == [("(unknown)", "log-in refused", "no role")]


def test_roles_that_only_the_second_answer_tells_count(
    switched_on: Callable[..., None], provider: RunningProvider
) -> None:
    switched_on(roles_claim="realm_access.roles")
    provider.tell(ann={"preferred_username": "ann", "userinfo": {"realm_access": {"roles": ["privacy-leads"]}}})
    come(browser())
    assert roles_of("ann") == ["manager", "reviewer"]


def test_nobody_gets_into_an_account_by_being_called_the_same(switched_on: Callable[..., None]) -> None:
    make_user("Ann", "manager")
    response = come(client := browser())
    assert (response.status_code, client.get("/").status_code) == (403, 302)
    assert (OidcIdentity.objects.count(), actions()[-1][1:]) == (0, ("log-in refused", "name taken"))


def test_who_was_sent_away_here_stays_away(switched_on: Callable[..., None]) -> None:
    come(browser())
    User.objects.update(is_active=False)
    assert come(browser()).status_code == 403


def test_a_name_that_cannot_be_used_is_refused(switched_on: Callable[..., None], provider: RunningProvider) -> None:
    for name in ("", "a b", "<script>", None, "x" * 151):
        provider.tell(ann={**ANN, "preferred_username": name})
        assert come(browser()).status_code == 403
    assert not User.objects.exists()


def test_what_was_sent_back_opens_once_and_for_the_one_who_left(switched_on: Callable[..., None]) -> None:
    client = browser()
    back = sent_back(client, "ann")
    assert browser().get(back).status_code == 403
    assert client.get(back.replace("state=", "state=x")).status_code == 403
    assert client.get(back).status_code == 302
    assert browser().get(back).status_code == client.get(back).status_code == 403
    assert client.get("/login/provider/back/").status_code == 403
    assert client.get("/login/provider/back/?error=access_denied&error_description=<b>").status_code == 403


def test_the_code_is_bound_to_a_challenge_and_a_nonce(switched_on: Callable[..., None]) -> None:
    query = parse_qs(urlsplit(browser().get(reverse("oidc")).headers["Location"]).query)
    assert query["code_challenge_method"] == ["S256"]
    assert {"nonce", "state", "code_challenge"} <= set(query)
    assert query["redirect_uri"] == ["http://localhost/login/provider/back/"]


def test_a_token_with_another_nonce_opens_nothing(switched_on: Callable[..., None]) -> None:
    client = browser()
    back = sent_back(client, "ann")
    session = client.session
    name = next(key for key in session.keys() if key.startswith("_state_"))  # noqa: SIM118 - a session cannot be iterated
    session[name] = {**session[name], "data": {**session[name]["data"], "nonce": "another"}}
    session.save()
    assert (client.get(back).status_code, User.objects.count()) == (403, 0)
    assert "nonce" not in AuditEntry.objects.get().details


def test_only_addresses_of_this_service_are_gone_on_to(switched_on: Callable[..., None]) -> None:
    for onward in ("https://evil.example.org/", "//evil.example.org/", "javascript:alert(1)", "\\\\evil.example.org"):
        assert come(browser(), onward=onward).headers["Location"] == "/"


def test_a_wrong_secret_and_a_provider_of_another_name_let_nobody_in(
    switched_on: Callable[..., None], provider: RunningProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRON, "LEAKSCREEN_OIDC_SECRET", "another secret")
    switched_on()
    assert come(browser()).status_code == 403
    switched_on(issuer=provider.issuer + "/")
    assert browser().get(reverse("oidc")).status_code == 502
    assert AuditEntry.objects.filter(details__contains="issuer is not oidc.issuer").count() == 1
    assert not AuditEntry.objects.filter(details__contains="secret").exists()


def test_a_provider_that_does_not_answer_is_told_and_passwords_still_work(switched_on: Callable[..., None]) -> None:
    switched_on(issuer="http://127.0.0.1:1/o", timeout=0.5)
    page = browser().get(reverse("oidc"))
    assert page.status_code == 502
    assert "is not available now" in page.content.decode() and 'name="password"' in page.content.decode()


def test_without_passwords_the_provider_is_the_only_door(switched_on: Callable[..., None]) -> None:
    user = make_user("old", "manager")
    user.set_password("correct horse battery")
    user.save()
    switched_on(passwords=False)
    assert 'name="password"' not in browser().get("/login/").content.decode()
    assert log_in(browser(), "old", "correct horse battery").status_code == 403
    assert come(browser()).status_code == 302


def test_people_have_to_come_from_there_again_after_a_while(switched_on: Callable[..., None]) -> None:
    switched_on(hours=2)
    come(client := browser())
    session = client.session
    assert time.time() + 7_000 < session[OIDC_UNTIL] < time.time() + 7_300
    session[OIDC_UNTIL] = time.time() - 1
    session.save()
    assert client.get("/").headers["Location"].startswith("/login/")


def test_a_manager_cannot_change_what_the_provider_decides(switched_on: Callable[..., None]) -> None:
    come(browser())
    ann, boss = User.objects.get(username="ann"), make_user("boss", "manager")
    data = {
        "username": "annie",
        "email": "a@example.org",
        "roles": ["auditor"],
        "password": "correct horse battery",
        "active": "on",
    }
    page = browser(boss).get(reverse("person", args=[ann.pk])).content.decode()
    assert "logs in with Example Health" in page
    assert browser(boss).post(reverse("person", args=[ann.pk]), data).status_code == 302
    ann.refresh_from_db()
    assert (ann.username, ann.email, roles_of("ann"), ann.has_usable_password()) == (
        "ann",
        "a@example.org",
        ["reviewer"],
        False,
    )


def test_in_a_browser_the_content_policy_lets_people_pass(switched_on: Callable[..., None]) -> None:
    with serving() as address, chromium() as driver:
        looking = Browser(driver, address)
        looking.go("/referrals/")
        assert looking.faults() == []
        looking.keys("\ue004", "\ue004", "\ue007", leaves=True)
        looking.keys("ann", "\ue004", PASSWORD, "\ue007", leaves=True)
        assert looking.path == "/referrals/"
        assert [
            complaint for complaint in looking.complaints() if "favicon.ico" not in complaint
        ] == []  # the provider has none


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"issuer": "http://login.example.org"}, "oidc.issuer"),
        ({"issuer": "login.example.org"}, "oidc.issuer"),
        ({"client_id": ""}, "oidc.client_id"),
        ({"scopes": ("profile",)}, "oidc.scopes"),
        ({"roles": ()}, "oidc.roles"),
        ({"roles": ("boss=group",)}, "oidc.roles"),
        ({"roles": ("reviewer",)}, "oidc.roles"),
        ({"issuer": "", "passwords": False}, "oidc.passwords"),
    ],
)
def test_settings_that_make_no_door_are_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        provider_of(
            OidcSettings(**{"issuer": "https://login.example.org", "client_id": "x", "roles": ROLES, **given}), ENVIRON
        )


def test_the_secret_comes_from_the_environment_or_a_private_file_alone(tmp_path: Path) -> None:
    oidc = OidcSettings(
        issuer="https://login.example.org", client_id="x", roles=ROLES, secret_file=str(tmp_path / "secret")
    )
    with pytest.raises(SettingsError, match="cannot be read"):
        provider_of(oidc, {})
    (tmp_path / "secret").write_text("of the file\n")
    (tmp_path / "secret").chmod(0o640)
    with pytest.raises(SettingsError, match="others can read"):
        provider_of(oidc, {})
    (tmp_path / "secret").chmod(0o600)
    provided = provider_of(oidc, {})
    assert provided and (provided.secret, "of the file" in repr(provided)) == ("of the file", False)
    with pytest.raises(SettingsError, match="LEAKSCREEN_OIDC_SECRET"):
        provider_of(dataclasses.replace(oidc, secret_file=""), {})
    with pytest.raises(SettingsError, match="oidc"):
        load_settings({"oidc.secret": "in the settings"}, environ={})


def test_no_token_without_a_signature_is_ever_believed(provider: RunningProvider) -> None:
    found = provider_of(OidcSettings(issuer=provider.issuer, client_id="x", roles=ROLES), ENVIRON)
    assert found
    metadata = {"issuer": provider.issuer, "id_token_signing_alg_values_supported": ["none", "HS256", "RS256"]}
    found._check(metadata)
    assert metadata["id_token_signing_alg_values_supported"] == ["RS256"]


def test_where_the_provider_makes_managers_the_first_start_asks_for_none(switched_on: Callable[..., None]) -> None:
    assert ensure_manager({}) is None
    assert (
        ensure_manager({"LEAKSCREEN_MANAGER": "boss", "LEAKSCREEN_MANAGER_PASSWORD": "correct horse battery"}) == "boss"
    )
    User.objects.all().delete()
    switched_on(roles=("reviewer=privacy-office",))
    with pytest.raises(ReviewError, match="there is no manager yet"):
        ensure_manager({})


def test_roles_are_given_to_groups_that_exist(switched_on: Callable[..., None]) -> None:
    assert set(Group.objects.values_list("name", flat=True)) >= {entry.partition("=")[0] for entry in ROLES}
