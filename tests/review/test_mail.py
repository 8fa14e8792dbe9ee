"""Mails go to a real server, by STARTTLS and TLS with a log-in; none is lost, and none has two Message-IDs."""

import os
import random
import re
import subprocess
import sys
import time
from collections import defaultdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from core.errors import SettingsError
from review.audit import verify
from review.models import AuditEntry, Outbox
from review.notify.mail import PASSWORD_IN_ENV, MailServer
from review.notify.outbox import Sent, put_in_outbox, retry_refused, send_due, wait_after
from review.referrals.retention import purge
from tests.review.conftest import KEY, make_user
from tests.review.mail_servers import PASSWORD, USER, Authority, Post, running_server
from tests.review.telling import NOON, HandClock, mail_settings, take_in, use_settings

pytestmark = pytest.mark.filterwarnings(
    "ignore:Requiring AUTH while not requiring TLS"
)  # the server does not see its own TLS

PEOPLE = 4
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def waiting(database_url: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The Message-IDs of digests that are in the outbox, one for each of some people."""
    use_settings(monkeypatch, mail=mail_settings())
    for number in range(PEOPLE):
        make_user(f"person{number}", "reviewer")
    take_in(2)
    put_in_outbox(NOON)
    return sorted(Outbox.objects.values_list("message_id", flat=True))


def send(port: int, clock: HandClock | None = None, **how: Any) -> Sent:
    return send_due(
        {"mail": MailServer(mail_settings(port=port, **how), {PASSWORD_IN_ENV: PASSWORD})}, clock or HandClock()
    )


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_mails_are_sent_once_encrypted_and_after_a_log_in(
    waiting: list[str], authority: Authority, security: str
) -> None:
    post = Post()
    with running_server(post, authority, security) as port:
        for expected in (PEOPLE, 0):
            assert (
                send(port, host="localhost", security=security, ca_file=str(authority.file), user=USER).sent == expected
            )
    assert sorted(post.ids) == waiting
    mail = post.mails[0]
    assert (mail["From"], mail["Auto-Submitted"]) == ("Ward 7 <digest@example.org>", "auto-generated")
    assert {part.get_content_type() for part in mail.iter_parts()} == {"text/plain", "text/html"}
    assert {str(each["To"]) for each in post.mails} == {f"person{number}@example.org" for number in range(PEOPLE)}
    assert AuditEntry.objects.filter(action="sent").count() == PEOPLE
    assert verify()[1] == []


def test_digests_are_in_french_where_settings_say_so(
    database_url: str, monkeypatch: pytest.MonkeyPatch, authority: Authority
) -> None:
    use_settings(monkeypatch, mail=mail_settings(language="fr"))
    make_user("person0", "reviewer")
    take_in(2)
    put_in_outbox(NOON)
    post = Post()
    with running_server(post, authority, "starttls") as port:
        assert send(port, host="localhost", security="starttls", ca_file=str(authority.file), user=USER).sent == 1
    mail = post.mails[0]
    plain, page = (part.get_content() for part in mail.iter_parts())
    assert "à examiner" in str(mail["Subject"]) and 'lang="fr"' in page
    for text in (str(mail["Subject"]), plain, page):
        assert not re.search(r"\b(?:waiting for|review for|at most once|overdue|what waits)\b", text)


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"user": "somebody"}, "refuses the log-in"),
        ({"ca_file": ""}, "cannot be trusted"),
        ({"host": "127.0.0.1", "security": "none", "user": ""}, "refuses mail.sender"),
        ({"security": "tls"}, "see mail"),
    ],
)
def test_without_trust_or_log_in_nothing_is_sent(
    waiting: list[str], authority: Authority, how: dict[str, Any], what: str
) -> None:
    post = Post()
    usual: dict[str, Any] = {"host": "localhost", "security": "starttls", "ca_file": str(authority.file), "user": USER}
    with running_server(post, authority, "starttls") as port:
        outcome = send(port, **{**usual, **how})
        assert (outcome.sent, outcome.failed, outcome.waiting) == (0, 1, PEOPLE)
        assert what in outcome.faults[0]
        assert PASSWORD not in outcome.faults[0]
        later = HandClock()
        later.forward(hours=7)
        assert send(port, later, **usual).sent == PEOPLE
    assert sorted(post.ids) == waiting


def test_a_server_that_is_down_loses_nothing_and_repeats_nothing(waiting: list[str]) -> None:
    post, clock = Post(), HandClock()
    with running_server(post) as port:
        pass
    outcome = send(port, clock)
    assert (outcome.sent, outcome.failed, outcome.waiting) == (0, 1, PEOPLE)
    assert "cannot be reached" in outcome.faults[0]
    clock.forward(hours=7)
    with running_server(post, port=port):
        assert send(port, clock).sent == PEOPLE
        assert send(port, clock).sent == 0
    assert sorted(post.ids) == waiting


def test_a_refused_address_holds_up_nobody_else(waiting: list[str]) -> None:
    post, clock = Post(), HandClock()
    post.answer_recipient = lambda recipient: "550 no such person" if recipient.startswith("person1") else "250 OK"
    with running_server(post) as port:
        outcome = send(port, clock)
        assert (outcome.sent, outcome.refused, outcome.waiting) == (PEOPLE - 1, 1, 0)
        assert "550" in outcome.faults[0]
        clock.forward(days=1)
        assert send(port, clock).sent == 0
        post.answer_recipient = lambda recipient: "250 OK"
        assert retry_refused() == 1
        assert send(port, clock).sent == 1
    assert sorted(post.ids) == waiting


@pytest.mark.parametrize("answer", ["451 later", "421 closing"])
def test_what_is_put_off_comes_later(waiting: list[str], answer: str) -> None:
    post, clock = Post(), HandClock()
    post.answer = lambda number, recipient: answer if number == 1 else "250 OK"
    with running_server(post) as port:
        assert send(port, clock).failed == 1
        for _ in range(3):
            clock.forward(hours=7)
            send(port, clock)
    assert sorted(post.ids) == waiting
    assert Outbox.objects.filter(sent=None).count() == 0


def test_a_server_that_dies_after_taking_gets_the_same_mail_again(waiting: list[str]) -> None:
    post, clock = Post(), HandClock()
    post.broken = lambda number: number in (2, 3)
    with running_server(post) as port:
        for _ in range(4):
            send(port, clock)
            clock.forward(hours=7)
    assert set(post.ids) == set(waiting)
    assert len(post.ids) == PEOPLE + 2
    assert len(set(post.taken)) == PEOPLE  # byte for byte the same
    assert Outbox.objects.filter(sent=None).count() == 0


def test_who_left_gets_nothing(waiting: list[str]) -> None:
    post = Post()
    User.objects.filter(username="person0").update(is_active=False)
    User.objects.filter(username="person1").update(email="a@example.org\r\nBcc: b@example.org")
    with running_server(post) as port:
        outcome = send(port)
    assert (outcome.sent, outcome.refused) == (PEOPLE - 2, 2)


def test_another_process_leaves_what_is_being_sent_alone(waiting: list[str]) -> None:
    post = Post()
    with running_server(post) as port:
        inner: list[Sent] = []
        post.answer = lambda number, recipient: "250 OK"

        class Twice(MailServer):
            def send(self, row: Outbox) -> None:
                if not inner:
                    inner.append(send(port))
                super().send(row)

        outcome = send_due({"mail": Twice(mail_settings(port=port), {})}, HandClock())
    assert (inner[0].sent, outcome.sent) == (PEOPLE - 1, 1)
    assert sorted(post.ids) == waiting


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"host": "mail.example.org"}, r"mail\.security"),
        ({"user": "ann"}, PASSWORD_IN_ENV),
        ({"security": "tls", "ca_file": "/nonexistent"}, r"mail\.ca_file"),
        ({"user": "ann", "password_file": "/nonexistent"}, r"mail\.password_file"),
        ({"sender": "nobody"}, r"mail\.sender"),
        ({"site": "a\nb"}, r"mail\.site"),
    ],
)
def test_unfit_settings_are_refused_before_anything_is_sent(how: dict[str, str], what: str) -> None:
    with pytest.raises(SettingsError, match=what):
        MailServer(mail_settings(**how), {})


def test_a_password_file_is_private(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(PASSWORD + "\n")
    file.chmod(0o640)
    with pytest.raises(SettingsError, match="chmod 600"):
        MailServer(mail_settings(user=USER, password_file=str(file)), {})
    file.chmod(0o600)
    MailServer(mail_settings(user=USER, password_file=str(file)), {})


def test_what_was_sent_or_refused_long_ago_is_purged_and_what_waits_is_kept(waiting: list[str]) -> None:
    for number, column in enumerate(("sent", "refused")):
        Outbox.objects.filter(pk=waiting[number]).update(**{column: NOON})
    assert purge(NOON + timedelta(days=1)).mails == 2
    assert sorted(Outbox.objects.values_list("pk", flat=True)) == waiting[2:]


def test_waits_grow_and_end() -> None:
    waits = [wait_after(attempts).total_seconds() / 60 for attempts in range(1, 40)]
    assert waits[:4] == [1, 2, 4, 8]
    assert waits == sorted(waits)
    assert waits[-1] == 360


WORKER = """
import sys
from datetime import timedelta
from core.settings import load_settings
from review.service.configuration import configure
key, url, port, hours = sys.argv[1:]
configure(load_settings({"review.database": url}, environ={}), {"LEAKSCREEN_SECRET_KEY": key, "HOME": "/nonexistent"})
from review.notify.mail import MailServer
from review.notify.outbox import send_due
from tests.review.telling import NOON, mail_settings
print("started", flush=True)
send_due({"mail": MailServer(mail_settings(port=int(port)), {})}, lambda: NOON + timedelta(hours=float(hours)))
"""


def test_killed_at_random_moments_every_mail_arrives_under_one_message_id(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_settings(monkeypatch, mail=mail_settings())
    for number in range(30):
        make_user(f"person{number}", "reviewer")
    take_in(1)
    put_in_outbox(NOON)
    expected, chance, post = set(Outbox.objects.values_list("message_id", flat=True)), random.Random(5), Post()

    def slowly(number: int, recipient: str) -> str:
        time.sleep(0.01)
        return "250 OK"

    post.answer = slowly
    with running_server(post) as port:
        for attempt in range(5):
            command = [sys.executable, "-c", WORKER, KEY, database_url, str(port), str(attempt * 7)]
            with subprocess.Popen(
                command, cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
            ) as process:
                assert process.stdout and process.stdout.readline() == b"started\n"
                if attempt < 4:
                    time.sleep(chance.uniform(0.02, 0.25))
                    process.kill()
                process.wait()
    bodies: dict[str, set[bytes]] = defaultdict(set)
    for identity, content in zip(post.ids, post.taken, strict=True):
        bodies[identity].add(content)
    assert set(bodies) == expected
    assert all(len(each) == 1 for each in bodies.values())
    assert Outbox.objects.filter(sent=None).count() == 0
    assert len(post.ids) <= len(expected) + 4  # a kill repeats one at most
    assert verify()[1] == []
