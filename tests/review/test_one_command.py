"""One command, one click, one key: from `leakscreen review` to the first verdict; and what its link does not do."""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from selenium.webdriver.common.by import By

from leakscreen.demo import make_share
from review.accounts.one_time import first_account, link_for
from review.models import AuditEntry, Referral, State, Verdict, Vote
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide
from tests.end_to_end.conftest import run_leakscreen
from tests.review.browsing import Browser, chromium
from tests.review.conftest import KEY, make_user
from tests.review.made_rows import facts, many, row


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("one command") / "share"
    make_share(folder, files=40, seed=5, phi_share=0.2)
    return folder


def lines_of(home: Path, *words: str | Path) -> Iterator[str]:
    """What the running command prints, until the generator is closed; then it is stopped."""
    home.mkdir(exist_ok=True)
    environ = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "USER": "pat",
        "LOGNAME": "pat",
        "LEAKSCREEN_HMAC_KEY": KEY,
        "LEAKSCREEN_SECRET_KEY": KEY,
    }
    command = [sys.executable, "-m", "leakscreen", "review", *map(str, words), "--port", "0"]
    process = subprocess.Popen(
        command, env=environ, cwd=home, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    try:
        yield from process.stdout
        raise AssertionError(f"ended with {process.wait()}")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def link_in(lines: Iterator[str]) -> tuple[str, str]:
    shown = ""
    for line in lines:
        shown += line
        if found := re.search(r"Open (http://127\.0\.0\.1:\d+)(/enter/\S+)", line):
            return found[1], found[2]
    raise AssertionError(shown)


def test_one_command_one_click_one_key(share: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    database = home / ".local/share/leakscreen/review.sqlite3"
    running = lines_of(home, share, "--workers", "1")
    try:
        address, link = link_in(running)
        with chromium() as driver:
            browser = Browser(driver, address)
            browser.look()
            browser.go(link)  # the click
            assert browser.path.startswith("/referral/") and "Your verdict" in browser.text
            assert re.search(r"1 of \d+", browser.text) and "Why it was referred" in browser.text
            if folder := os.environ.get("SHOTS"):
                browser.shoot(Path(folder) / "one-command.png")
            browser.keys("p", leaves=True)  # the key
            assert browser.path.startswith("/referral/") and re.search(r"2 of \d+", browser.text)
            with contextlib.closing(sqlite3.connect(database)) as other:  # as another command does, and then closes it
                assert other.execute("SELECT verdict FROM review_vote").fetchall() == [("phi",)]
            browser.keys("n", leaves=True)
            assert browser.path.startswith("/referral/") and re.search(r"3 of \d+", browser.text)
            assert {"Referrals", "Breach"} <= {each.text for each in driver.find_elements(By.CSS_SELECTOR, "nav a")}
            assert browser.complaints() == []
            driver.delete_all_cookies()
            browser.go(link)
            assert "was used before" in browser.text
            browser.complaints()  # the browser logs that the link is gone
    finally:
        running.close()  # type: ignore[attr-defined]
    with contextlib.closing(sqlite3.connect(database)) as other:
        assert other.execute("SELECT verdict FROM review_vote ORDER BY number").fetchall() == [("phi",), ("not_phi",)]
        assert other.execute("SELECT count(*) FROM review_referral WHERE state = 'decided'").fetchone() == (2,)
    again = lines_of(home)  # without a source: the last scan
    try:
        assert link_in(again)[1] != link
    finally:
        again.close()  # type: ignore[attr-defined]


def test_without_a_scan_it_says_what_to_type(tmp_path: Path) -> None:
    ran = run_leakscreen(tmp_path, ("review", "--port", "0"), environ={"LEAKSCREEN_SECRET_KEY": KEY})
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "no scan here yet; name what to scan: leakscreen review FOLDER" in ran.err


def test_each_command_ends_with_the_next_one(share: Path, tmp_path: Path) -> None:
    ran = run_leakscreen(tmp_path, ("scan", share, "--out", tmp_path / "out", "--workers", "1"))
    assert ran.out.splitlines()[-1].startswith(f"Next: leakscreen review --out {tmp_path}/out ")
    ran = run_leakscreen(tmp_path, ("refer", tmp_path / "out"), environ={"LEAKSCREEN_SECRET_KEY": KEY})
    assert ran.out.splitlines()[-1].startswith(f"Next: leakscreen review --out {tmp_path}/out ")


def visit(path: str) -> tuple[int, bool]:
    client = Client(SERVER_NAME="localhost")
    response = client.get(path)
    return response.status_code, "_auth_user_id" in client.session


@pytest.mark.usefixtures("database_url")
class TestLink:
    def test_the_first_account_is_manager_and_reviewer_and_others_make_no_second(self) -> None:
        first = first_account()
        assert set(first.groups.values_list("name", flat=True)) == {"manager", "reviewer"}
        assert not first.has_usable_password()
        assert (first_account(), User.objects.count()) == (first, 1)
        first.username = "somebody else"
        first.save()
        assert (first_account(), User.objects.count()) == (None, 1)

    def test_it_works_once_and_leads_to_the_first_referral(self) -> None:
        Intake(facts()).take(many(2))
        link = link_for(first_account())
        assert visit(link) == (302, True)
        assert visit(link) == (404, False)
        assert AuditEntry.objects.filter(action="log-in").count() == 1
        assert AuditEntry.objects.filter(action="log-in refused", subject="link").count() == 1
        assert link.split("-")[-1].strip("/") not in str([entry.details for entry in AuditEntry.objects.all()])

    def test_no_other_link_works(self, monkeypatch: pytest.MonkeyPatch) -> None:
        first = first_account()
        link = link_for(first)
        other = make_user("ann", "reviewer")
        forged = [link.replace(f"/{first.pk}-", f"/{other.pk}-"), f"{link[:-2]}/", "/enter/0-0-0/", "/enter/x/"]
        assert [visit(each) for each in forged] == [(404, False)] * 4
        first.is_active = False
        first.save()
        assert visit(link) == (404, False)

    def test_it_ends_after_an_hour(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from datetime import datetime, timedelta

        from django.contrib.auth.tokens import PasswordResetTokenGenerator

        link = link_for(first_account())
        later = datetime.now() + timedelta(minutes=61)
        monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda _: later)
        assert visit(link) == (404, False)


@pytest.mark.usefixtures("database_url")
class TestAlone:
    def test_one_vote_decides_until_there_is_a_second_reviewer(self) -> None:
        Intake(facts()).take([row("/srv/a"), row("/srv/b")])
        one, two = Referral.objects.order_by("pk")
        ann = make_user("ann", "reviewer", "manager")
        decide(one.pk, ann, Judgement(Verdict.PHI, "token-1"))
        make_user("bob", "reviewer")
        decide(two.pk, ann, Judgement(Verdict.PHI, "token-2"))
        assert list(Referral.objects.order_by("pk").values_list("state", flat=True)) == [State.DECIDED, State.SECOND]
        details = [entry.details for entry in AuditEntry.objects.filter(action="decision").order_by("number")]
        assert ['"alone": true' in each or '"alone":true' in each for each in details] == [True, False]
        assert Vote.objects.count() == 2
