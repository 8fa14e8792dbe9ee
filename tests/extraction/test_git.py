"""Versions of files in real git repositories -> objects and Documents, without a checkout."""

import os
import subprocess
from pathlib import Path

import pytest

from core.errors import SourceError
from core.records import FileRef, Status
from core.settings import SourceSettings
from extraction.examine import examine
from extraction.opening.object_store import ObjectError, StoredObject, split_address, store_of
from extraction.sandbox import Sandbox

ENVIRONMENT = {
    **os.environ,
    **{f"GIT_{who}_{what}": "Ada" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


def git(folder: Path, *words: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        ["git", "-C", folder, *words], check=True, capture_output=True, env=ENVIRONMENT, input=stdin
    ).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "kept.txt").write_text("first version")
    (folder / "deleted.txt").write_text("deleted words")
    (folder / "copy.txt").write_text("first version")
    commit(folder, "one")
    (folder / "kept.txt").write_text("second version")
    (folder / "deleted.txt").unlink()
    (folder / "Ordner ü").mkdir()
    (folder / "Ordner ü" / "x.txt").write_text("deep words")
    commit(folder, "two")
    return folder


def commit(folder: Path, words: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", words)


def listed(folder: Path, prefix: str = "") -> dict[str, StoredObject]:
    found = list(store_of(f"git://{folder}", SourceSettings()).objects(prefix))
    names = [f"{stored.key.partition('~g')[0]} {stored.etag[:4]}" for stored in found]
    assert len(set(names)) == len(names)
    return dict(zip((stored.key for stored in found), found, strict=True))


def texts(folder: Path, sandbox: Sandbox) -> dict[str, list[str]]:
    read: dict[str, list[str]] = {}
    for key in listed(folder):
        address = f"git://{folder}//{key}"
        (document,) = examine(FileRef(uri=address, path=address.encode(), size=0, mtime_ns=0), sandbox)
        assert document.status is Status.COMPLETE
        read.setdefault(key.partition("~g")[0], []).append(document.text)
    return read


def test_every_version_of_every_file_is_read_once(repository: Path, sandbox: Sandbox) -> None:
    assert texts(repository, sandbox) == {
        "kept.txt": ["second version"],
        "Ordner ü/x.txt": ["deep words"],
        "copy.txt": ["first version"],
        "deleted.txt": ["deleted words"],
    }
    (stored,) = (stored for stored in listed(repository).values() if stored.key.startswith("deleted.txt"))
    assert (stored.size, stored.owner) == (13, "Ada") and stored.mtime_ns > 10**18


def test_other_branches_merges_and_lost_commits_are_read(repository: Path, sandbox: Sandbox) -> None:
    git(repository, "checkout", "-q", "-b", "side", "HEAD~1")
    (repository / "side.txt").write_text("words of a branch")
    commit(repository, "side")
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-q", "--no-commit", "side")
    (repository / "merged.txt").write_text("words of the merge alone")
    commit(repository, "merge")
    git(repository, "hash-object", "-w", "--stdin", stdin=b"never committed")
    found = texts(repository, sandbox)
    assert found["side.txt"] == ["words of a branch"] and found["merged.txt"] == ["words of the merge alone"]
    assert found["in no commit/"] == ["never committed"]


def test_a_bare_repository_and_a_folder_in_it(repository: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    git(repository, "clone", "-q", "--bare", str(repository), str(bare))
    assert len(listed(bare)) == 4
    assert [key.partition("~g")[0] for key in listed(bare, "Ordner ü/")] == ["Ordner ü/x.txt"]
    (key,) = listed(bare, "Ordner ü/")
    assert list(listed(bare, key)) == [key]
    assert split_address(f"git://{bare}//{key}") == (f"git://{bare}", key)


def test_a_range_of_a_large_file(repository: Path) -> None:
    (repository / "large.bin").write_bytes(bytes(range(256)) * 20_000)
    commit(repository, "large")
    (key,) = (key for key in listed(repository) if key.startswith("large.bin"))
    store = store_of(f"git://{repository}")
    for start, most in ((0, 10), (2_000_000, 3_000_000), (5_119_990, 100)):
        part = store.fetch(key, most, start)
        got = b"".join(part.chunks)
        assert part.size == 5_120_000 and got == (bytes(range(256)) * 20_000)[start : start + most]


def test_a_hostile_repository_runs_nothing(repository: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {trap}\n")
    script.chmod(0o755)
    for key in ("gpg.program", "core.fsmonitor", "core.sshCommand", "diff.external", "core.pager", "core.editor"):
        git(repository, "config", key, str(script))
    git(repository, "config", "log.showSignature", "true")
    git(repository, "config", "filter.x.smudge", str(script))
    (repository / ".git" / "info" / "attributes").write_text("* filter=x diff=x\n")
    assert len(listed(repository)) == 4
    assert not trap.exists()


def test_what_is_no_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not a git repository"):
        store_of(f"git://{tmp_path}")
    with pytest.raises(SourceError, match=r"git:///srv/repository\.git//path"):
        split_address("git://")


def test_a_version_that_is_missing_is_a_reason(repository: Path) -> None:
    with pytest.raises(ObjectError, match="missing from the repository"):
        store_of(f"git://{repository}").fetch(f"x~g{'1' * 40}", 10)
