"""A list of names and addresses for letters: sealed, audited, of everybody affected, and nowhere else on disk."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from leakscreen.demo.people import Person, make_people
from tests.end_to_end.conftest import Run
from tests.end_to_end.test_people import letter, scan

SECRET = {"LEAKSCREEN_LIST_PASSPHRASE": "a passphrase of this test"}
REASON = ("--reason", "letters of notification")


@pytest.fixture
def people() -> tuple[Person, ...]:
    return make_people(Random(4), 5)


@pytest.fixture
def done(leakscreen: Run, tmp_path: Path, people: tuple[Person, ...]) -> Path:
    """Four patients with an address, one of them in two files, and one without."""
    source = tmp_path / "source"
    source.mkdir()
    for number, person in enumerate(people):
        address = f"Address: {person.address}\n" if number else ""
        (source / f"{number}.txt").write_text(letter(person) + address)
    (source / "again.txt").write_text(letter(people[1]) + "Follow-up in three weeks.\n")
    return scan(leakscreen, source, tmp_path / "out")


def opened(leakscreen: Run, file: Path) -> list[dict[str, str]]:
    ran = leakscreen("addressees", "--open", file, environ=SECRET)
    assert ran.code == 0, ran.err
    return list(csv.DictReader(io.StringIO(ran.out)))


def test_everybody_affected_has_one_line_and_nothing_else_holds_a_value(
    leakscreen: Run, done: Path, home: Path, tmp_path: Path, people: tuple[Person, ...]
) -> None:
    sealed = tmp_path / "letters.sealed"
    ran = leakscreen("addressees", done, "--out", sealed, *REASON, environ=SECRET)
    assert ran.code == 0 and "5 people, 4 of them with an address" in ran.out, ran.err
    assert sealed.stat().st_mode & 0o777 == 0o600
    lines = {line["name"]: line for line in opened(leakscreen, sealed)}
    assert set(lines) == {person.name for person in people}
    for person in people[1:]:
        assert person.street in lines[person.name]["address"], person.address
    assert lines[people[0].name]["note"] == "no address in the files"
    assert lines[people[1].name]["files"] == "2"
    artefacts = [sealed, *(file for place in (done, home) for file in place.rglob("*") if file.is_file())]
    everything = b"".join(file.read_bytes() for file in artefacts) + (ran.out + ran.err).encode()
    for person in people:
        for value in (person.last, person.street, person.phone):
            assert value.encode() not in everything
    entries = _audit(home, tmp_path)
    assert [entry["action"] for entry in entries] == ["addressees", "addressees written"]
    assert "letters of notification" in entries[0]["details"] and '"people":5' in entries[1]["details"]


def test_changed_and_missing_files_have_a_note(leakscreen: Run, done: Path, tmp_path: Path) -> None:
    (tmp_path / "source" / "2.txt").write_text("Nothing here any more.\n")
    (tmp_path / "source" / "3.txt").unlink()
    ran = leakscreen("addressees", done, "--out", tmp_path / "list", *REASON, environ=SECRET)
    assert ran.code == 0 and "2 files could not be read" in ran.out, ran.err
    notes = sorted(line["note"] for line in opened(leakscreen, tmp_path / "list") if not line["name"])
    assert [note.partition(";")[0] for note in notes] == [
        "the file cannot be read any more",
        "the file was changed since the scan",
    ]


@pytest.mark.parametrize(
    ("words", "environ", "said"),
    [
        (("--out", "list", *REASON), {}, "LEAKSCREEN_LIST_PASSPHRASE"),
        (("--out", "list"), SECRET, "needs a reason"),
        ((*REASON,), SECRET, "--out"),
        (("--out", "missing/list", *REASON), SECRET, "cannot be written"),
        (("--open", "other"), SECRET, "no list that can be opened"),
        (("--open", "missing"), SECRET, "cannot be read"),
    ],
)
def test_what_is_missing_is_one_sentence_and_nothing_is_written(
    leakscreen: Run, tmp_path: Path, words: tuple[str, ...], environ: dict[str, str], said: str
) -> None:
    (tmp_path / "other").write_text("something else")
    given = [str(tmp_path / word) if word in ("list", "missing/list", "other", "missing") else word for word in words]
    refused = leakscreen("addressees", tmp_path, *given, environ=environ)
    assert refused.code == 2 and said in " ".join(refused.err.split()), refused.err
    assert "Traceback" not in refused.err and not (tmp_path / "list").exists()


def test_a_wrong_passphrase_opens_nothing(leakscreen: Run, done: Path, tmp_path: Path) -> None:
    assert leakscreen("addressees", done, "--out", tmp_path / "list", *REASON, environ=SECRET).code == 0
    other = {"LEAKSCREEN_LIST_PASSPHRASE": "another passphrase"}
    refused = leakscreen("addressees", "--open", tmp_path / "list", environ=other)
    assert refused.code == 2 and "the passphrase is wrong" in refused.err and not refused.out


def _audit(home: Path, tmp_path: Path) -> list[dict[str, str]]:
    read = """
import json
from core.settings import load_and_configure_log
from review.service.configuration import configure
configure(load_and_configure_log({}, None))
from review.models import AuditEntry
found = AuditEntry.objects.filter(action__startswith="addressees").order_by("number")
print(json.dumps([{"action": one.action, "details": one.details} for one in found]))
"""
    (tmp_path / "read.py").write_text(read)
    environ = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(
        [sys.executable, tmp_path / "read.py"], check=True, env=environ, cwd=home, capture_output=True, text=True
    )
    entries: list[dict[str, str]] = json.loads(ran.stdout)
    return entries
