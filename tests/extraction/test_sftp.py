"""Files of a real OpenSSH server -> objects and Documents: names of every kind, and each fault a reason."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.records import FileRef, Status
from core.settings import SourceSettings
from extraction.examine import examine, examine_each
from extraction.opening.object_store import ObjectError, StoredObject, close_stores, store_of
from extraction.sandbox import Sandbox
from tests.servers.ssh import SshServer, sshd


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    with sshd(tmp_path_factory.mktemp("ssh")) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(running.folder / "home"))
        yield running


def settings(server: SshServer, key: str = "user_key") -> SourceSettings:
    file = server.folder / f"{key}.toml"
    file.write_text(f'["{server.address}"]\nkey_file = "{server.folder / key}"\n')
    file.chmod(0o600)
    return SourceSettings(credentials_file=str(file))


def listed(server: SshServer, folder: Path | str) -> dict[str, StoredObject]:
    prefix = str(folder).strip("/")
    return {
        stored.key.removeprefix(prefix).strip("/"): stored
        for stored in store_of(server.address, settings(server)).objects(f"{prefix}/")
    }


def ref_to(server: SshServer, path: bytes) -> FileRef:
    address = server.address.encode() + path
    return FileRef(uri=address.decode("utf-8", "replace"), path=address, size=0, mtime_ns=0)


def test_files_are_listed_with_owner_and_mode_and_read(server: SshServer, tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "one.txt").write_text("one")
    (tmp_path / "two.txt").write_text("two words")
    (tmp_path / "two.txt").chmod(0o640)
    os.symlink("two.txt", tmp_path / "link")
    found = listed(server, tmp_path)
    assert found.keys() == {"a/b/one.txt", "two.txt", "link"} and found["link"].fault == "symbolic link"
    assert (found["two.txt"].size, found["two.txt"].access) == (9, "group")
    assert found["two.txt"].owner == (tmp_path / "two.txt").owner()
    assert found["two.txt"].mtime_ns // 10**9 == int((tmp_path / "two.txt").stat().st_mtime)
    (document,) = examine(ref_to(server, os.fsencode(tmp_path / "two.txt")), sandbox, settings(server))
    assert (document.status, document.text) == (Status.COMPLETE, "two words")


def test_a_name_that_is_not_utf8_is_read(server: SshServer, tmp_path: Path, sandbox: Sandbox) -> None:
    odd = os.fsencode(tmp_path) + b"/caf\xe9 \xff.txt"
    with open(odd, "w") as file:
        file.write("odd words")
    (found,) = listed(server, tmp_path)
    assert os.fsencode(found) == b"caf\xe9 \xff.txt"
    (document,) = examine(ref_to(server, odd), sandbox, settings(server))
    assert document.text == "odd words"


def test_a_range_is_of_the_version_that_was_asked_for(server: SshServer, tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_bytes(bytes(range(256)) * 20_000)
    store = store_of(server.address, settings(server))
    key = str(tmp_path / "long.txt").strip("/")
    first = store.fetch(key, 4_000_000)
    assert (first.size, sum(map(len, first.chunks))) == (5_120_000, 4_000_000)
    assert b"".join(store.fetch(key, 5, 4_000_003, first.version).chunks) == bytes([3, 4, 5, 6, 7])
    (tmp_path / "long.txt").write_bytes(b"short")
    with pytest.raises(ObjectError, match="changed while it was fetched"):
        store.fetch(key, 5, 10, first.version)


def test_faults_are_reasons_and_the_next_file_is_read(server: SshServer, tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "there.txt").write_text("words")
    os.mkfifo(tmp_path / "pipe")
    names = ("gone.txt", "x" * 400, "pipe", "there.txt")
    refs = [ref_to(server, os.fsencode(tmp_path / name)) for name in names]
    gone, long, pipe, there = examine_each(refs, sandbox, settings(server))
    assert (gone.status, gone.reason) == (Status.UNREADABLE, "vanished")
    assert (long.status, pipe.status, there.status) == (Status.UNREADABLE, Status.UNREADABLE, Status.COMPLETE)
    assert pipe.reason == "not a regular file (named pipe)"


def test_a_key_that_the_server_does_not_know_is_refused(server: SshServer) -> None:
    with pytest.raises(ObjectError, match="refused user or password"):
        list(store_of(server.address, settings(server, "other_key")).objects("tmp/"))


def test_a_server_whose_key_is_not_known_is_not_used(
    server: SshServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "known_hosts").write_text("")
    with pytest.raises(ObjectError, match="key is not known"):
        list(store_of(server.address, SourceSettings(connections=5)).objects("tmp/"))


def test_no_thread_of_the_client_is_left_when_workers_are_forked(server: SshServer, tmp_path: Path) -> None:
    close_stores()
    before = threading.active_count()
    listed(server, tmp_path)
    assert threading.active_count() > before
    close_stores()
    assert threading.active_count() == before
