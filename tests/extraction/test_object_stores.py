"""Objects of real servers -> Documents: names of every kind, limits, faults, and nothing left on a disk."""

import fcntl
import hashlib
import importlib.util
import os
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import boto3
import pytest
from google.cloud import storage  # type: ignore[attr-defined]

from core.errors import SourceError
from core.records import Document, FileRef, Status
from core.settings import LimitSettings
from extraction.examine import examine, examine_each
from extraction.opening.addresses import SCHEMES, Scheme, is_object, scheme_of
from extraction.opening.fetch_ahead import fetch
from extraction.opening.object_store import ObjectError, join_address, split_address, store_of
from extraction.sandbox import Sandbox
from tests.object_servers import PAGE, gcs_server, s3_server

ODD = [
    "a.txt",
    "d/b.txt",
    "d//c.txt",
    "/lead.txt",
    "d/../e.txt",
    "sp ace%20+.txt",
    "ü/日本.txt",
    "tail~#?&=.txt",
    "bad\x01ctl",
    "x*[1].txt",
]
Put = Callable[[str, bytes], None]
Kind = tuple[str, Put]


@pytest.fixture(scope="module")
def s3() -> Iterator[Any]:
    with s3_server() as environment, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        client = boto3.client("s3")
        client.create_bucket(Bucket="crawl")
        yield client


@pytest.fixture(scope="module")
def gcs() -> Iterator[Any]:
    with gcs_server() as environment, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        yield storage.Client().create_bucket("crawl")


@pytest.fixture(params=["s3", "gs"])
def kind(request: pytest.FixtureRequest) -> Kind:
    if request.param == "s3":
        client = request.getfixturevalue("s3")
        return "s3://crawl", lambda key, data: client.put_object(Bucket="crawl", Key=key, Body=data)
    bucket = request.getfixturevalue("gcs")
    return "gs://crawl", lambda key, data: bucket.blob(key).upload_from_string(data)


def ref_to(address: str) -> FileRef:
    return FileRef(uri=address, path=address.encode(), size=0, mtime_ns=0)


def test_an_address_is_told_from_a_path() -> None:
    assert is_object("s3://bucket/key") and is_object(b"gs://bucket/key") and is_object("azfs://account/container/key")
    assert not is_object("/srv/s3://bucket") and not is_object("relative") and not is_object(b"/\xff")
    assert split_address("s3://bucket/a//b?#") == ("s3://bucket", "a//b?#")
    assert split_address("azfs://account/container/a/b") == ("azfs://account/container", "a/b")
    with pytest.raises(SourceError, match="s3://bucket/prefix"):
        split_address("s3:///key")


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_a_scheme_has_its_module_and_its_extra(scheme: Scheme) -> None:
    assert importlib.util.find_spec(scheme.module) is not None
    extras = tomllib.loads(Path("pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert not scheme.extra or scheme.extra in extras
    assert scheme_of(scheme.form) is scheme
    place, key = split_address(scheme.form)
    assert key and join_address(place, key) == scheme.form and split_address(place) == (place, "")


def test_objects_are_listed_with_what_a_store_knows(kind: Kind) -> None:
    place, put = kind
    put("listed/one", b"12345")
    (stored,) = store_of(place).objects("listed/")
    assert (stored.key, stored.size) == ("listed/one", 5)
    assert stored.etag and stored.mtime_ns > 1_700_000_000 * 10**9
    put("listed/one", b"54321")
    (changed,) = store_of(place).objects("listed/")
    assert changed.etag != stored.etag


def test_more_objects_than_a_page_are_listed_one_page_at_a_time(s3: Any) -> None:
    s3.create_bucket(Bucket="pages")
    for number in range(2 * PAGE + 10):
        s3.put_object(Bucket="pages", Key=f"{number:04d}", Body=b"")
    requests = []
    store = store_of("s3://pages")
    store._client.meta.events.register("before-call.s3.ListObjectsV2", lambda **_: requests.append(1))  # type: ignore[attr-defined]
    listing = store.objects("")
    assert next(listing).key == "0000" and len(requests) == 1
    assert [stored.key for stored in listing][-1] == "0109" and len(requests) == 3


def test_objects_of_odd_names_are_found_and_read(s3: Any, sandbox: Sandbox) -> None:
    for key in ODD:
        s3.put_object(Bucket="crawl", Key=f"odd/{key}", Body=f"words of {key!r}".encode())
    keys = [stored.key for stored in store_of("s3://crawl").objects("odd/")]
    assert sorted(keys) == sorted(f"odd/{key}" for key in ODD)
    documents = list(examine_each([ref_to(f"s3://crawl/{key}") for key in keys], sandbox))
    assert [document.text for document in documents] == [f"words of {key.removeprefix('odd/')!r}" for key in keys]
    assert {document.status for document in documents} == {Status.COMPLETE}


def test_members_of_an_archive_in_a_store_have_documents(kind: Kind, sandbox: Sandbox) -> None:
    place, put = kind
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inner.txt", "inner words")
    put("packed.zip", packed.getvalue())
    documents = list(examine(ref_to(f"{place}/packed.zip"), sandbox))
    assert [(document.uri, document.status) for document in documents] == [
        (f"{place}/packed.zip!inner.txt", Status.COMPLETE),
        (f"{place}/packed.zip", Status.CONTAINER),
    ]


def test_an_empty_object_is_complete(kind: Kind, sandbox: Sandbox) -> None:
    place, put = kind
    put("empty", b"")
    (document,) = examine(ref_to(f"{place}/empty"), sandbox)
    assert (document.status, document.size) == (Status.COMPLETE, 0)


WINDOW = 65_536
LINES = b"".join(
    b"line %07d of words that nobody needs, with an umlaut: \xc3\xbc\n" % number for number in range(20_000)
)  # 1.2 MB


def streamed(read: int, **limits: int) -> LimitSettings:
    return LimitSettings(file_seconds=30, read_bytes=read, window_bytes=WINDOW, **limits)


def joined(documents: list[Document]) -> str:
    """The text of all windows, without what they repeat of one another."""
    return "".join(document.text[document.repeated_before :] for document in documents)


def test_no_more_than_the_read_limit_is_fetched_at_first(kind: Kind) -> None:
    place, put = kind
    put("large.txt", LINES)
    opened = fetch(f"{place}/large.txt".encode(), streamed(100_000))
    try:
        assert (os.fstat(opened.descriptor).st_size, opened.size) == (100_001, len(LINES))
        with pytest.raises(OSError):
            os.pwrite(opened.descriptor, b"x", 0)
    finally:
        opened.close()


@pytest.mark.parametrize("read", [1_000, 70_000, 300_000])
def test_a_text_beyond_the_read_limit_is_read_to_its_end(kind: Kind, read: int) -> None:
    place, put = kind
    put("large.txt", LINES)
    with Sandbox(streamed(read)) as sandbox:
        documents = list(examine(ref_to(f"{place}/large.txt"), sandbox))
    assert len(documents) == -(-len(LINES) // WINDOW)
    assert joined(documents) == LINES.decode()
    last = documents[-1]
    assert (last.status, last.size, last.sha256) == (Status.COMPLETE, len(LINES), hashlib.sha256(LINES).hexdigest())


def test_memory_that_was_read_is_given_back(s3: Any) -> None:
    s3.put_object(Bucket="crawl", Key="large.txt", Body=LINES)
    opened = fetch(b"s3://crawl/large.txt", streamed(100_000))
    assert opened.streamed is not None
    held = []
    try:
        for number in range(len(LINES) // WINDOW):
            assert (
                os.pread(opened.descriptor, WINDOW, number * WINDOW) == LINES[number * WINDOW : (number + 1) * WINDOW]
            )
            opened.streamed.release_window()
            opened.streamed._thread.submit(int).result()  # after what was asked of it before
            held.append(os.fstat(opened.descriptor).st_blocks * 512)
    finally:
        opened.close()
    assert max(held) <= 100_001 + 2 * WINDOW
    assert opened.streamed.fault == ""


def test_the_limit_of_streamed_bytes_counts_for_objects(s3: Any) -> None:
    s3.put_object(Bucket="crawl", Key="large.txt", Body=LINES)
    with Sandbox(streamed(70_000, streamed_bytes=200_000)) as sandbox:
        documents = list(examine(ref_to("s3://crawl/large.txt"), sandbox))
    assert joined(documents) == LINES[:200_000].decode(errors="ignore")
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "streamed text limit (200,000 bytes)")


@pytest.mark.parametrize("deed", ["changed while it was fetched", "vanished"])
def test_an_object_that_does_not_stay_the_same_is_partial(s3: Any, deed: str) -> None:
    s3.put_object(Bucket="crawl", Key="unsteady.txt", Body=LINES)
    with Sandbox(streamed(70_000)) as sandbox:
        documents = examine(ref_to("s3://crawl/unsteady.txt"), sandbox)
        first = next(documents)
        if deed == "vanished":
            s3.delete_object(Bucket="crawl", Key="unsteady.txt")
        else:
            s3.put_object(Bucket="crawl", Key="unsteady.txt", Body=LINES[::-1])
        rest = list(documents)
    assert (rest[-1].status, rest[-1].reason, rest[-1].sha256) == (Status.PARTIAL, deed, None)
    assert LINES.decode().startswith(joined([first, *rest]))


def test_of_what_is_no_text_no_more_is_fetched(s3: Any) -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inner.txt", LINES)
    s3.put_object(Bucket="crawl", Key="large.zip", Body=packed.getvalue())
    requests: list[str] = []
    store: Any = store_of("s3://crawl")
    store._client.meta.events.register(
        "before-call.s3.GetObject", lambda params, **_: requests.append(params["headers"]["Range"])
    )
    with Sandbox(streamed(70_000)) as sandbox:
        *_, document = examine(ref_to("s3://crawl/large.zip"), sandbox)
    assert (document.status, document.reason) == (Status.PARTIAL, "read limit (70,000 bytes)")
    assert requests == ["bytes=0-70000"]


def test_what_is_fetched_is_memory_that_nobody_can_change(s3: Any) -> None:
    s3.put_object(Bucket="crawl", Key="held", Body=b"held words")
    opened = fetch(b"s3://crawl/held", LimitSettings())
    try:
        assert os.readlink(f"/proc/self/fd/{opened.descriptor}").startswith("/memfd:object")
        assert fcntl.fcntl(opened.descriptor, fcntl.F_GET_SEALS) & fcntl.F_SEAL_WRITE
        with pytest.raises(PermissionError):
            os.pwrite(opened.descriptor, b"x", 0)
    finally:
        os.close(opened.descriptor)


def test_a_vanished_object_is_unreadable_and_the_next_is_read(kind: Kind, sandbox: Sandbox) -> None:
    place, put = kind
    put("there.txt", b"words")
    gone, there = examine_each([ref_to(f"{place}/gone.txt"), ref_to(f"{place}/there.txt")], sandbox)
    assert (gone.status, gone.reason) == (Status.UNREADABLE, "vanished")
    assert there.status is Status.COMPLETE


def test_an_archived_object_says_so(s3: Any) -> None:
    s3.put_object(Bucket="crawl", Key="cold", Body=b"words", StorageClass="GLACIER")
    with pytest.raises(ObjectError, match="archive tier"):
        fetch(b"s3://crawl/cold", LimitSettings())


def test_a_store_that_does_not_answer_is_a_reason(monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "none")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "none")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    (document,) = examine(ref_to("s3://nowhere/key"), sandbox)
    assert (document.status, document.reason) == (
        Status.UNREADABLE,
        "the store cannot be reached (EndpointConnectionError)",
    )


def test_descriptors_are_closed_when_the_reader_stops_early(s3: Any, sandbox: Sandbox) -> None:
    for number in range(20):
        s3.put_object(Bucket="crawl", Key=f"many/{number:02d}", Body=b"words")
    refs = [ref_to(f"s3://crawl/many/{number:02d}") for number in range(20)]
    documents = examine_each(refs, sandbox)
    next(documents)
    documents.close()  # type: ignore[attr-defined]
    left = [os.readlink(entry) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()]
    assert not [name for name in left if "memfd:object" in name]
