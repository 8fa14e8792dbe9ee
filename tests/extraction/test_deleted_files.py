"""Deleted files and free space of disks that the tests use up: what is left is found, and said to be deleted."""

import hashlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from core.records import Document, Status
from extraction.sandbox import Sandbox
from tests.extraction.used_disks import (
    a_txt,
    exfat,
    ext,
    ext_delete,
    fat,
    fat_delete,
    make_files,
    ntfs,
    ntfs_delete,
    run,
)

Examine = Callable[..., list[Document]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def files(folder: Path) -> dict[str, bytes]:
    return make_files(folder, 2, seed=3)


@pytest.fixture(scope="module")
def gone(files: dict[str, bytes]) -> list[str]:
    """One of each kind."""
    return sorted(name for name in files if "0." in name)


def hashes(files: dict[str, bytes], names: list[str]) -> set[str]:
    return {hashlib.sha256(files[name]).hexdigest() for name in names}


def outer_members(documents: list[Document]) -> list[Document]:
    return [document for document in documents[:-1] if document.container_uri == documents[-1].uri]


def made(kind: str, image: Path, folder: Path, files: dict[str, bytes], gone: list[str]) -> bytes:
    if kind.startswith("fat"):
        fat(image, folder, files, kind.removeprefix("fat"), 66 if kind == "fat32" else 16)
        fat_delete(image, gone)
    elif kind.startswith("ext"):
        ext(image, folder, kind.partition(" ")[0])
        ext_delete(image, gone, wipe_inodes="wiped" in kind)
    elif kind == "ntfs":
        ntfs(image, folder, files)
        ntfs_delete(image, gone)
    else:
        exfat(image, files, gone)
    return image.read_bytes()


@pytest.mark.parametrize("kind", ["fat16", "fat32", "ext2", "ext4", "ext4 wiped", "ntfs", "exfat"])
def test_deleted_files_come_back_whole_and_are_marked(
    examined: Examine, folder: Path, files: dict[str, bytes], gone: list[str], tmp_path: Path, kind: str
) -> None:
    documents = examined(made(kind, tmp_path / "image", folder, files, gone), "disk.img")
    members = outer_members(documents)
    there = {document.sha256 for document in members if not document.origin.deleted}
    back = {document.sha256 for document in members if document.origin.deleted}
    assert there == hashes(files, sorted(set(files) - set(gone)))
    assert back >= hashes(files, gone), [document.uri for document in members]
    assert documents[-1].status is Status.CONTAINER, documents[-1].reason
    inside = [document for document in documents if document.uri.endswith("notes.txt")]
    assert {document.origin.deleted for document in inside} == {True, False}  # members share their file's origin


def test_a_formatted_disk_still_holds_its_files(
    examined: Examine, folder: Path, files: dict[str, bytes], tmp_path: Path
) -> None:
    image = tmp_path / "image"
    fat(image, folder, files)
    run("mkfs.fat", "-F", "16", image)
    data = image.read_bytes()
    members = outer_members(examined(data, "disk.img"))
    assert {document.sha256 for document in members} >= hashes(files, list(files))
    for document in members:
        at = document.origin.carved_at
        assert at is not None and document.origin.deleted and f"carved/{at}." in document.uri
        assert hashlib.sha256(data[at : at + document.size]).hexdigest() == document.sha256


def test_what_another_file_overwrote_is_not_taken_for_the_deleted_one(
    examined: Examine, folder: Path, files: dict[str, bytes], gone: list[str], tmp_path: Path
) -> None:
    image, later = tmp_path / "image", tmp_path / "later.txt"
    fat(image, folder, gone)
    first = gone[0]
    fat_delete(image, gone)
    later.write_bytes(a_txt(random.Random(9)) * 3)
    run("mcopy", "-i", image, later, "::")
    documents = examined(image.read_bytes(), "disk.img")
    members = outer_members(documents)
    contents = [document.sha256 for document in members]
    assert contents.count(hashlib.sha256(later.read_bytes()).hexdigest()) == 1
    assert not any(document.uri.endswith(f"deleted/{first}") for document in members)
    assert hashes(files, gone[3:]) <= set(contents)


def test_a_disk_of_nothing_but_beginnings_ends_soon(examined: Examine, tmp_path: Path) -> None:
    image = tmp_path / "image"
    run("mkfs.fat", "-F", "16", "-C", image, "32768")
    data = bytearray(image.read_bytes())
    for start, mark in ((1 << 20, b"PK\x03\x04"), (8 << 20, b"\xff\xd8\xff\xe0\x00\x02"), (16 << 20, b"%PDF-1.4\n")):
        for at in range(start, start + (7 << 20), 512):
            data[at : at + len(mark)] = mark
    *_, outer = examined(bytes(data), "disk.img")
    assert outer.status is Status.PARTIAL and outer.reason.startswith("carving limit (")


@pytest.mark.parametrize("kind", ["fat16", "ntfs", "exfat"])
def test_damage_ends_in_one_status(
    examined: Examine, folder: Path, files: dict[str, bytes], gone: list[str], tmp_path: Path, kind: str
) -> None:
    whole = made(kind, tmp_path / "image", folder, files, gone)
    for seed in range(4):
        dice = random.Random(seed)
        broken = bytearray(whole if seed else whole[: len(whole) // 3])
        for _ in range(300):
            broken[min(len(broken) - 1, int(dice.expovariate(1 / 40_000)))] = dice.randrange(256)
        *_, outer = examined(bytes(broken), "disk.img")
        assert outer.container_uri is None and outer.status in tuple(Status)


def test_the_sandbox_refuses_an_origin_that_cannot_be(sandbox: Sandbox) -> None:
    from core.records import FileRef
    from core.settings import LimitSettings
    from extraction.sandbox.assembly import Assembly
    from extraction.sandbox.frames import FrameError, FrameKind

    ref = FileRef(uri="/disk.img", path=b"/disk.img", size=10, mtime_ns=0)
    for origin in (b"a\0deleted\x00123", b"a\0\x00513", b"a\0gone\0", b"a\0deleted\x00-512"):
        with pytest.raises(FrameError):
            Assembly(ref, LimitSettings(), 10).take(FrameKind.START, origin)
