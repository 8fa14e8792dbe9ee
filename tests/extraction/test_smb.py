"""Files of a real Samba -> objects and Documents: access lists of files and shares, ranges, and each fault a reason."""

import os
import threading
from collections.abc import Iterator

import pytest
import smbclient

from core.records import FileRef, Status
from core.settings import LimitSettings, SourceSettings
from extraction.examine import examine, examine_each
from extraction.opening.fetch_ahead import fetch
from extraction.opening.object_store import ObjectError, StoredObject, close_stores, store_of
from extraction.opening.windows_lists import Name, in_words, parsed
from extraction.sandbox import Sandbox
from tests.servers.samba import PASSWORD, FileServer, samba

PLAIN = SourceSettings(access_lists=False)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileServer]:
    with samba(tmp_path_factory.mktemp("samba")) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEAKSCREEN_SOURCE_PASSWORD", PASSWORD)
        yield running


def put(server: FileServer, name: str, text: str = "words") -> None:
    """By the server, so that the file belongs to its user."""
    path = rf"\\127.0.0.1\share\{name}"
    how = {"username": server.user, "password": PASSWORD, "port": server.port}
    if "\\" in name:
        smbclient.makedirs(path.rpartition("\\")[0], exist_ok=True, **how)
    with smbclient.open_file(path, "w", encoding="utf-8", **how) as file:
        file.write(text)


def listed(server: FileServer, prefix: str = "", settings: SourceSettings = PLAIN) -> dict[str, StoredObject]:
    return {stored.key: stored for stored in store_of(server.address, settings).objects(prefix)}


def ref_to(server: FileServer, key: str) -> FileRef:
    address = f"{server.address}/{key}"
    return FileRef(uri=address, path=address.encode(), size=0, mtime_ns=0)


def test_files_are_listed_to_any_depth_and_read(server: FileServer, sandbox: Sandbox) -> None:
    put(server, r"deep\b\Bericht über 日本.txt", "umlaut words")
    put(server, r"deep\a.txt")
    assert list(listed(server, "deep/")) == ["deep/a.txt", "deep/b/Bericht über 日本.txt"]
    assert list(listed(server, "deep/a.txt")) == ["deep/a.txt"] and not listed(server, "deep/a.tx")
    (document,) = examine(ref_to(server, "deep/b/Bericht über 日本.txt"), sandbox)
    assert (document.status, document.text) == (Status.COMPLETE, "umlaut words")


def test_a_file_that_changes_has_another_identity(server: FileServer) -> None:
    put(server, "changing.txt", "one")
    before = listed(server)["changing.txt"]
    assert before == listed(server)["changing.txt"]
    put(server, "changing.txt", "two")
    after = listed(server)["changing.txt"]
    assert before.etag != after.etag and before.size == after.size == 3
    put(server, "other.txt", "two")
    os.utime(server.share / "other.txt", ns=(after.mtime_ns, after.mtime_ns))
    assert listed(server)["other.txt"].etag != after.etag


def test_a_large_file_is_read_by_ranges_of_one_version(server: FileServer) -> None:
    lines = "".join(f"line {number:07}\n" for number in range(250_000))
    put(server, "large.txt", lines)
    opened = fetch(f"{server.address}/large.txt".encode(), LimitSettings())
    try:
        assert os.pread(opened.descriptor, len(lines) + 1, 0) == lines.encode()
    finally:
        opened.close()
    store = store_of(server.address)
    first = store.fetch("large.txt", 10)
    assert (first.size, b"".join(first.chunks)) == (len(lines), b"line 00000")
    assert b"".join(store.fetch("large.txt", 7, 13, first.version).chunks) == b"line 00"
    put(server, "large.txt", lines[:-1])
    with pytest.raises(ObjectError, match="changed while it was fetched"):
        store.fetch("large.txt", 10, 13, first.version)


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (["S-1-1-0:ALLOWED/0x0/READ"], "everyone, own list"),
        (["S-1-1-0:ALLOWED/0x10/READ"], "everyone, inherited"),
        (["S-1-5-21-1-2-3-513:ALLOWED/0x0/READ"], "everyone, own list"),
        (["S-1-5-32-544:ALLOWED/0x0/FULL"], "owner, own list"),
        (["S-1-1-0:DENIED/0x0/FULL", "S-1-5-11:ALLOWED/0x0/READ"], "owner, own list"),
        (["S-1-1-0:ALLOWED/0x0/W"], "owner, own list"),
        (
            ["S-1-22-2-0:ALLOWED/0x10/READ", "S-1-22-1-2:ALLOWED/0x0/READ", "S-1-5-21-1-2-3-1104:ALLOWED/0x0/READ"],
            r"group, group Unix Group\root, user Unix User\bin, group S-1-5-21-1-2-3-1104, own list",
        ),
    ],
)
def test_who_may_read_a_file(server: FileServer, entries: list[str], said: str) -> None:
    put(server, "kept.txt")
    server.set_list("kept.txt", *entries)
    found = listed(server, "", SourceSettings())["kept.txt"]
    assert found.owner == rf"WARD\{server.user}"
    assert ", ".join(sorted(found.access.split(", "))) == ", ".join(sorted(said.split(", ")))
    server.set_list("kept.txt", "S-1-1-0:ALLOWED/0x0/FULL")


def test_a_share_that_few_may_use_narrows_what_everyone_may_read(server: FileServer) -> None:
    put(server, "open.txt")
    server.set_list("open.txt", "S-1-1-0:ALLOWED/0x0/READ")
    assert listed(server, "", SourceSettings())["open.txt"].access == "everyone, own list"
    narrow = store_of(server.address.replace("/share", "/narrow"), SourceSettings())
    (found,) = (stored for stored in narrow.objects("open.txt"))
    assert found.access == rf"group, own list, share only for user Unix User\{server.user}"


def test_lists_without_entries_and_without_a_list() -> None:
    def names(sids: set[str]) -> dict[str, Name]:
        return {}

    nobody = bytes.fromhex("0100048000000000000000000000000014000000" + "0200080000000000")
    assert in_words(parsed(nobody), None, names) == "owner, own list"
    without = bytes.fromhex("0100008000000000000000000000000000000000")
    assert in_words(parsed(without), None, names) == "everyone, own list"


def test_a_folder_without_permission_is_a_fault_and_the_others_are_listed(server: FileServer) -> None:
    put(server, r"rooms\closed\a.txt")
    put(server, r"rooms\open\b.txt")
    server.set_list(r"rooms\closed", "S-1-5-32-544:ALLOWED/0x0/FULL")
    found = listed(server, "rooms/")
    assert found["rooms/closed"].fault == "folder not listed: permission denied"
    assert "rooms/open/b.txt" in found and "rooms/closed/a.txt" not in found


def test_a_folder_that_contains_itself_is_left(server: FileServer) -> None:
    put(server, r"round\here\a.txt")
    os.symlink("..", server.share / "round" / "here" / "again")
    found = {key: stored.fault for key, stored in listed(server, "").items() if key.startswith("round/")}
    assert found == {"round/here/a.txt": "", "round/here/again": "folder not listed: it contains itself"}


def test_a_file_that_another_program_has_locked_is_unreadable_and_the_next_is_read(
    server: FileServer, sandbox: Sandbox
) -> None:
    put(server, "locked.txt")
    put(server, "next.txt")
    how = {"username": server.user, "password": PASSWORD, "port": server.port}
    with smbclient.open_file(r"\\127.0.0.1\share\locked.txt", "r", share_access="", **how):
        locked, following = examine_each([ref_to(server, "locked.txt"), ref_to(server, "next.txt")], sandbox)
    assert (locked.status, locked.reason) == (Status.UNREADABLE, "locked by another program")
    assert following.status is Status.COMPLETE


def test_no_thread_of_the_client_is_left_when_workers_are_forked(server: FileServer) -> None:
    close_stores()
    before = threading.active_count()
    listed(server)
    assert threading.active_count() > before
    close_stores()
    assert threading.active_count() == before


def test_long_names_and_vanished_files_are_reasons(server: FileServer, sandbox: Sandbox) -> None:
    long, gone = examine_each([ref_to(server, "x" * 400), ref_to(server, "gone.txt")], sandbox)
    assert (long.status, gone.status, gone.reason) == (Status.UNREADABLE, Status.UNREADABLE, "vanished")
    assert long.reason in ("vanished", "impossible name")


@pytest.mark.parametrize(
    ("place", "password", "said"),
    [
        ("{user}@127.0.0.1:{port}/share", "wrong", r"^permission denied \(the server refused user or password\)$"),
        ("{user}@127.0.0.1:{port}/nowhere", PASSWORD, "^no such share$"),
        ("{user}@127.0.0.1:9/share", PASSWORD, "^the server cannot be reached"),
    ],
)
def test_what_is_wrong_with_a_server_is_said(
    server: FileServer, monkeypatch: pytest.MonkeyPatch, place: str, password: str, said: str
) -> None:
    monkeypatch.setenv("LEAKSCREEN_SOURCE_PASSWORD", password)
    address = "smb://" + place.format(user=server.user, port=server.port)
    with pytest.raises(ObjectError, match=said):
        list(store_of(address, SourceSettings(connections=3)).objects(""))
