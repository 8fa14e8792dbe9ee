"""Files of a real WebDAV server -> objects and Documents."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.records import FileRef, Status
from core.settings import SourceSettings
from extraction.examine import examine, examine_each
from extraction.opening.object_store import ObjectError, StoredObject, store_of
from extraction.sandbox import Sandbox
from tests.servers.webdav import PASSWORD, DavServer, webdav


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DavServer]:
    with webdav(tmp_path_factory.mktemp("webdav")) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(running.authority))
        patch.setenv("LEAKSCREEN_SOURCE_PASSWORD", PASSWORD)
        yield running


def listed(server: DavServer, prefix: str = "") -> dict[str, StoredObject]:
    return {stored.key: stored for stored in store_of(server.address).objects(prefix)}


def ref_to(server: DavServer, key: str) -> FileRef:
    address = f"{server.address}/{key}"
    return FileRef(uri=address, path=address.encode(), size=0, mtime_ns=0)


def put(server: DavServer, name: str, content: bytes = b"words") -> None:
    (server.share / name).parent.mkdir(parents=True, exist_ok=True)
    (server.share / name).write_bytes(content)


def test_files_are_listed_to_any_depth_and_read(server: DavServer, sandbox: Sandbox) -> None:
    put(server, "deep/b/Bericht 100% über #1?.txt", b"odd words")
    put(server, "deep/a.txt")
    put(server, "deep/empty.txt", b"")
    found = listed(server, "deep/")
    assert found.keys() == {"deep/a.txt", "deep/b/Bericht 100% über #1?.txt", "deep/empty.txt"}
    assert list(listed(server, "deep/a.txt")) == ["deep/a.txt"] and not listed(server, "deep/b")
    assert found["deep/a.txt"].size == 5 and found["deep/a.txt"].etag and found["deep/a.txt"].mtime_ns > 10**18
    keys = ("deep/b/Bericht 100% über #1?.txt", "deep/empty.txt")
    odd, empty = examine_each([ref_to(server, key) for key in keys], sandbox)
    assert (odd.text, odd.status, empty.status) == ("odd words", Status.COMPLETE, Status.COMPLETE)


def test_a_range_is_of_the_version_that_was_asked_for(server: DavServer) -> None:
    put(server, "long.bin", bytes(range(256)) * 20_000)
    store = store_of(server.address)
    first = store.fetch("long.bin", 4_000_000)
    assert (first.size, sum(map(len, first.chunks))) == (5_120_000, 4_000_000)
    assert b"".join(store.fetch("long.bin", 3, 256_001, first.version).chunks) == bytes([1, 2, 3])
    put(server, "long.bin", b"short")
    with pytest.raises(ObjectError, match="changed while it was fetched"):
        store.fetch("long.bin", 3, 1, first.version)


def test_a_vanished_file_is_unreadable(server: DavServer, sandbox: Sandbox) -> None:
    (gone,) = examine(ref_to(server, "gone.txt"), sandbox)
    assert (gone.status, gone.reason) == (Status.UNREADABLE, "vanished")


def test_a_wrong_password_and_an_unknown_authority_are_reasons(
    server: DavServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LEAKSCREEN_SOURCE_PASSWORD", "wrong")
    with pytest.raises(ObjectError, match="refused user or password"):
        list(store_of(server.address, SourceSettings(connections=2)).objects(""))
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(ObjectError, match="certificate is not valid"):
        list(store_of(server.address, SourceSettings(connections=3)).objects(""))
