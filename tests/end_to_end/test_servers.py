"""Scans of real servers by the front door: what is found, what a second scan reads, and no password anywhere."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Run, rows_of
from tests.end_to_end.test_canary import everything_readable
from tests.servers.dovecot import PASSWORD, MailServer, dovecot

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
    assert (first["files"], first["referred"]) == (2, 1)
    (found,) = (row for row in rows_of(home / "out") if row["referred"])
    assert found["uri"].startswith(f"{mails.address}/INBOX/1-") and found["uri"].endswith(".eml!note.txt")
    mails.append("INBOX", DULL)
    again = scanned(leakscreen, mails.address, home / "out", environ)
    assert (again["files"], again["referred"], again["carried"]["files"]) == (3, 1, 2)


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
