"""A journal notices whatever happens to its entries, and survives an append that was cut off."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import RemediationError
from remediation.journal import Journal, locked
from tests.remediation.trial import KEY


def written(folder: Path, entries: int = 4) -> Journal:
    journal = Journal.open(folder, KEY)
    for number in range(entries):
        journal.append("alice", "proposed", f"id-{number}", {"number": number})
    return journal


def test_entries_come_back_in_their_order(tmp_path: Path) -> None:
    written(tmp_path)
    again = Journal.open(tmp_path, KEY)
    assert [entry.facts["number"] for entry in again.entries] == [0, 1, 2, 3]
    again.append("bob", "approved", "id-0")
    assert len(Journal.open(tmp_path, KEY).entries) == 5
    assert (tmp_path / "journal.jsonl").stat().st_mode & 0o777 == 0o600


def edited(lines: list[bytes]) -> list[bytes]:
    entry = json.loads(lines[1])
    return [lines[0], json.dumps({**entry, "who": "mallory"}).encode() + b"\n", *lines[2:]]


CHANGES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "edited": edited,
    "first removed": lambda lines: lines[1:],
    "middle removed": lambda lines: [lines[0], *lines[2:]],
    "end removed": lambda lines: lines[:-1],
    "all removed": lambda lines: [],
    "reordered": lambda lines: [lines[0], lines[2], lines[1], lines[3]],
    "repeated": lambda lines: [*lines, lines[-1]],
    "not JSON": lambda lines: [*lines[:2], b"{}\n", lines[3]],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_journal_is_refused(tmp_path: Path, change: Callable[[list[bytes]], list[bytes]]) -> None:
    path = written(tmp_path).path
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    with pytest.raises(RemediationError, match="nothing was done"):
        Journal.open(tmp_path, KEY)


def test_another_key_is_refused(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(RemediationError, match="another key"):
        Journal.open(tmp_path, bytes(32))


def test_an_append_that_was_cut_off_counts_for_nothing_and_is_taken_back(tmp_path: Path) -> None:
    path = written(tmp_path).path
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"number": 5, "at": "20')
    journal = Journal.open(tmp_path, KEY)
    assert len(journal.entries) == 4
    journal.append("bob", "approved", "id-0")
    assert path.read_bytes().startswith(whole)
    assert len(Journal.open(tmp_path, KEY).entries) == 5


def test_a_head_that_is_one_behind_is_what_a_crash_leaves(tmp_path: Path) -> None:
    journal = written(tmp_path, 3)
    head = (tmp_path / "journal.head").read_bytes()
    journal.append("bob", "approved", "id-0")
    (tmp_path / "journal.head").write_bytes(head)
    assert len(Journal.open(tmp_path, KEY).entries) == 4


def test_two_processes_do_not_act_at_once(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(RemediationError, match="another `leakscreen act`"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass
