"""Mail through a real Postfix and a real gate: passed, tagged, held, refused, reviewed, released; and never lost."""

import io
import json
import os
import re
import signal
import smtplib
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import docx
import pytest

from pipelines.results.folder import open_scan
from pipelines.results.seal import fault_in, key_of_seals
from tests.end_to_end.conftest import KEY, run_leakscreen
from tests.end_to_end.gates import RECORD, RunningGate, mail, running_gate, start_gate
from tests.end_to_end.postfix import Postfix, free_port, running_postfix

CANARY = "Zebulonwick"  # a surname that occurs nowhere else
PHI = RECORD.format(name=f"Mary {CANARY}", number="00482913")
POLICIES = """
[[policy]]
id = "phi-leaves"
description = "PHI to the outside"
when = "referred"
recipients = "outside"
action = "hold"

[[policy]]
id = "many-people"
description = "A list of patients"
when = "referred"
min_people = 3
action = "refuse"
reply = "lists of patients are not sent by mail"

[[policy]]
id = "not-examined"
description = "Locked attachments"
when = "not-examined"
action = "tag"
"""
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def postfix(port: int) -> Iterator[Postfix]:
    with running_postfix(port) as server:
        yield server


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def gate(home: Path, postfix: Postfix, port: int) -> Iterator[RunningGate]:
    (home / "policies.toml").write_text(POLICIES)
    with running_gate(home, postfix, port, settings_of(home)) as running:
        yield running


def settings_of(home: Path) -> dict[str, object]:
    return {"gate.policies": home / "policies.toml", "gate.own_domains": "hospital.test", "gate.seconds": 8}


def send(postfix: Postfix, message: EmailMessage) -> tuple[int, str]:
    """The server's answer to the end of the mail."""
    with smtplib.SMTP("127.0.0.1", postfix.port, timeout=60) as client:
        try:
            client.send_message(message)
        except smtplib.SMTPResponseException as refused:  # at any step
            error = refused.smtp_error
            return refused.smtp_code, error.decode() if isinstance(error, bytes) else error
    return 250, ""


def held_with(postfix: Postfix, mark: str) -> list[Path]:
    return [path for path in postfix.held() if mark.encode() in path.read_bytes()]


def packed_docx(text: str, password: bytes | None = None) -> bytes:
    inner = io.BytesIO()
    document = docx.Document()
    document.add_paragraph(text)
    document.save(inner)
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("letter.docx", inner.getvalue())
    return outer.getvalue()


def locked_zip() -> bytes:
    """One member whose flags say that it is encrypted."""
    content = bytearray(packed_docx("Nothing much."))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.find(mark) + offset] |= 1
    return bytes(content)


def test_a_mail_about_lunch_passes_unchanged_and_a_forged_verdict_is_taken_out(
    postfix: Postfix, gate: RunningGate
) -> None:
    message = mail("lunch")
    message["X-Leakscreen"] = "clear; trust me"
    message["x-leakscreen"] = "forged too"
    assert send(postfix, message)[0] == 250
    (delivered,) = postfix.sink.with_text("<lunch@")
    assert b"noon" in delivered and b"leakscreen" not in delivered.lower()


@pytest.mark.parametrize("way", ["body", "attachment"])
def test_health_information_on_its_way_out_is_held_by_postfix(postfix: Postfix, gate: RunningGate, way: str) -> None:
    mark = f"held-{way}"
    message = mail(mark, PHI) if way == "body" else mail(mark, letters__zip=packed_docx(PHI))
    assert send(postfix, message)[0] == 250
    (queue_file,) = held_with(postfix, mark)
    assert b"X-Leakscreen: hold; policy=phi-leaves; risk=" in queue_file.read_bytes()
    assert not postfix.sink.with_text(f"<{mark}@", 0.5)


def test_the_same_mail_within_the_organisation_passes(postfix: Postfix, gate: RunningGate) -> None:
    assert send(postfix, mail("inside", PHI, to="bob@ward.hospital.test"))[0] == 250
    (delivered,) = postfix.sink.with_text("<inside@")
    assert b"X-Leakscreen" not in delivered


def test_a_list_of_patients_is_refused_with_the_words_of_the_policy(postfix: Postfix, gate: RunningGate) -> None:
    names = ("Mary Thornton", "Peter Ashworth", "Helen Whitfield", "George Pemberton")
    people = "\n\n".join(RECORD.format(name=name, number=f"0048{n}913") for n, name in enumerate(names, 1000))
    code, words = send(postfix, mail("list", people))
    assert code == 550 and "lists of patients are not sent by mail" in words


def test_what_cannot_be_read_is_tagged_and_never_called_clear(postfix: Postfix, gate: RunningGate) -> None:
    assert send(postfix, mail("locked", locked__zip=locked_zip()))[0] == 250
    (delivered,) = postfix.sink.with_text("<locked@")
    assert b"X-Leakscreen: tag; policy=not-examined; not-examined=1" in delivered


def test_a_judge_that_hangs_or_dies_leaves_the_mail_with_its_sender_and_is_replaced(
    postfix: Postfix, gate: RunningGate
) -> None:
    for end in (signal.SIGSTOP, signal.SIGKILL):
        (judge,) = gate.judges()
        os.kill(judge, end)
        assert send(postfix, mail(f"unlucky-{end.name}"))[0] == 451
        deadline = time.monotonic() + 60
        while send(postfix, mail(f"lucky-{end.name}"))[0] != 250:
            assert time.monotonic() < deadline, gate.log
        assert postfix.sink.with_text(f"<lucky-{end.name}@")
        assert not postfix.sink.with_text("<unlucky", 0.1)


def test_noise_on_the_milters_port_hurts_nobody(postfix: Postfix, gate: RunningGate, port: int) -> None:
    for noise in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 64, b"\0\0\0\5O\0\0\0\1", b"\0\0\0\1E\0\0\0\1E"):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
            client.sendall(noise)
            client.shutdown(socket.SHUT_WR)
            while client.recv(4096):
                pass
    assert send(postfix, mail("after-noise"))[0] == 250


def checked(
    gate: RunningGate, file: Path, *words: str, python: tuple[str, ...] = ()
) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *python, "-m", "leakscreen", "check", str(file), *words]
    return subprocess.run(command, capture_output=True, text=True, env=gate.environ, cwd=gate.home, timeout=120)


def test_check_gives_the_verdict_of_the_running_gate_and_the_same_without_it(gate: RunningGate, tmp_path: Path) -> None:
    files = {"note.txt": PHI.encode(), "lunch.txt": b"Lunch at noon?\n", "locked.zip": locked_zip()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    wanted = {"note.txt": ("referred", 1), "lunch.txt": ("clear", 0), "locked.zip": ("not-examined", 3)}
    path = gate.home / ".local/share/leakscreen/check.sock"
    assert path.stat().st_mode & 0o777 == 0o600
    for name, (verdict, code) in wanted.items():
        ran = checked(gate, tmp_path / name, "--json")
        assert (json.loads(ran.stdout)["verdict"], ran.returncode) == (verdict, code), ran.stderr
        assert CANARY not in ran.stdout
    plain = checked(gate, tmp_path / "note.txt")
    assert plain.returncode == 1 and f"{tmp_path}/note.txt: referred" in plain.stdout
    alone = checked(gate, tmp_path / "note.txt", "--json", "--set", "gate.socket=/nowhere/check.sock")
    with_gate = checked(gate, tmp_path / "note.txt", "--json")
    assert json.loads(alone.stdout) == json.loads(with_gate.stdout)
    gone = checked(gate, tmp_path / "gone.txt")
    assert gone.returncode == 2 and "gone.txt: cannot be read: no such file" in gone.stderr


def test_check_loads_next_to_nothing_where_the_gate_answers(gate: RunningGate, tmp_path: Path) -> None:
    """Imports were most of its time. With settings of one's own it loads them, and says the same."""
    (tmp_path / "lunch.txt").write_text("Lunch at noon?\n")
    ran = checked(gate, tmp_path / "lunch.txt", python=("-X", "importtime"))
    assert ran.stdout == f"{tmp_path}/lunch.txt: clear\n"
    loaded = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}
    assert "leakscreen.commands.check" in loaded
    assert not loaded & {
        "core.settings",
        "ctypes",
        "dataclasses",
        "datetime",
        "leakscreen.command_line",
        "typer",
        "typing",
    }
    ran = checked(gate, tmp_path / "lunch.txt", "--set", "gate.seconds=7", python=("-X", "importtime"))
    assert ran.stdout == f"{tmp_path}/lunch.txt: clear\n" and "core.settings" in ran.stderr


def test_check_shows_names_of_files_without_what_a_terminal_obeys(gate: RunningGate, tmp_path: Path) -> None:
    for name in (b"a\x1b]0;owned\x07.txt", b"caf\xe9.txt"):
        path = os.path.join(os.fsencode(tmp_path), name)
        Path(os.fsdecode(path)).write_text("Lunch at noon?\n")
        ran = checked(gate, Path(os.fsdecode(path)))
        shown = "".join(letter if letter.isprintable() else "?" for letter in os.fsdecode(path))
        assert (ran.stdout, ran.returncode) == (f"{shown}: clear\n", 0), ran.stderr


VOTES = """
import sys
from core.settings import load_settings
from review.service.configuration import configure
configure(load_settings({"review.database": sys.argv[1], "review.double_review": 0.0}, environ={}))
from django.contrib.auth.models import Group, User
from review.models import Referral, ReferralPath, Verdict
from review.referrals.voting import Judgement, decide
from review.reveal.reveal import reveal
user, _ = User.objects.get_or_create(username="ann")
user.groups.add(Group.objects.get(name="reviewer"))
for path in ReferralPath.objects.all():
    shown = reveal(path.referral)
    text = "".join(piece.text for piece in shown.pieces)
    print(shown.outcome, "Mary" in text, path.uri)
    verdict = Verdict.NOT_PHI if sys.argv[2] in bytes(path.path).decode() else Verdict.PHI
    decide(path.referral_id, user, Judgement(verdict, path.pk))
"""


def test_held_mails_are_referred_reviewed_and_released_or_returned(
    postfix: Postfix, gate: RunningGate, home: Path
) -> None:
    for mark in ("review-cleared", "review-phi"):
        assert send(postfix, mail(mark, PHI + mark))[0] == 250
    (cleared,), (phi,) = held_with(postfix, "review-cleared"), held_with(postfix, "review-phi")
    database = f"sqlite:///{home}/review.sqlite3"
    time.sleep(1)  # the summary follows within gate.flush_seconds
    own = ["--set", f"review.database={database}"]
    ran = run_leakscreen(home, ["refer", gate.out, *own, "--json"])
    assert ran.code == 0, ran.err
    assert ran.json["new"] >= 2
    environ = {**gate.environ, "LEAKSCREEN_SECRET_KEY": KEY}
    voted = subprocess.run(
        [sys.executable, "-c", VOTES, database, cleared.name], env=environ, cwd=ROOT, capture_output=True, text=True
    )
    assert voted.returncode == 0, voted.stderr
    shown = [line for line in voted.stdout.splitlines() if re.search(f"{cleared.name}|{phi.name}", line)]
    assert len(shown) == 2 and all(line.startswith("shown True mail:") for line in shown)
    words = ["gate", "release", "--json", *own]
    words += ["--set", f"gate.postfix_config={postfix.config}", "--set", "gate.on_phi=return"]
    tried = run_leakscreen(home, [*words, "--dry-run"])
    assert tried.json["released"] == 1 and tried.json["returned"] >= 1 and cleared.exists()
    ran = run_leakscreen(home, words)
    assert ran.json == tried.json, ran.err
    assert postfix.sink.with_text("<review-cleared@")
    (bounce,) = [found for found in postfix.sink.with_text("<review-phi@") if b"MAILER-DAEMON" in found]
    assert b"multipart/report" in bounce
    assert run_leakscreen(home, words).json["released"] == 0
    measured = run_leakscreen(home, ["export-labels", "--out", home / "labels.csv", *own])
    assert measured.code == 0, measured.err
    rates = run_leakscreen(home, ["evaluate", gate.out, "--labels", home / "labels.csv", "--json"])
    (policy,) = [rule for rule in rates.json["rules"] if rule["rule"] == "gate:phi-leaves"]
    assert policy["verified"] >= 2 and 0 < policy["tdp"] < 1 and 0 < policy["frp"] < 1


def test_results_are_those_of_a_sealed_scan_and_hold_no_value(postfix: Postfix, gate: RunningGate, home: Path) -> None:
    assert send(postfix, mail("last", PHI))[0] == 250
    time.sleep(1)  # the others are written by then
    folder = open_scan(str(gate.out))
    assert fault_in(folder, key_of_seals(bytes.fromhex(KEY))) == ""
    summary = folder.read_summary()
    rows = list(folder.rows())
    assert summary["reconciliation"]["ok"] and summary["records"] == len(rows)
    held = [row for row in rows if row["path"] and row["container_uri"] is None]
    assert held and all(row["path"].startswith(os.fsencode(postfix.queue / "hold")) for row in held)
    assert {row["source"] for row in rows} == {"gate"}
    assert run_leakscreen(home, ["report", folder.uri]).code == 0
    for path in home.rglob("*"):
        if path.is_file() and path.name != "policies.toml":
            assert path.stat().st_mode & 0o077 == 0 or path.name in ("gate.log", "labels.csv"), path
            assert CANARY.encode() not in path.read_bytes(), path
            assert CANARY.lower().encode() not in path.read_bytes(), path


def test_kill_9_under_load_loses_and_doubles_no_mail(
    postfix: Postfix, gate: RunningGate, home: Path, port: int
) -> None:
    accepted: list[str] = []
    over = threading.Event()

    def submit(client: int) -> None:
        """Tries each mail again until the server takes it, as a mail client does."""
        for number in range(25):
            mark = f"load-{client}-{number}-"
            message = mail(mark, PHI if number % 5 == 0 else "Lunch?\n" * 500)
            while not over.is_set() and send(postfix, message)[0] != 250:
                time.sleep(0.2)
            accepted.append(mark)

    clients = [threading.Thread(target=submit, args=(number,)) for number in range(4)]
    for client in clients:
        client.start()
    for _ in range(3):
        seen = len(accepted)
        deadline = time.monotonic() + 60
        while len(accepted) < seen + 10:
            assert time.monotonic() < deadline, postfix.log()
            time.sleep(0.01)
        gate.kill()
        gate.process = start_gate(home, postfix, port, settings_of(home)).process
    for client in clients:
        client.join(120)
    over.set()
    deadline = time.monotonic() + 60
    while postfix.waiting() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert gate.stop() == 0
    ends = Counter(re.findall(r"<(load-[\d-]+)@", "".join(text.decode("latin-1") for text in postfix.sink.mails)))
    held = Counter(
        found[1].decode() for path in postfix.held() if (found := re.search(rb"<(load-[\d-]+)@", path.read_bytes()))
    )
    assert len(accepted) == 100
    assert ends + held == Counter(accepted)
    assert set(held) == {mark for mark in accepted if int(mark.split("-")[2]) % 5 == 0}
    recorded = {row["path"] for row in open_scan(str(gate.out)).rows(["path"])}
    assert {os.fsencode(path) for path in postfix.held()} <= recorded
