"""Scans of real servers by the front door: what is found, what a second scan reads, and no password anywhere."""

import mailbox
import os
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from datetime import time as time_of_day
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import KEY, Run, rows_of
from tests.end_to_end.test_canary import everything_readable
from tests.servers import samba as of_samba
from tests.servers.dovecot import PASSWORD, MailServer, dovecot
from tests.servers.samba import FileServer, samba

LETTER = (
    "Patient: Gunhild Vasquezthorne, born 4 May 1961, health card 5584-486-674-YM, phone 613-555-0173.\n"
    "History of present illness: chest pain and dyspnea for two days. Type 2 diabetes mellitus, hypertension.\n"
    "Medications: metformin 500 mg, lisinopril 10 mg. Assessment: acute myocardial infarction. BP 150/95.\n"
)
DULL = "The canteen opens at noon.\n"


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MailServer]:
    with dovecot(tmp_path_factory.mktemp("dovecot")) as running:
        yield running


def scanned(leakscreen: Run, source: str, out: Path, environ: dict[str, str], *words: str) -> dict[str, Any]:
    ran = leakscreen("scan", source, "--out", out, "--workers", "1", "--json", "--quiet", *words, environ=environ)
    assert ran.code in (0, 3), ran.err
    return ran.json


def test_a_mailbox_is_scanned_and_only_new_mails_are_read_again(leakscreen: Run, mails: MailServer, home: Path) -> None:
    mails.append("INBOX", DULL, attached=LETTER.encode())
    mails.append("Old", DULL)
    environ = {"SSL_CERT_FILE": str(mails.authority), "LEAKSCREEN_SOURCE_PASSWORD": PASSWORD}
    first = scanned(leakscreen, mails.address, home / "out", environ)
    assert (first["files"], first["referred"]) == (3, 1)  # one is in a folder that is shared with everybody
    (found,) = (row for row in rows_of(home / "out") if row["referred"])
    assert found["uri"].startswith(f"{mails.address}/INBOX/1-") and found["uri"].endswith(".eml!note.txt")
    mails.append("INBOX", DULL)
    again = scanned(leakscreen, mails.address, home / "out", environ)
    assert (again["files"], again["referred"], again["carried"]["files"]) == (4, 1, 3)


def test_no_password_is_left_anywhere(leakscreen: Run, mails: MailServer, home: Path) -> None:
    mails.append("Canary", DULL, LETTER)
    environ = {"SSL_CERT_FILE": str(mails.authority), "LEAKSCREEN_SOURCE_PASSWORD": PASSWORD}
    seen: list[bytes] = []
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.05):
            for process in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    seen.append(process.read_bytes())
                except OSError:
                    continue

    watching = threading.Thread(target=look)
    watching.start()
    try:
        ran = leakscreen("scan", f"{mails.address}/Canary", "--out", home / "out", environ=environ)
        wrong = leakscreen(
            "scan", mails.address, "--out", home / "two", environ={**environ, "LEAKSCREEN_SOURCE_PASSWORD": "wr0ng-one"}
        )
        given = leakscreen("scan", mails.address.replace("alice@", "alice:in-the-address@"), "--out", home / "three")
    finally:
        over.set()
        watching.join()
    assert ran.code == 0 and wrong.code == 2 and "refused user or password" in wrong.err, (ran.err, wrong.err)
    assert given.code == 2 and "write it without" in given.err and "in-the-address" not in given.err
    assert any(b"leakscreen" in line for line in seen)
    texts = [everything_readable(file) for file in home.rglob("*") if file.is_file()]
    texts += [text.encode() for one in (ran, wrong, given) for text in (one.out, one.err)]
    assert len(texts) > 6 and any(b"Canary" in text for text in texts)
    for secret in (PASSWORD.encode(), b"wr0ng-one"):
        assert not [text for text in (*texts, *seen) if secret in text]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileServer]:
    with samba(tmp_path_factory.mktemp("samba")) as running:
        yield running


def put(server: FileServer, name: str, text: str, days_ago: int = 3) -> None:
    """Written some days ago: what changed just before a scan is read again by the next."""
    path = server.share / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    moment = time.time() - days_ago * 86_400
    os.utime(path, (moment, moment))


def test_a_share_tells_who_may_read_what_leaks(leakscreen: Run, files: FileServer, home: Path) -> None:
    environ = {"LEAKSCREEN_SOURCE_PASSWORD": of_samba.PASSWORD}
    for name, text in (("open.txt", LETTER), ("closed.txt", LETTER + "."), ("dull.txt", DULL)):
        put(files, f"ward/{name}", text)
    if os.geteuid() == 0:
        for path in (files.share / "ward", *(files.share / "ward").iterdir()):
            shutil.chown(path, files.user)
    files.set_list(r"ward\open.txt", "S-1-1-0:ALLOWED/0x0/READ")
    files.set_list(r"ward\closed.txt", f"S-1-22-1-{os.stat(files.share).st_uid}:ALLOWED/0x0/READ")
    source = f"{files.address}/ward"
    first = scanned(leakscreen, source, home / "out", environ)
    assert (first["files"], first["referred"]) == (3, 2)
    access = {row["uri"].rpartition("/")[2]: row["access"] for row in rows_of(home / "out")}
    assert access["open.txt"] == "everyone, own list" and access["closed.txt"].startswith("group, user ")
    again = scanned(leakscreen, source, home / "out", environ)
    assert again["carried"]["files"] == 3
    exported = leakscreen("export", home / "out", "--format", "jsonl")
    assert '"access": "everyone, own list"' in exported.out or '"access":"everyone, own list"' in exported.out


def test_a_share_that_goes_away_in_the_middle_leaves_a_record_for_every_file(
    home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with samba(tmp_path_factory.mktemp("gone")) as server:
        for number in range(60):
            put(server, f"{number:02}.txt", DULL * (number + 1))
        words = ["scan", server.address, "--out", str(home / "out"), "--workers", "1"]
        pace = ["--set", "scan.max_files_per_second=10", "--set", "scan.unit_files=5", "--set", "scan.back_off=0"]
        environ = {"LEAKSCREEN_SOURCE_PASSWORD": of_samba.PASSWORD, "LEAKSCREEN_HMAC_KEY": KEY, "HOME": str(home)}
        scan = subprocess.Popen(
            [sys.executable, "-m", "leakscreen", *words, *pace],
            env={**os.environ, **environ},
            stderr=subprocess.PIPE,
            text=True,
        )
        while not list((home / "out").glob("scan=*/files/*.parquet")) and scan.poll() is None:
            time.sleep(0.05)
    _, said = scan.communicate(timeout=120)
    assert scan.returncode == 3, said
    assert "held back to the pace that is set" in said
    rows = rows_of(home / "out")
    counted = Counter((row["status"], row["reason"].partition(" (")[0]) for row in rows)
    assert len(rows) == 60 and counted["complete", ""] >= 5
    assert counted["unreadable", "the server cannot be reached"] >= 5 and len(counted) == 2, counted


def test_a_scan_outside_its_hours_waits_and_says_so(home: Path, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "a.txt").write_text(DULL)
    now = datetime.now()
    later = time_of_day(0, 30) if now.hour == 23 and now.minute > 50 else (now + timedelta(minutes=5)).time()
    hours = f"scan.hours={later:%H:%M}-{(datetime.combine(now, later) + timedelta(minutes=1)):%H:%M}"
    environ = {**os.environ, "LEAKSCREEN_HMAC_KEY": KEY, "HOME": str(home)}
    command = [sys.executable, "-m", "leakscreen", "scan", str(tmp_path / "source"), "--out", str(home / "out")]
    scan = subprocess.Popen([*command, "--set", hours], env=environ, stderr=subprocess.PIPE, text=True)
    try:
        assert scan.stderr is not None
        said = [scan.stderr.readline(), scan.stderr.readline()]
        assert said[1] == f"paused until {later:%H:%M} (scan.hours)\n"
        assert not list(home.glob("out/scan=*/plan.arrow"))
    finally:
        scan.terminate()
        scan.communicate(timeout=60)


def test_a_maildir_and_an_mbox_are_folders_of_mails(leakscreen: Run, home: Path, tmp_path: Path) -> None:
    letter, dull = EmailMessage(), EmailMessage()
    for mail, text in ((letter, LETTER), (dull, DULL)):
        mail["From"], mail["Subject"] = "ward@example.net", "a letter"
        mail.set_content(text)
    (tmp_path / "source").mkdir()
    kept = mailbox.Maildir(tmp_path / "source" / "Maildir")
    kept.add(letter)
    kept.add_folder("Sent").add(dull)
    box = mailbox.mbox(tmp_path / "source" / "archive")
    box.add(dull)
    box.add(letter)
    box.close()
    told = scanned(leakscreen, str(tmp_path / "source"), home / "out", {})
    rows = {row["uri"].removeprefix(f"{tmp_path}/source/"): row for row in rows_of(home / "out")}
    referred = [uri for uri, row in rows.items() if row["referred"]]
    assert told["referred"] == 2 and sorted(uri.partition("/")[0].partition("!")[0] for uri in referred) == [
        "Maildir", "archive"
    ]  # fmt: skip
    assert {row["media_type"] for uri, row in rows.items() if "/new/" in uri} == {"message/rfc822"}
    assert "archive!message 2" in referred and rows["archive"]["status"] == "container"
