"""From a scan to files that are contained, by the command line: two people, a crash, an undo, and the next scan."""

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from remediation.person import person
from tests.end_to_end.conftest import KEY, Ran, rows_of, run_leakscreen
from tests.end_to_end.test_canary import everything_readable, letter, needles, people
from tests.review.mail_servers import Post, running_server

CONTACT = "privacy@example.net"
OTHER = {"SUDO_UID": "1"}


class Desk:
    """A share with ten letters and an archive, its scan, and commands by one person or another."""

    def __init__(self, place: Path) -> None:
        self.home, self.share, self.out = place / "home", place / "share", place / "out"
        self.said: list[Ran] = []
        self.share.mkdir(parents=True)
        self.people = people()[:10]
        for number, one in enumerate(self.people):
            (self.share / f"letter-{number}.txt").write_text(letter(one))
        with zipfile.ZipFile(self.share / "packed.zip", "w") as archive:
            archive.writestr("inner.txt", letter(self.people[0]) + "again\n")
        assert self.scan().code == 0

    def scan(self) -> Ran:
        return self("scan", self.share, "--out", self.out, "--workers", "1", "--quiet")

    def __call__(self, *words: str | Path, other: bool = False) -> Ran:
        settings = {"LEAKSCREEN_ACT_CONTACT": CONTACT, **(OTHER if other else {})}
        ran = run_leakscreen(self.home, words, environ=settings)
        self.said.append(ran)
        return ran

    def propose(self, kind: str, only: str, *more: str | Path) -> str:
        ran = self("act", "propose", self.out, "--do", kind, "--only", only, "--json", *more)
        assert ran.code == 0, ran.err
        (action,) = json.loads(ran.out)
        return str(action["id"])

    def states(self) -> dict[str, str]:
        return {action["id"]: action["state"] for action in json.loads(self("act", "list", "--json").out)}

    def content(self, name: str) -> str:
        return (self.share / name).read_text()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    if person({}) == person(OTHER):
        pytest.skip("the system knows who logged in here, so that nobody can be two people")
    desk = Desk(tmp_path_factory.mktemp("act"))
    rows = rows_of(desk.out)
    assert sum(row["referred"] for row in rows) == 11
    return desk


def test_two_people_contain_a_file_and_one_gets_it_back(desk: Desk) -> None:
    id = desk.propose("quarantine", "*letter-0.txt")
    before = desk.content("letter-0.txt")
    refused = desk("act", "approve", id)
    assert refused.code == 2 and "somebody else approves it" in refused.err
    assert desk("act", "run", id).code == 2
    assert desk("act", "approve", id, other=True).code == 0
    dry = desk("act", "run", "--dry-run")
    assert dry.code == 0 and "seal its content" in dry.out and desk.content("letter-0.txt") == before
    ran = desk("act", "run")
    assert ran.code == 0, ran.err
    assert CONTACT in desk.content("letter-0.txt") and id in desk.content("letter-0.txt")
    assert desk("act", "verify").code == 0
    assert desk("act", "undo", id[:6]).code == 0
    assert desk.content("letter-0.txt") == before and desk.states()[id] == "undone"


def test_a_member_stands_for_its_archive(desk: Desk) -> None:
    id = desk.propose("quarantine", "*packed.zip")
    listed = desk("act", "list")
    assert "the whole archive, for 1 referred members" in listed.out
    assert desk("act", "reject", id, "--why", "a trial").code == 0


def test_a_file_that_changed_is_left_alone_and_the_list_says_so(desk: Desk) -> None:
    id = desk.propose("delete", "*letter-1.txt")
    desk("act", "approve", id, other=True)
    before = desk.content("letter-1.txt")
    (desk.share / "letter-1.txt").write_text("rewritten by its owner")
    assert desk("act", "run", id).code == 3
    assert "no longer what was judged" in desk("act", "list").out
    assert desk.content("letter-1.txt") == "rewritten by its owner"
    (desk.share / "letter-1.txt").write_text(before)


def test_an_owner_gets_a_mail_that_says_nothing(desk: Desk) -> None:
    post = Post()
    with running_server(post) as port:
        server = [f"mail.port={port}", "mail.host=127.0.0.1", "mail.security=none", "mail.sender=act@example.net"]
        settings = [word for one in (*server, "act.owner_fallback=owner@example.net") for word in ("--set", one)]
        id = desk.propose("tell", "*letter-2.txt")
        desk("act", "approve", id, other=True)
        ran = desk("act", "run", id, *settings)
    assert ran.code == 0, ran.out + ran.err
    (mail,) = post.mails
    assert mail["To"] == "owner@example.net" and id in str(mail["Subject"]) and CONTACT in mail.get_content()
    raw = post.taken[0].lower()
    assert not [needle for one in desk.people for needle in needles(one) if needle in raw]
    assert b"letter-2" not in raw


def test_policies_propose_and_never_act(desk: Desk) -> None:
    config = desk.home / "policies.toml"
    config.write_text('[[policy]]\nname = "open files"\ndo = "label"\nverified = false\naccess = ["everyone"]\n')
    for name in ("letter-3.txt", "letter-4.txt"):
        (desk.share / name).chmod(0o600)
    desk.scan()
    ran = desk("act", "propose", desk.out, "--config", config, "--json")
    proposed = [action["target"]["uri"] for action in json.loads(ran.out)]
    assert len(proposed) == 9 and not any("letter-3" in uri or "letter-4" in uri for uri in proposed)
    assert {action["policy"] for action in json.loads(ran.out)} == {"open files"}
    assert not os.listxattr(desk.share / "letter-5.txt")
    again = desk("act", "propose", desk.out, "--config", config, "--json")
    assert json.loads(again.out) == []
    verified = desk.home / "verified.toml"
    verified.write_text('[[policy]]\nname = "verified"\n')
    ran = desk("act", "propose", desk.out, "--config", verified)
    assert ran.code == 2 and "no review service" in ran.err


def test_a_killed_run_is_resumed(desk: Desk) -> None:
    """By the real command, at random moments of it."""
    before = {f"letter-{number}.txt": desk.content(f"letter-{number}.txt") for number in (5, 6, 7)}
    ids = [desk.propose("quarantine", f"*{name}") for name in before]
    desk("act", "approve", *ids, other=True)
    dice = random.Random(4)
    for _ in range(3):
        with _started(desk, "act", "run", *ids) as process:
            time.sleep(0.2 + dice.random() * 0.2)
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        assert desk("act", "--resume").code == 0
        for id, (name, content) in zip(ids, before.items(), strict=True):
            held = (desk.home / ".local/share/leakscreen/act/vault" / f"{id}.sealed").exists()
            assert (desk.content(name) == content) is not held
    desk("act", "run")
    assert {desk.states()[id] for id in ids} == {"done"}
    assert not list(desk.share.glob(".*"))
    desk("act", "undo", *ids)
    assert {name: desk.content(name) for name in before} == before


@contextlib.contextmanager
def _started(desk: Desk, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    environ = {**os.environ, "HOME": str(desk.home), "XDG_CONFIG_HOME": str(desk.home / "config")}
    environ |= {"LEAKSCREEN_HMAC_KEY": KEY, "LEAKSCREEN_ACT_CONTACT": CONTACT}
    process = subprocess.Popen(
        [sys.executable, "-m", "leakscreen", *words], env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    yield process
    process.wait(60)


def test_forged_results_propose_nothing(desk: Desk, tmp_path: Path) -> None:
    copied = tmp_path / "forged"
    shutil.copytree(max(desk.out.glob("scan=*")), copied)
    summary = json.loads((copied / "summary.json").read_text())
    (copied / "summary.json").write_text(json.dumps({**summary, "referred": 999}))
    ran = desk("act", "propose", copied, "--do", "delete")
    assert ran.code == 2 and "nothing was proposed" in ran.err


def test_the_next_scan_verifies_what_was_closed(desk: Desk) -> None:
    """Found, contained by an action, and closed by a scan that no longer finds the content there."""
    ids = [desk.propose("delete", "*letter-8.txt"), desk.propose("restrict", "*letter-9.txt")]
    desk("act", "approve", *ids, other=True)
    assert desk("act", "run", *ids).code == 0
    figures = desk("act", "status", desk.out, "--json").json
    assert (figures["contained"], figures["closed"]) == (2, 0)
    desk.scan()
    figures = desk("act", "status", desk.out, "--json", "--list").json
    assert (figures["found"], figures["contained"], figures["closed"], figures["open"]) == (11, 1, 1, 9)
    assert figures["median_days_to_close"] is not None and 0 <= figures["median_days_to_close"] < 1
    (closed,) = [case for case in figures["cases"] if case["state"] == "closed"]
    assert closed["uri"].endswith("letter-8.txt") and closed["by"] == "delete"
    assert list(figures["by_source"]) == [str(desk.share)]


def test_the_service_knows_what_is_contained_and_keeps_the_head_of_the_journal(desk: Desk) -> None:
    ran = desk("refer", desk.out)
    assert ran.code == 0, ran.err
    (database,) = (desk.home / ".local/share/leakscreen").glob("*.sqlite3")
    with sqlite3.connect(database) as connection:
        (stored,) = connection.execute("SELECT containment FROM review_scan").fetchone()
    assert (json.loads(stored)["contained"], json.loads(stored)["closed"]) == (1, 1)
    desk("act", "approve", desk.propose("restrict", "*letter-6.txt"), other=True)
    with sqlite3.connect(database) as connection:
        subject, details = connection.execute(
            "SELECT subject, details FROM review_auditentry WHERE action = 'act' ORDER BY number DESC"
        ).fetchone()
    head = (desk.home / ".local/share/leakscreen/act/journal.head").read_text().split()
    assert (subject, json.loads(details)) == (f"journal:{head[0]}", {"hash": head[1]})


def test_no_planted_value_is_in_any_artefact(desk: Desk) -> None:
    """After all of the above, with a file held: journal, vault, notes, keys and everything that was printed."""
    desk.propose("quarantine", "*letter-7.txt")
    assert desk("act", "approve", "--all", other=True).code == 0  # with the labels that a policy proposed
    assert desk("act", "run").code in (0, 3)
    artefacts = [file for file in desk.home.rglob("*") if file.is_file()]
    assert any(file.suffix == ".sealed" for file in artefacts) and any(
        file.name == "journal.jsonl" for file in artefacts
    )
    contents = {str(file): everything_readable(file).lower() for file in artefacts}
    contents["note"] = (desk.share / "letter-7.txt").read_bytes().lower()
    for file in desk.share.iterdir():
        contents[f"attributes of {file.name}"] = b"".join(os.getxattr(file, name) for name in os.listxattr(file))
    contents |= {f"output {index}": (ran.out + ran.err).lower().encode() for index, ran in enumerate(desk.said)}
    assert any(text for place, text in contents.items() if place.startswith("attributes"))
    leaks = [
        (place, number)
        for number, one in enumerate(desk.people)
        for needle in needles(one)
        for place, text in contents.items()
        if needle in text
    ]
    assert leaks == []


def test_a_file_is_replaced_by_a_copy_that_is_made_of_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    written = desk.content("letter-3.txt")
    proposed = desk("act", "propose", desk.out, "--do", "replace", "--only", "*letter-3.txt", "--only", "*packed.zip")
    assert proposed.code == 0 and "packed.zip: not proposed, there is no redacted copy of it: refused" in proposed.err
    assert desk.content("letter-3.txt") == written
    (id,) = desk.states()
    assert desk("act", "approve", id, other=True).code == 0
    assert desk("act", "run").code == 0
    copy = desk.content("letter-3.txt")
    left = [needle for needle in needles(desk.people[3]) if needle in copy.lower().encode()]
    assert copy != written and not left and "metformin 500 mg" in copy
    assert desk("act", "undo", id).code == 0
    assert desk.content("letter-3.txt") == written
