"""An archive that is named as a source is read beyond the limits of one file, member after member."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard

from core.records import Document, Status
from core.settings import LimitSettings
from extraction.examine import examine
from extraction.sandbox import Sandbox, sandbox
from tests.extraction.conftest import ref_to

LIMITS = LimitSettings(
    file_seconds=20,
    read_bytes=300_000,
    expanded_bytes=400_000,
    member_bytes=100_000,
    members=50,
    streamed_bytes=20_000_000,
)
COUNT = 200
TEXTS = [f"{number}: Ann Example, ward 7. ".encode() * 400 for number in range(COUNT)]
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}


def tar_of(texts: list[bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for number, data in enumerate(texts):
            info = tarfile.TarInfo(f"folder/{number}.txt")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def warc_of(texts: list[bytes], pack: Callable[[bytes], bytes] = bytes) -> bytes:
    """A crawler packs each record by itself."""
    heads = [
        f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {number}\r\nContent-Length: {len(text)}\r\n\r\n"
        for number, text in enumerate(texts)
    ]
    return b"".join(pack(head.encode() + text + b"\r\n\r\n") for head, text in zip(heads, texts, strict=True))


ARCHIVES = {
    **{f"tar, {name}": pack(tar_of(TEXTS)) for name, pack in PACKERS.items()},
    **{f"warc, {name}": warc_of(TEXTS, PACKERS[name]) for name in ("plain", "gzip")},
}


@pytest.fixture(scope="module")
def narrow() -> Iterator[Sandbox]:
    with Sandbox(LIMITS) as made:
        yield made


def read(path: Path, data: bytes, within: Sandbox, *, named: bool = True) -> list[Document]:
    path.write_bytes(data)
    ref = ref_to(path)
    return list(examine(replace(ref, source=ref.uri if named else os.path.dirname(ref.uri)), within))


@pytest.mark.parametrize("kind", ARCHIVES)
def test_all_members_of_a_named_archive_are_read(tmp_path: Path, narrow: Sandbox, kind: str) -> None:
    *members, outer = read(tmp_path / "crawl", ARCHIVES[kind], narrow)
    assert [member.text.encode() for member in members] == TEXTS
    assert {member.status for member in members} == {Status.COMPLETE}
    assert (outer.status, outer.reason) == (Status.CONTAINER, "")


@pytest.mark.parametrize("kind", ARCHIVES)
def test_the_same_archive_found_in_a_folder_is_cut_by_a_limit(tmp_path: Path, narrow: Sandbox, kind: str) -> None:
    *members, outer = read(tmp_path / "crawl", ARCHIVES[kind], narrow, named=False)
    assert 10 < len(members) <= 50
    assert outer.status is Status.PARTIAL
    assert " limit (" in outer.reason


@pytest.mark.parametrize("kind", ["tar, plain", "tar, gzip", "warc, plain", "warc, gzip"])
def test_what_is_beyond_the_streamed_limit_is_told(tmp_path: Path, kind: str) -> None:
    with Sandbox(replace(LIMITS, streamed_bytes=1_000_000)) as narrower:
        *members, outer = read(tmp_path / "crawl", ARCHIVES[kind], narrower)
    assert 50 < len(members) < COUNT
    assert [member.text.encode() for member in members[:-1]] == TEXTS[: len(members) - 1]
    assert (outer.status, outer.reason) == (Status.PARTIAL, "streamed size limit (1,000,000 bytes)")
    if members[-1].text.encode() != TEXTS[len(members) - 1]:
        assert (members[-1].status, members[-1].reason) == (Status.PARTIAL, "streamed size limit (1,000,000 bytes)")


@pytest.mark.parametrize("kind", ["tar", "warc"])
def test_one_member_beyond_its_limit_does_not_end_a_packed_archive(tmp_path: Path, narrow: Sandbox, kind: str) -> None:
    huge = [*TEXTS[:3], b"a line of nothing much\n" * 100_000, *TEXTS[3:6]]
    data = gzip.compress(tar_of(huge)) if kind == "tar" else warc_of(huge, gzip.compress)
    *members, outer = read(tmp_path / "crawl", data, narrow)
    assert [member.status for member in members] == [Status.COMPLETE] * 3 + [Status.PARTIAL] + [Status.COMPLETE] * 3
    assert members[3].reason == "member size limit (100,000 bytes)"
    assert outer.status is Status.CONTAINER


def test_a_member_that_is_a_bomb_is_stopped_by_itself(tmp_path: Path, narrow: Sandbox) -> None:
    bomb = tar_of([b"x" * 90_000] * 60)
    *members, outer = read(tmp_path / "crawl", tar_of([TEXTS[0], gzip.compress(bomb), TEXTS[1]]), narrow)
    results = {member.uri.partition("!")[2]: (member.status, member.reason) for member in members}
    assert results["folder/1.txt"] == (Status.PARTIAL, "expanded size limit (400,000 bytes)")
    assert results["folder/0.txt"] == results["folder/2.txt"] == (Status.COMPLETE, "")
    assert outer.status is Status.CONTAINER


def test_another_child_goes_on_where_one_has_worked_for_long(
    tmp_path: Path, narrow: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "_SECONDS_KEPT_FREE", 0.05 - LIMITS.file_seconds)
    born = {narrow.child_pid}
    path = tmp_path / "crawl"
    path.write_bytes(ARCHIVES["tar, gzip"])
    ref = ref_to(path)
    texts = []
    for document in examine(replace(ref, source=ref.uri), narrow):
        texts.append(document.text.encode())
        time.sleep(0.002)  # the time of whoever screens counts too
        if narrow._child is not None:
            born.add(narrow._child.pid)
    assert texts == [*TEXTS, b""]
    assert len(born) > 2
