"""A scheduled scan, its referrals and its mails, as processes; and a scheduler that is killed in the middle."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from leakscreen.demo import make_share
from leakscreen.schedules.lock import HeldError, locked
from review.models import Outbox, Referral
from tests.end_to_end.conftest import KEY, Ran, run_leakscreen
from tests.end_to_end.test_crash import tree_below
from tests.review.conftest import make_user, use_database
from tests.review.mail_servers import Post, running_server

SETTINGS = """
[review]
database = "sqlite:///{place}/review.sqlite3"
url = "https://review.example.org"
[mail]
host = "127.0.0.1"
port = {port}
security = "none"
sender = "digest@example.org"
[scan]
workers = 1
unit_files = 2
[[schedule]]
name = "nightly"
cron = "0 2 * * *"
sources = ["{place}/share"]
out = "{place}/out"
"""


class Site:
    def __init__(self, place: Path, port: int) -> None:
        self.place = place
        (place / "leakscreen.toml").write_text(SETTINGS.format(place=place, port=port))
        (place / "state").mkdir()

    def run(self, *words: str) -> Ran:
        return run_leakscreen(
            self.place / "home",
            (*words, "--config", self.place / "leakscreen.toml"),
            environ={"LEAKSCREEN_SECRET_KEY": KEY},
        )

    def seen(self, ago: timedelta) -> None:
        """As if the scheduler had been here then for the first time."""
        event = {
            "at": (datetime.now(UTC) - ago).isoformat(),
            "event": "seen",
            "name": "nightly",
            "cron": "0 2 * * *",
            "zone": "UTC",
        }
        (self.place / "state" / "history.jsonl").write_text(json.dumps(event) + "\n")

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.place / "state" / "history.jsonl").read_text().splitlines()]

    def use_database(self) -> None:
        assert self.run("purge", "--older-than", "1d").code == 0
        use_database(f"sqlite:///{self.place}/review.sqlite3")


def wait_until(condition: Callable[[], bool], seconds: float = 240) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def test_a_missed_run_is_made_up_for_referred_and_told_by_mail(tmp_path: Path) -> None:
    make_share(tmp_path / "share", files=30, seed=5, phi_share=0.3)
    post = Post()
    with running_server(post) as port:
        site = Site(tmp_path, port)
        site.use_database()
        make_user("ann", "reviewer")
        site.seen(timedelta(days=2))
        state = ("--state", str(tmp_path / "state"))
        assert "would run" in site.run("schedule", "--dry-run", *state).out
        ran = site.run("schedule", "--once", *state)
        assert ran.code == 0, ran.err
        again = site.run("schedule", "--once", *state)
        assert (again.code, "nothing is due; next: nightly" in again.err) == (0, True)
    kinds = [event["event"] for event in site.events()]
    assert kinds == ["seen", "started", "step", "step", "step", "finished"]
    assert site.events()[1]["stands_for"] == 2
    assert Referral.objects.count() > 0
    assert post.ids == list(Outbox.objects.exclude(sent=None).values_list("message_id", flat=True))
    assert len(post.ids) == 1
    for file in (tmp_path / "share").rglob("*"):
        assert file.name.encode() not in post.taken[0]
    listed = json.loads(site.run("schedule", "--list", "--json", *state).out)["schedules"]
    assert (listed[0]["name"], listed[0]["last_end"]) == ("nightly", "finished")
    assert "nightly finished" in site.run("schedule", "--history", "5", *state).out


def send_signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def is_free(folder: Path) -> bool:
    try:
        with locked(folder):
            return True
    except HeldError:
        return False


def test_a_killed_scheduler_takes_its_scan_along_and_goes_on_with_it(tmp_path: Path) -> None:
    make_share(tmp_path / "share", files=60, seed=5, phi_share=0.1)
    site, state = Site(tmp_path, 9), tmp_path / "state"
    command = [sys.executable, "-m", "leakscreen", "schedule", "--run", "nightly", "--state", str(state)]
    environ = {**os.environ, "HOME": str(tmp_path / "home"), "LEAKSCREEN_HMAC_KEY": KEY, "LEAKSCREEN_SECRET_KEY": KEY}
    config = ("--config", str(tmp_path / "leakscreen.toml"))
    with subprocess.Popen(
        [*command, *config, "--set", "mail.host="], env=environ, stderr=subprocess.DEVNULL
    ) as running:
        wait_until(lambda: len(list((tmp_path / "out").glob("scan=*/files/*.parquet"))) >= 2)
        stopped = [running.pid, *tree_below(running.pid)]  # or the scan might end before it is killed
        for pid in stopped:
            send_signal(pid, signal.SIGSTOP)
        other = site.run("schedule", "--once", "--state", str(state), "--set", "mail.host=")
        assert (other.code, "already running" in other.err) == (0, True)
        os.kill(running.pid, signal.SIGKILL)
        for pid in stopped[1:]:
            send_signal(pid, signal.SIGCONT)
    wait_until(lambda: is_free(state))
    done = len(list((tmp_path / "out").glob("scan=*/files/*.parquet")))
    again = site.run("schedule", "--once", "--state", str(state), "--set", "mail.host=")
    assert again.code == 0, again.err
    assert "was interrupted" in again.err
    (folder,) = (tmp_path / "out").iterdir()
    assert (folder / "summary.json").exists()
    assert len(list((folder / "files").glob("*.parquet"))) > done
    events = site.events()
    assert [event["event"] for event in events] == [
        "seen",
        "started",
        "interrupted",
        "started",
        "step",
        "step",
        "finished",
    ]
    assert events[3]["attempt"] == 2


def test_notify_prints_what_is_due_and_tells_faults(tmp_path: Path) -> None:
    site = Site(tmp_path, 9)  # nobody listens there
    site.use_database()
    make_user("ann", "reviewer")
    bob = make_user("bob", "reviewer")
    from tests.review.telling import take_in

    take_in(3, asked=datetime.now(UTC))
    type(make_user("eve", "reviewer")).objects.filter(username="eve").update(email="")
    shown = site.run("notify", "--dry-run")
    assert (shown.code, shown.out.count("Message-ID: <day."), Outbox.objects.count()) == (0, 2, 0)
    assert "3 waiting for review" in shown.out
    assert "srv" not in shown.out and "2 digests are due" in shown.out
    bob.is_active = False
    bob.save()
    assert "1 digest is due" in site.run("notify", "--dry-run").out
    bob.is_active = True
    bob.save()
    sent = site.run("notify", "--json")
    assert (sent.code, sent.json["made"], sent.json["sent"], sent.json["waiting"]) == (3, 2, 0, 2)
    assert "127.0.0.1:9 cannot be reached" in sent.err
    assert "eve has no usable e-mail address" in sent.err
    again = site.run("notify", "--json")
    assert (again.json["made"], Outbox.objects.count()) == (0, 2)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("notify", "--set", "mail.host="), "mail.host"),
        (("notify", "--set", "mail.sender="), "mail.sender"),
        (("notify", "--set", "review.url="), "review.url"),
        (("notify", "--set", "webhook.url=https://hooks.example.org"), "LEAKSCREEN_WEBHOOK_SECRET"),
        (("schedule", "--run", "weekly"), "nightly"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, words: tuple[str, ...], what: str) -> None:
    ran = Site(tmp_path, 9).run(*words)
    assert ran.code == 2
    assert what in ran.err
