"""Managers make accounts and give roles; every change is on record."""

import json

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from review.models import AuditEntry
from tests.review.conftest import PASSWORD, make_user
from tests.review.test_access import browser

pytestmark = pytest.mark.usefixtures("database_url")


def test_a_manager_adds_somebody_who_can_then_log_in() -> None:
    client = browser(make_user("boss", "manager"))
    sent = {"username": "ann", "email": "ann@example.org", "roles": ["reviewer"], "password": PASSWORD, "active": "on"}
    assert client.post(reverse("person-new"), sent).status_code == 302
    assert browser().post(reverse("login"), {"username": "ann", "password": PASSWORD}).status_code == 302
    details = json.loads(AuditEntry.objects.get(action="person").details)
    assert (details["new"], details["roles"], details["password"]) == (True, ["reviewer"], True)
    assert PASSWORD not in str(list(AuditEntry.objects.values_list("details", flat=True)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"password": "short"},
        {"password": "password1234"},
        {"username": "BOSS"},
        {"username": "a b"},
        {"roles": ["root"]},
        {"password": ""},
    ],
)
def test_unfit_accounts_are_refused(wrong: dict[str, object]) -> None:
    client = browser(make_user("boss", "manager"))
    sent = {"username": "ann", "roles": ["reviewer"], "password": PASSWORD, "active": "on", **wrong}
    response = client.post(reverse("person-new"), sent)
    assert (response.status_code, User.objects.count()) == (200, 1)
    assert b'role="alert"' in response.content


def test_a_manager_cannot_lock_themselves_out() -> None:
    boss = make_user("boss", "manager")
    browser(boss).post(reverse("person", args=[boss.pk]), {"username": "boss", "roles": ["reviewer"], "active": "on"})
    assert [group.name for group in boss.groups.all()] == ["manager"]
