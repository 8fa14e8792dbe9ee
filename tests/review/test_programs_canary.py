"""We must not become the leak: what a real scan found is raw in no answer of the API, and in no row of its markings."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from leakscreen.commands.browser_breach import BrowserBreach
from review.accounts.roles import Role
from review.breach import reporting
from review.marking.marking import make_session, open_text, save_marks
from review.models import Referral, Verdict
from review.referrals.voting import Judgement, decide
from tests.end_to_end.conftest import KEY, run_leakscreen
from tests.end_to_end.test_canary import letter, needles, people
from tests.review.conftest import make_user, use_database
from tests.review.test_api import OPERATIONS, Program

_PATIENCE = 60  # seconds
DASHBOARDS = ("rules", "time", "compare", "what-if", "queues", "scan", "folders")


@pytest.fixture(autouse=True)
def own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "0123456789abcdef" * 4)


def run(home: Path, *words: str | Path) -> Any:
    return run_leakscreen(home, words, environ={"LEAKSCREEN_SECRET_KEY": KEY})


def once_counted(program: Program, path: str) -> Any:
    """A file of the breach report is there once its people are counted; until then programs are asked to come back."""
    until = time.monotonic() + _PATIENCE
    while (response := program.get(path)).status_code == 409 and time.monotonic() < until:
        time.sleep(0.2)
    return response


def test_no_planted_value_is_in_an_answer_and_tokens_and_markings_work_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reporting, "_installed", [BrowserBreach()])  # as `serve` does
    planted = people()[:6]
    share = Path(os.path.realpath(tmp_path)) / "share"
    share.mkdir()
    for index, person in enumerate(planted):
        (share / f"letter-{index}.txt").write_text(letter(person), encoding="utf-8")
    assert run(tmp_path, "scan", share, "--out", tmp_path / "out", "--workers", "1", "--quiet").code == 0
    url = f"sqlite:///{tmp_path}/review.sqlite3"
    where = ("--set", f"review.database={url}")
    assert run(tmp_path, "refer", tmp_path / "out", *where).code == 0
    use_database(url)
    ann = make_user("ann", *Role)
    program = Program(ann)
    referrals = list(Referral.objects.all())
    assert len(referrals) >= 5, "the canary must be seen by the tool, or its silence says nothing"
    decide(referrals[0].pk, ann, Judgement(Verdict.PHI, "a token of a form"))
    paths = {path for method, path in OPERATIONS if method == "get" and "{" not in path} | {f"/cases/{referrals[0].pk}"}
    paths |= {f"/referrals/{referral.pk}" for referral in referrals} | {f"/dashboard/{name}" for name in DASHBOARDS}
    scan = referrals[0].last_scan_id
    answers = {path: once_counted(program, path) for path in paths - {"/scans/compare"}} | {
        "/next": program.post("/next")
    }
    answers["/scans/compare"] = program.get("/scans/compare", first=scan, second=scan)
    assert {response.status_code for response in answers.values()} == {200}
    assert any(answers[f"/referrals/{one.pk}"].json()["found"]["evidence"] for one in referrals)
    leaks = [
        path
        for path, response in answers.items()
        for person in planted
        for needle in needles(person)
        if needle in response.content.lower()
    ]
    assert leaks == []
    # A corpus of what two people marked alike, and nothing of it in the database.
    session = make_session("letters", "mia")
    for name in ("bob", "cem"):
        marker = make_user(name, "reviewer")
        opened = open_text(session, referrals[0], marker, "for the corpus")
        save_marks(session, referrals[0], marker, [list(mark) for mark in opened.marks], opened.text_hmac)
    assert not [needle for person in planted for needle in needles(person) if needle in _database(tmp_path)]
    exported = run(tmp_path, "export-markings", "letters", "--out", tmp_path / "corpus", *where)
    assert exported.code == 0 and "1 text written" in exported.err
    assert (tmp_path / "corpus").stat().st_mode & 0o077 == 0
    again = run(tmp_path, "export-markings", "letters", "--out", tmp_path / "corpus", *where)
    assert again.code == 2 and "exists already" in again.err
    measured = run(tmp_path, "benchmark", tmp_path / "corpus", "--json")
    assert measured.code == 0 and measured.json["documents"] == 1, measured.err
    assert [system["system"] for system in measured.json["systems"]] == ["leakscreen"]
    # The command line: a token is made, works, and is revoked.
    made = run(tmp_path, "token", "make", "ann", "--scope", "scans:read", *where)
    assert made.code == 0 and made.out.startswith("lsk_")
    listed = json.loads(run(tmp_path, "token", "list", "--json", *where).out)
    assert [(row["owner"], row["state"]) for row in listed] == [("ann", "valid")] * 2
    assert made.out.strip() not in str(listed)
    assert run(tmp_path, "token", "revoke", str(listed[0]["id"]), *where).code == 0
    assert run(tmp_path, "token", "make", "nobody", "--scope", "scans:read", *where).code == 2
    refused = run(tmp_path, "export-markings", "nothing", "--out", tmp_path / "none", *where)
    assert refused.code == 2 and "no session" in refused.err and not (tmp_path / "none").exists()


def _database(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("review.sqlite3*")).lower()
