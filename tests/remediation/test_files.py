"""Actions on local files: done and undone, and left alone whatever came between."""

import os
import stat
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from core.errors import RemediationError
from core.records import Span
from core.settings.act import ActSettings
from remediation.action import Kind, LeftAloneError, State
from remediation.actions import swap as swap_module
from remediation.actions.doing import Letter
from remediation.actions.marks import LABEL
from remediation.files import rename
from remediation.files.holding import Holding
from screening.ruleset.allowlist import active, append_entry, load_entries
from tests.remediation.trial import Trial, sha256_of

CONTENT = b"Patient Maria Kowalczyk, chest pain\n" * 100
LONG_AGO = 1_500_000_000


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return Trial(tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "share" / "note.txt"
    path.parent.mkdir()
    path.write_bytes(CONTENT)
    os.setxattr(path, "user.comment", b"kept")
    os.chmod(path, 0o640)
    if os.geteuid() == 0:
        os.chown(path, 12, 34)
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def state_of(path: Path) -> tuple[Any, ...]:
    status = path.stat()
    attributes = {name: os.getxattr(path, name) for name in os.listxattr(path)}
    return path.read_bytes(), status.st_mode, status.st_uid, status.st_gid, status.st_mtime_ns, attributes


def beside(path: Path) -> list[str]:
    return sorted(os.listdir(path.parent))


def test_a_quarantined_file_leaves_a_note_and_comes_back_as_it_was(trial: Trial, file: Path) -> None:
    before = state_of(file)
    action = trial.run(trial.approved(Kind.QUARANTINE, file, CONTENT))
    assert action.state is State.DONE
    note = file.read_text()
    assert "privacy@example.org" in note and action.id in note
    assert "Kowalczyk" not in note and "health" not in note.lower()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640 and os.listxattr(file) == []
    assert file.stat().st_uid == before[2]
    assert trial.vault.content_hash(action.id) == sha256_of(CONTENT)
    assert beside(file) == ["note.txt"]
    assert trial.undo(action).state is State.UNDONE
    assert state_of(file) == before
    assert os.listdir(trial.vault.folder) == [] and beside(file) == ["note.txt"]


def test_a_redacted_copy_takes_the_place_and_the_original_comes_back(trial: Trial, file: Path) -> None:
    before = state_of(file)
    id = "0badcafe"
    copied = trial.vault.seal(swap_module.copy_id(id), iter([b"[PATIENT 1]"]), {})
    trial.vault.hold(swap_module.copy_id(id))
    target = trial.approved(Kind.LABEL, file, CONTENT).target
    action = trial.register.propose("alice", Kind.REPLACE, target, id=id, options={"copy_sha256": copied})
    assert action is not None
    done = trial.run(trial.register.approve("bob", action))
    assert (done.state, file.read_bytes()) == (State.DONE, b"[PATIENT 1]")
    assert trial.undo(done).state is State.UNDONE
    assert state_of(file) == before and os.listdir(trial.vault.folder) == []


def test_deleted_is_gone_and_cannot_be_undone(trial: Trial, file: Path) -> None:
    action = trial.run(trial.approved(Kind.DELETE, file, CONTENT))
    assert action.state is State.DONE and beside(file) == []
    with pytest.raises(RemediationError, match="cannot be undone"):
        trial.undo(action)


@pytest.mark.parametrize("other_file_system", [False, True])
def test_a_moved_file_keeps_everything_and_comes_back(
    trial: Trial, file: Path, tmp_path: Path, other_file_system: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = Path("/dev/shm", tmp_path.name) if other_file_system else tmp_path / "elsewhere"
    if other_file_system and os.stat("/dev/shm").st_dev == os.stat(tmp_path).st_dev:
        pytest.skip("/dev/shm is no other file system here")
    before = state_of(file)
    to = folder / "deep" / "note.txt"
    try:
        action = trial.run(trial.approved(Kind.MOVE, file, CONTENT, to=str(to)))
        assert action.state is State.DONE and beside(file) == [] and beside(to) == ["note.txt"]
        assert state_of(to)[:5] == before[:5]
        assert trial.undo(action).state is State.UNDONE
        assert state_of(file)[:5] == before[:5] and beside(to) == []
    finally:
        if other_file_system:
            subprocess.run(["rm", "-rf", str(folder)], check=True)


def test_a_move_never_replaces_a_file(trial: Trial, file: Path, tmp_path: Path) -> None:
    to = tmp_path / "taken.txt"
    to.write_bytes(b"somebody else's")
    action = trial.run(trial.approved(Kind.MOVE, file, CONTENT, to=str(to)))
    assert action.state is State.LEFT and "a file of that name" in action.note
    assert file.read_bytes() == CONTENT and to.read_bytes() == b"somebody else's"


def test_restricted_is_for_the_owner_alone_also_by_its_access_list(trial: Trial, file: Path) -> None:
    listed = _posix_list()
    os.setxattr(file, "system.posix_acl_access", listed)  # lets user 4321 read
    before = state_of(file)
    action = trial.run(trial.approved(Kind.RESTRICT, file, CONTENT))
    assert action.state is State.DONE and stat.S_IMODE(file.stat().st_mode) == 0o600
    if os.geteuid() == 0:
        assert not _can_read(file, 4321)
    assert trial.undo(action).state is State.UNDONE
    assert state_of(file) == before
    if os.geteuid() == 0:
        os.chmod(file.parent, 0o755)


def _posix_list() -> bytes:
    """user::rw- user:4321:r-- group::r-- mask::r-- other::---"""
    import struct

    entries = [(1, 6, 2**32 - 1), (2, 4, 4321), (4, 4, 2**32 - 1), (16, 4, 2**32 - 1), (32, 0, 2**32 - 1)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def _can_read(path: Path, uid: int) -> bool:
    read = f"import os; os.setgid({uid}); os.setuid({uid}); open({str(path)!r}, 'rb').read()"
    return subprocess.run([sys.executable, "-c", read], capture_output=True).returncode == 0


def test_a_label_is_set_and_taken_back(trial: Trial, file: Path) -> None:
    action = trial.run(trial.approved(Kind.LABEL, file, CONTENT, label="do not share"))
    assert os.getxattr(file, LABEL).decode() == f"do not share {action.id}"
    assert file.read_bytes() == CONTENT
    assert trial.undo(action).state is State.UNDONE
    assert LABEL not in os.listxattr(file)


def test_an_owner_is_told_nothing_of_the_content(tmp_path: Path, file: Path) -> None:
    sent: list[Letter] = []
    settings = ActSettings(owner_domain="example.org", contact="the privacy office", mail_paths=True)
    trial = Trial(tmp_path, settings=settings, send=sent.append, site="Example")
    action = trial.run(trial.approved(Kind.TELL, file, CONTENT))
    assert action.state is State.DONE
    assert sent[0].to == "ann@example.org" and action.id in sent[0].subject
    assert str(file) in sent[0].text and "Kowalczyk" not in sent[0].text


@pytest.mark.parametrize(("asked_for", "name_tells"), [(False, False), (True, True)])
def test_a_path_is_not_mailed_where_its_name_tells_or_nobody_asked_for_it(
    tmp_path: Path, file: Path, asked_for: bool, name_tells: bool
) -> None:
    sent: list[Letter] = []
    settings = ActSettings(owner_fallback="a@example.org", mail_paths=asked_for)
    trial = Trial(tmp_path, settings=settings, send=sent.append)
    target = replace(trial.approved(Kind.LABEL, file, CONTENT).target, name_tells=name_tells)
    proposed = trial.register.propose("alice", Kind.TELL, target)
    assert proposed is not None
    trial.run(trial.register.approve("bob", proposed))
    assert len(sent) == 1 and "note.txt" not in sent[0].text and sent[0].to == "a@example.org"


def test_an_ignored_file_is_in_the_allow_list_until_its_day(tmp_path: Path, file: Path) -> None:
    allow = tmp_path / "allow.toml"
    trial = Trial(tmp_path, allow_file=str(allow))
    odd = file.rename(file.with_name("note [1]*.txt"))
    action = trial.run(trial.approved(Kind.IGNORE, odd, CONTENT, until="2099-12-31"))
    (entry,) = load_entries([str(allow)], [])
    assert (entry.expires, entry.author) == (date(2099, 12, 31), "alice, bob")
    assert _allows(active([entry], date(2099, 12, 31), ""), str(odd))
    assert not _allows(active([entry], date(2100, 1, 1), ""), str(odd))
    assert not _allows(active([entry], date(2099, 12, 31), ""), str(file.with_name("note 1x.txt")))
    append_entry(entry.__class__(str(allow), "", "", "", "/other", "why", "zoe", date(2099, 1, 1)))
    assert trial.undo(action).state is State.UNDONE
    assert [entry.glob for entry in load_entries([str(allow)], [])] == ["/other"]


def test_an_ignored_archive_is_ignored_with_all_that_is_in_it(tmp_path: Path, file: Path) -> None:
    allow = tmp_path / "allow.toml"
    trial = Trial(tmp_path, allow_file=str(allow))
    target = replace(trial.approved(Kind.LABEL, file, CONTENT).target, members=2)
    proposed = trial.register.propose("alice", Kind.IGNORE, target, options={"until": "2099-12-31"}, reason="why")
    assert proposed is not None
    action = trial.run(trial.register.approve("bob", proposed))
    allowed = active(load_entries([str(allow)], []), date(2099, 1, 1), "")
    assert _allows(allowed, f"{file}") and _allows(allowed, f"{file}!inner/a.txt")
    assert not _allows(allowed, f"{file}2")
    trial.undo(action)
    assert load_entries([str(allow)], []) == []


def test_an_error_of_the_system_leaves_what_was_begun_open(
    trial: Trial, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error", str(file))

    with monkeypatch.context() as patch:
        patch.setattr(Holding, "drop", broken)
        waiting = trial.run(trial.approved(Kind.QUARANTINE, file, CONTENT))
    assert (waiting.state, waiting.note) == (State.BEGUN, "input/output error")
    (done,) = trial.runner().resume()
    assert done.state is State.DONE and trial.vault.content_hash(done.id) == sha256_of(CONTENT)


def _allows(allowed: Any, uri: str) -> bool:
    kept, _ = allowed.split([Span(0, 1, "email", 1.0)], "x", uri, lambda kind, value: ("", ""))
    return not kept


KINDS = [Kind.QUARANTINE, Kind.DELETE, Kind.MOVE, Kind.RESTRICT, Kind.LABEL]


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_changed_is_left_alone(trial: Trial, file: Path, kind: Kind, tmp_path: Path) -> None:
    action = trial.approved(kind, file, b"what was judged", to=str(tmp_path / "to" / "x"))
    before = state_of(file)
    ended = trial.run(action)
    assert ended.state is State.LEFT and "no longer what was judged" in ended.note
    assert state_of(file) == before and beside(file) == ["note.txt"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("link", ["file", "folder"])
def test_a_link_is_never_followed(trial: Trial, file: Path, kind: Kind, link: str, tmp_path: Path) -> None:
    before = state_of(file)
    if link == "file":
        path = file.with_name("link.txt")
        path.symlink_to(file)
    else:
        (tmp_path / "way").symlink_to(file.parent)
        path = tmp_path / "way" / file.name
    ended = trial.run(trial.approved(kind, path, CONTENT, to=str(tmp_path / "to" / "x")))
    assert ended.state is State.LEFT and "link" in ended.note
    assert state_of(file) == before


@pytest.mark.parametrize("kind", [Kind.QUARANTINE, Kind.DELETE, Kind.MOVE])
def test_a_file_that_somebody_writes_to_is_left_alone(trial: Trial, file: Path, kind: Kind, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        os.chown(file, 0, 0)
    with file.open("r+b"):
        ended = trial.run(trial.approved(kind, file, CONTENT, to=str(tmp_path / "to" / "x")))
    assert ended.state is State.LEFT and "open for writing" in ended.note
    assert file.read_bytes() == CONTENT and beside(file) == ["note.txt"]


@pytest.mark.parametrize("kind", [Kind.QUARANTINE, Kind.DELETE, Kind.MOVE])
def test_a_file_that_comes_at_the_last_moment_is_given_back(
    trial: Trial, file: Path, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the last look and the step that takes the file, somebody renames another one over it."""
    name = "swap_in" if kind is Kind.QUARANTINE else "take"
    step = getattr(Holding, name)

    def late(holding: Holding) -> None:
        newer = tmp_path / "newer"
        newer.write_bytes(b"a newer version")
        os.rename(newer, file)
        step(holding)

    monkeypatch.setattr(Holding, name, late)
    ended = trial.run(trial.approved(kind, file, CONTENT, to=str(tmp_path / "to" / "x")))
    assert ended.state is State.LEFT
    assert file.read_bytes() == b"a newer version" and beside(file) == ["note.txt"]
    assert os.listdir(trial.vault.folder) == [] if trial.vault.folder.exists() else True


class Killed(BaseException):
    """As SIGKILL: nothing tidies up after it."""


@pytest.mark.parametrize("kind", [Kind.QUARANTINE, Kind.DELETE, Kind.MOVE])
def test_a_file_that_comes_at_the_last_moment_before_a_crash_is_given_back(
    trial: Trial, file: Path, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "swap_in" if kind is Kind.QUARANTINE else "take"
    step = getattr(Holding, name)

    def late(holding: Holding) -> None:
        newer = tmp_path / "newer"
        newer.write_bytes(b"a newer version")
        os.rename(newer, file)
        step(holding)
        raise Killed

    action = trial.approved(kind, file, CONTENT, to=str(tmp_path / "to" / "x"))
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Holding, name, late)
        trial.run(action)
    assert not file.exists() or file.read_bytes() != b"a newer version"
    (ended,) = trial.runner().resume()
    assert ended.state is State.LEFT
    assert file.read_bytes() == b"a newer version" and beside(file) == ["note.txt"]
    assert not trial.vault.folder.exists() or os.listdir(trial.vault.folder) == []


def test_an_undo_that_met_another_file_before_a_crash_gives_it_back(
    trial: Trial, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    action = trial.run(trial.approved(Kind.QUARANTINE, file, CONTENT))
    step = Holding.swap_in

    def late(holding: Holding) -> None:
        newer = tmp_path / "newer"
        newer.write_bytes(b"a new file")
        os.rename(newer, file)
        step(holding)
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Holding, "swap_in", late)
        trial.undo(action)
    (ended,) = trial.runner().resume()
    assert ended.state is State.DONE and "another file" in ended.note
    assert file.read_bytes() == b"a new file" and beside(file) == ["note.txt"]
    assert trial.vault.holds(action.id)
    assert trial.undo(ended, str(tmp_path / "there")).state is State.UNDONE
    assert (tmp_path / "there").read_bytes() == CONTENT


def test_a_writer_who_comes_while_it_is_sealed_gets_the_file_back(
    trial: Trial, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lease is broken: the writer waits until the file is in its old place again, and writes to it there."""
    if os.geteuid() == 0:
        os.chown(file, 0, 0)
    step, writers = Holding.swap_in, []

    def late(holding: Holding) -> None:
        writer = subprocess.Popen([sys.executable, "-c", f"open({str(file)!r}, 'r+b').write(b'WRITTEN')"])
        writers.append(writer)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and "open" not in _waits_in(writer.pid):
            time.sleep(0.02)
        step(holding)

    monkeypatch.setattr(Holding, "swap_in", late)
    ended = trial.run(trial.approved(Kind.QUARANTINE, file, CONTENT))
    assert writers[0].wait(30) == 0
    assert ended.state is State.LEFT and "writing" in ended.note
    assert file.read_bytes().startswith(b"WRITTEN") and beside(file) == ["note.txt"]


def _waits_in(process: int) -> str:
    """The kernel function in which a process waits."""
    try:
        waits = Path(f"/proc/{process}/wchan").read_text()
    except OSError:
        return ""
    return "open" if "lease" in waits else ""


@pytest.mark.parametrize("kind", [Kind.QUARANTINE, Kind.MOVE, Kind.DELETE])
def test_a_file_system_without_exchange_does_too(
    trial: Trial, file: Path, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As NFS and SMB: the kernel refuses the flags, and links do instead."""
    monkeypatch.setattr(rename, "_renameat2", None)
    action = trial.run(trial.approved(kind, file, CONTENT, to=str(tmp_path / "to.txt")))
    assert action.state is State.DONE
    assert beside(file) == (["note.txt"] if kind is Kind.QUARANTINE else [])
    if kind is not Kind.DELETE:
        assert trial.undo(action).state is State.UNDONE
        assert file.read_bytes() == CONTENT and beside(file) == ["note.txt"]


def test_an_undo_leaves_another_file_in_its_place_alone_and_takes_another_place(
    trial: Trial, file: Path, tmp_path: Path
) -> None:
    action = trial.run(trial.approved(Kind.QUARANTINE, file, CONTENT))
    file.write_bytes(b"a new file of the same name")
    ended = trial.undo(action)
    assert ended.state is State.DONE and "--to" in ended.note
    assert file.read_bytes() == b"a new file of the same name" and trial.vault.holds(action.id)
    restored = tmp_path / "restored.txt"
    assert trial.undo(ended, str(restored)).state is State.UNDONE
    assert restored.read_bytes() == CONTENT and not trial.vault.holds(action.id)


def test_a_damaged_vault_never_costs_the_note(trial: Trial, file: Path) -> None:
    action = trial.run(trial.approved(Kind.QUARANTINE, file, CONTENT))
    (sealed,) = trial.vault.folder.iterdir()
    sealed.write_bytes(sealed.read_bytes()[:-1])
    note = file.read_bytes()
    ended = trial.undo(action)
    assert ended.state is State.DONE and "damaged" in ended.note
    assert file.read_bytes() == note


def test_a_full_disk_leaves_the_file_where_it_is(trial: Trial, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Holding, "write", full)
    ended = trial.run(trial.approved(Kind.QUARANTINE, file, CONTENT))
    assert ended.state is State.LEFT and "no space left" in ended.note
    assert file.read_bytes() == CONTENT and beside(file) == ["note.txt"] and os.listdir(trial.vault.folder) == []


def test_hard_links_are_told_of(trial: Trial, file: Path) -> None:
    os.link(file, file.with_name("second.txt"))
    action = trial.run(trial.approved(Kind.QUARANTINE, file, CONTENT))
    assert action.state is State.DONE and "1 other names" in action.note
    assert file.with_name("second.txt").read_bytes() == CONTENT


def test_a_folder_that_went_away_keeps_what_was_begun_open(trial: Trial, file: Path, tmp_path: Path) -> None:
    action = trial.approved(Kind.QUARANTINE, file, CONTENT)
    facts = swap_module.SwapFile().begin(action, trial.here)
    trial.register.record("bob", "begun", action.id, facts)
    hidden = file.parent.rename(tmp_path / "hidden")
    (waiting,) = trial.runner().resume()
    assert waiting.state is State.BEGUN and "folder cannot be opened" in waiting.note
    hidden.rename(file.parent)
    (done,) = trial.runner().resume()
    assert done.state is State.DONE and trial.vault.content_hash(action.id) == sha256_of(CONTENT)


def test_without_a_mail_server_nobody_is_told(trial: Trial, file: Path) -> None:
    ended = trial.run(trial.approved(Kind.TELL, file, CONTENT))
    assert ended.state is State.LEFT and "mail.host" in ended.note


def test_a_mail_that_no_server_takes_is_left(tmp_path: Path, file: Path) -> None:
    def refuse(letter: Letter) -> None:
        raise LeftAloneError("the mail was not taken: 550")

    settings = ActSettings(owner_fallback="a@example.org")
    trial = Trial(tmp_path, settings=settings, send=refuse)
    ended = trial.run(trial.approved(Kind.TELL, file, CONTENT))
    assert ended.state is State.LEFT and "550" in ended.note


def test_names_of_any_bytes_are_acted_on(trial: Trial, tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/n\xffte.txt"
    with open(raw, "wb") as out:
        out.write(CONTENT)
    action = trial.run(trial.approved(Kind.QUARANTINE, os.fsdecode(raw), CONTENT))
    assert action.state is State.DONE
    again = Trial(tmp_path)  # the name comes back from the journal
    assert again.undo(again.register.actions[0]).state is State.UNDONE
    with open(raw, "rb") as file:
        assert file.read() == CONTENT
