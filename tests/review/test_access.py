"""Every address, for every role and for nobody; and what a log-in has to stand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from core.settings import load_settings
from review.accounts.roles import Role
from review.api.tokens import make_token
from review.marking.marking import make_session
from review.models import AuditEntry, Case, CaseState, Lockout, Referral, SavedView, Vote
from review.referrals.intake import Intake
from review.service.configuration import configuration
from tests.review.conftest import KEY, PASSWORD, make_user
from tests.review.made_rows import facts, row

pytestmark = pytest.mark.usefixtures("database_url")

EVERYBODY = frozenset(Role)
WORKERS = frozenset({Role.REVIEWER, Role.ADJUDICATOR})
READERS = WORKERS | {Role.MANAGER}
OVERSEERS = frozenset({Role.MANAGER, Role.AUDITOR})
MANAGERS = frozenset({Role.MANAGER})


@dataclass(frozen=True, slots=True)
class Address:
    roles: frozenset[Role]
    post: bool = False
    key: str = ""
    data: dict[str, str] = field(default_factory=dict)
    for_nobody: bool = False
    off: bool = False  # as long as the settings do not switch it on, there is nothing


ADDRESSES = {
    "home": Address(EVERYBODY),
    "alive": Address(EVERYBODY, for_nobody=True),
    "login": Address(EVERYBODY, for_nobody=True),
    "oidc": Address(EVERYBODY, for_nobody=True, off=True),
    "oidc-back": Address(EVERYBODY, for_nobody=True, off=True),
    "enter": Address(EVERYBODY, for_nobody=True, key="referral", off=True),  # no link was made
    "logout": Address(EVERYBODY, post=True),
    "password": Address(EVERYBODY),
    "list": Address(READERS),
    "group": Address(READERS, key="referral"),
    "group-judge": Address(
        WORKERS, post=True, key="referral", data={"verdict": "phi", "token": "0123456789abcdef", "members": "x"}
    ),
    "view-save": Address(READERS, post=True, data={"name": "high ones", "query": "risk=high"}),
    "view": Address(READERS, key="view"),
    "view-remove": Address(READERS, post=True, key="view"),
    "ignore": Address(MANAGERS, post=True, key="referral", data={"what": "folder:/srv", "expires": "2099-01-01"}),
    "ignored": Address(OVERSEERS),
    "next": Address(WORKERS, post=True),
    "referral": Address(READERS, key="referral"),
    "judge": Address(WORKERS, post=True, key="referral", data={"verdict": "phi", "token": "0123456789abcdef"}),
    "passage": Address(frozenset({Role.REVIEWER}), key="referral"),
    "reveal": Address(frozenset({Role.REVIEWER}), post=True, key="referral", data={"reason": "to be sure"}),
    "undo": Address(WORKERS, post=True, key="vote"),
    "cases": Address(READERS),
    "cases-export": Address(READERS),
    "case": Address(READERS, key="referral"),
    "case-change": Address(READERS, post=True, key="referral", data={"note": "spoke with the owner"}),
    "case-act": Address(READERS, post=True, key="referral", data={"kind": "delete"}),
    "case-act-wish": Address(READERS, post=True, key="referral", data={"wish": "approve"}),
    "case-export": Address(READERS, key="referral"),
    "breach": Address(OVERSEERS),
    "breach-file": Address(MANAGERS),
    "scans": Address(OVERSEERS),
    "scans-start": Address(MANAGERS, post=True, data={"source": "/srv"}),
    "scans-progress": Address(OVERSEERS),
    "scans-compare": Address(OVERSEERS),
    "dashboard": Address(OVERSEERS),
    "dashboard-time": Address(OVERSEERS),
    "dashboard-compare": Address(OVERSEERS),
    "dashboard-what-if": Address(OVERSEERS),
    "dashboard-queues": Address(EVERYBODY),
    "dashboard-scan": Address(OVERSEERS),
    "dashboard-files": Address(MANAGERS),
    "dashboard-folders": Address(OVERSEERS),
    "agreement": Address(OVERSEERS),
    "samples": Address(OVERSEERS),
    "audit": Address(OVERSEERS),
    "audit-check": Address(frozenset({Role.AUDITOR})),
    "labels": Address(MANAGERS),
    "people": Address(MANAGERS),
    "person-new": Address(MANAGERS),
    "person": Address(MANAGERS, key="person"),
    "marking": Address(READERS),
    "marking-session": Address(WORKERS, key="session"),
    "marking-text": Address(WORKERS, post=True, key="text", data={"reason": "to mark it"}),
    "marking-save": Address(WORKERS, post=True, key="text", data={"spans": "[]"}),
    "tokens": Address(MANAGERS),
    "token-revoke": Address(MANAGERS, post=True, key="token"),
}


def browser(user: User | None = None, **how: Any) -> Client:
    client = Client(SERVER_NAME="localhost", **how)
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def referral(database_url: str) -> Referral:
    Intake(facts()).take([row("/srv/<script>alert(1)</script>.txt")])
    found: Referral = Referral.objects.get()
    open_case(found)
    Referral.objects.update(group=found.pk)
    return found


def open_case(referral: Referral) -> None:
    now = timezone.now()
    Case.objects.create(referral=referral, state=CaseState.OPEN, round=0, opened=now, changed=now)


def address_of(name: str, keys: dict[str, Any]) -> str:
    """A text to mark is named by its session and its referral."""
    key = ADDRESSES[name].key
    if key == "text":
        return str(reverse(name, args=[keys["session"], keys["referral"]]))
    return str(reverse(name, args=[keys[key]] if key else []))


def ask(client: Client, name: str, keys: dict[str, Any]) -> Any:
    address = ADDRESSES[name]
    url = address_of(name, keys)
    return client.post(url, address.data) if address.post else client.get(url)


def vote_of(voter: User, referral: Referral) -> Vote:
    number = Vote.objects.count() + 1
    vote = Vote(
        referral=referral,
        number=number,
        round=1,
        reviewer=voter,
        part="review",
        verdict="phi",
        at=timezone.now(),
        token="a vote",
    )
    vote.save()
    return vote


def token_of(owner: User) -> int:
    return int(make_token(owner, "a test", ["audit:read"], 1, "mia")[0].pk)


def test_every_address_has_an_entry_here() -> None:
    """Those of the API are in test_api.py."""
    pages = [pattern for pattern in get_resolver().url_patterns if isinstance(pattern, URLPattern)]
    assert {pattern.name for pattern in pages} == set(ADDRESSES)


@pytest.mark.parametrize("role", [*Role, "none", None], ids=str)
def test_every_address_for_every_role_and_for_nobody(role: Role | str | None, referral: Referral) -> None:
    """A role without a permission is told so; nobody is sent to log in, and learns nothing else."""
    user = make_user("someone", *([role] if isinstance(role, Role) else [])) if role else None
    voter = user if role in WORKERS and user else make_user("voter", "reviewer")
    keys = {
        "referral": referral.pk,
        "person": voter.pk,
        "token": token_of(voter),
        "session": make_session("a", "mia").pk,
    }
    for name, address in ADDRESSES.items():
        keys["vote"] = vote_of(voter, referral).pk if name == "undo" else 0
        keys["view"] = SavedView.objects.get_or_create(owner=user or voter, name="a view")[0].pk
        response = ask(browser(user), name, keys)
        if address.off:
            assert (name, response.status_code) == (name, 404)
        elif user is None and not address.for_nobody:
            assert (name, response.status_code, response.headers["Location"].partition("?")[0]) == (
                name,
                302,
                "/login/",
            )
        elif (
            user is None
            or role in address.roles
            or (role == "none" and name in ("alive", "login", "logout", "password"))
        ):
            assert (name, response.status_code in (200, 302)) == (name, True)
            assert not response.headers.get("Location", "").startswith("/login/") or name == "logout"
        else:
            assert (name, response.status_code) == (name, 403)
        assert b"<script>alert" not in response.content
        assert "'unsafe" not in response.headers["Content-Security-Policy"]
        assert response.headers["Cache-Control"]


def test_a_queue_of_named_people_is_closed_at_every_address(database_url: str) -> None:
    """To reviewers and auditors alike who are not among them, by guessing at keys and queues too."""
    Intake(facts()).take([row("/srv/ward-seven/list.txt")])
    referral, bob = Referral.objects.get(), make_user("bob", "reviewer")
    open_case(referral)
    referral.queue.reviewers.set([bob])
    vote = vote_of(bob, referral)
    for user in (make_user("ann", "reviewer"), make_user("eve", "reviewer", "auditor")):
        client = browser(user)
        view = SavedView.objects.get_or_create(owner=bob, name="of bob", query="q=ward-seven")[0]
        keys = {"referral": referral.pk, "person": bob.pk, "vote": vote.pk, "view": view.pk, "token": token_of(bob)}
        keys["session"] = make_session("a", "mia").pk
        for name, address in ADDRESSES.items():
            if name == "logout":
                continue
            response = ask(client, name, keys)
            assert (name, b"ward-seven" in response.content) == (name, False)
            closed = address.key not in ("", "session")  # a session has no queue
            assert not closed or (name, response.status_code) in ((name, 403), (name, 404))
        for data in ({"queue": referral.queue_id}, {"queue": referral.queue.name}):
            assert client.post(reverse("next"), data).headers.get("Location", "").find(str(referral.pk)) < 0
            assert b"ward-seven" not in client.get(reverse("list"), data).content
    referral.refresh_from_db()
    assert (referral.leased_to_id, Vote.objects.count()) == (None, 1)


def test_a_vote_cannot_be_withdrawn_from_a_queue_that_closed_since(referral: Referral) -> None:
    ann = make_user("ann", "reviewer")
    vote = vote_of(ann, referral)
    referral.queue.reviewers.set([make_user("bob", "reviewer")])
    assert browser(ann).post(reverse("undo", args=[vote.pk])).status_code == 404
    assert list(Vote.objects.values_list("pk", flat=True)) == [vote.pk]


@pytest.mark.parametrize("name", [name for name, address in ADDRESSES.items() if address.post])
def test_nothing_is_changed_by_looking_and_nothing_without_a_token(name: str, referral: Referral) -> None:
    user = make_user("ann", *Role)
    keys = {"referral": referral.pk, "vote": 1, "person": user.pk, "token": token_of(user), "session": 1, "view": 1}
    assert browser(user).get(address_of(name, keys)).status_code == 405
    assert ask(browser(user, enforce_csrf_checks=True), name, keys).status_code == 403


@pytest.fixture
def ann(database_url: str) -> User:
    user = make_user("ann", "reviewer")
    user.set_password(PASSWORD)
    user.save()
    return user


def log_in(client: Client, name: str = "ann", password: str = PASSWORD) -> Any:
    return client.post(reverse("login"), {"username": name, "password": password})


def test_passwords_are_kept_by_argon2(ann: User) -> None:
    assert ann.password.startswith("argon2")


def test_a_log_in_opens_the_service_and_a_log_out_closes_it(ann: User) -> None:
    client = browser()
    assert log_in(client).headers["Location"] == "/"
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax"
    assert client.get("/").status_code == 200
    client.post(reverse("logout"))
    assert client.get("/").status_code == 302
    assert list(AuditEntry.objects.values_list("action", flat=True)) == ["log-in", "log-out"]


def test_a_name_is_locked_after_failures_even_for_the_right_password(
    ann: User, review_settings: Callable[..., None]
) -> None:
    review_settings(login_failures=3)
    client = browser()
    assert [log_in(client, password="wrong").status_code for _ in range(3)] == [200] * 3
    assert log_in(client, "ANN").status_code == log_in(client).status_code == 429
    assert client.get("/").status_code == 302
    Lockout.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert log_in(client).status_code == 302
    assert not Lockout.objects.filter(pk="user:ann").exists()


@pytest.mark.parametrize("spelling", [" ann", "ann ", "\u3000ann", "\uff41nn", "\u24d0nn", "Ann\t", "\xa0ann\n"])
def test_another_spelling_of_a_name_is_the_same_name(
    ann: User, review_settings: Callable[..., None], spelling: str
) -> None:
    review_settings(login_failures=3)
    client = browser()
    for _ in range(3):
        log_in(client, spelling, "wrong")
    assert log_in(client).status_code == 429
    assert set(AuditEntry.objects.values_list("actor", flat=True)) <= {"ann", "(unknown)"}
    Lockout.objects.all().delete()
    for _ in range(3):
        log_in(client, password="wrong")
    assert log_in(client, spelling).status_code == 429


def test_an_address_is_locked_after_many_names(ann: User, review_settings: Callable[..., None]) -> None:
    review_settings(login_failures=1)
    client = browser()
    for number in range(10):
        log_in(client, f"nobody{number}")
    assert log_in(client).status_code == 429


def test_what_is_typed_into_the_name_field_is_not_written_down(ann: User) -> None:
    log_in(browser(), "my secret password", "x")
    assert not AuditEntry.objects.filter(actor__contains="secret").exists()
    assert AuditEntry.objects.get().actor == "(unknown)"


def test_a_session_ends_when_it_is_not_used(ann: User) -> None:
    client = browser()
    log_in(client)
    session = client.session
    assert settings.SESSION_COOKIE_AGE - 60 < session.get_expiry_age() <= settings.SESSION_COOKIE_AGE
    session.set_expiry(-1)
    session.save()
    assert client.get("/").status_code == 302


def test_who_may_not_log_in_any_more_is_out_at_once(ann: User) -> None:
    client = browser(ann)
    assert client.get("/").status_code == 200
    User.objects.update(is_active=False)
    assert client.get("/").status_code == 302


def test_an_https_address_makes_cookies_secure_and_sends_hsts(ann: User) -> None:
    chosen = {"review.url": "https://review.example.org", "review.proxy": "127.0.0.1"}
    secure = configuration(load_settings(chosen, environ={}), {"LEAKSCREEN_SECRET_KEY": KEY, "HOME": "/nonexistent"})
    names = [name for name in secure if name.startswith(("SECURE_", "SESSION_COOKIE", "CSRF_", "ALLOWED"))]
    with override_settings(**{name: secure[name] for name in names}):
        client = Client(SERVER_NAME="review.example.org", headers={"x-forwarded-proto": "https"})
        response = log_in(client)
        assert response.status_code == 302
        assert client.cookies["sessionid"]["secure"]
        assert "max-age=31536000" in response.headers["Strict-Transport-Security"]
        assert Client(SERVER_NAME="review.example.org").get("/").headers["Location"].startswith("https://")
        assert Client(SERVER_NAME="evil.example.org").get("/", secure=True).status_code == 400
