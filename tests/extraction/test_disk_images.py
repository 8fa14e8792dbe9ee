"""Raw images of disks and volumes, made by the tools of each file system -> their files."""

import os
import random
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from core.records import Document, Status
from core.settings import LimitSettings
from extraction.identify.identify import identify
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]
MIB = 1 << 20
NOTE = b"Ann Example, ward 7\n"
LONG = b"".join(b"line %d of Bob Sample\n" % number for number in range(20_000))
TREE = {"note.txt": NOTE, "folder/Größe und Länge.txt": NOTE * 3, "folder/deep/long.txt": LONG}
TOOLS = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", "MTOOLS_SKIP_CHECK": "1"}


def run(*command: str | Path, text: str = "") -> None:
    subprocess.run(
        command, check=True, env=TOOLS, input=text, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    for name, data in TREE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def ext_image(tree: Path, made: Path, kind: str) -> bytes:
    run("mke2fs", "-q", "-t", kind, "-d", tree, made, "4M")
    return made.read_bytes()


def fat_image(tree: Path, made: Path, kind: str) -> bytes:
    run(
        "mkfs.fat",
        "-F",
        kind.removeprefix("fat"),
        "-C",
        made,
        {"fat12": "2048", "fat16": "16384", "fat32": "66000"}[kind],
    )
    run("mcopy", "-s", "-i", made, *sorted(tree.iterdir()), "::")
    return made.read_bytes()


def ntfs_image(tree: Path, made: Path, kind: str) -> bytes:
    """Folders cannot be made without mounting, so all files are in the root; one has a second stream."""
    made.write_bytes(bytes(6 * MIB))
    run("mkntfs", "-F", "-Q", made)
    for name in TREE:
        run("ntfscp", made, tree / name, name.rpartition("/")[2])
    run("ntfscp", "-N", "hidden", made, tree / "note.txt", "note.txt")
    return made.read_bytes()


MAKERS = {
    "ext2": ext_image,
    "ext3": ext_image,
    "ext4": ext_image,
    "fat12": fat_image,
    "fat16": fat_image,
    "fat32": fat_image,
    "ntfs": ntfs_image,
}


@pytest.fixture(scope="session")
def image(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    made: dict[str, bytes] = {}

    def make(kind: str) -> bytes:
        if kind not in made:
            made[kind] = MAKERS[kind](tree, tmp_path_factory.mktemp(kind) / "image", kind)
        return made[kind]

    return make


def members(documents: list[Document]) -> dict[str, bytes]:
    outer = documents[-1].uri
    return {document.uri.removeprefix(f"{outer}!"): document.text.encode() for document in documents[:-1]}


@pytest.mark.parametrize("kind", [kind for kind in MAKERS if kind != "ntfs"])
def test_the_files_of_a_volume(examined: Examine, image: Callable[[str], bytes], kind: str) -> None:
    documents = examined(image(kind), "disk.img")
    assert members(documents) == TREE
    assert {document.status for document in documents[:-1]} == {Status.COMPLETE}
    assert (documents[-1].status, documents[-1].media_type) == (Status.CONTAINER, "application/x-raw-disk-image")


def test_the_files_of_ntfs_and_their_further_streams_but_not_its_own_tables(
    examined: Examine, image: Callable[[str], bytes]
) -> None:
    documents = examined(image("ntfs"), "disk.img")
    assert members(documents) == {
        **{name.rpartition("/")[2]: data for name, data in TREE.items()},
        "note.txt:hidden": NOTE,
    }
    assert documents[-1].status is Status.CONTAINER


def disk_of(tmp_path: Path, label: str, parts: list[tuple[int, bytes]], further: str = "") -> bytes:
    path = tmp_path / "whole"
    path.write_bytes(bytes(16 * MIB))
    lines = "".join(f"start={start // 512}, size={len(data) // 512}, type=L\n" for start, data in parts)
    run("sfdisk", "--no-reread", "--no-tell-kernel", path, text=f"label: {label}\n{further}{lines}")
    disk = bytearray(path.read_bytes())
    for start, data in parts:
        disk[start : start + len(data)] = data
    return bytes(disk)


@pytest.mark.parametrize("label", ["dos", "gpt"])
def test_the_partitions_of_a_disk(examined: Examine, image: Callable[[str], bytes], tmp_path: Path, label: str) -> None:
    disk = disk_of(tmp_path, label, [(MIB, image("fat12")), (8 * MIB, image("ext4"))])
    documents = examined(disk, "disk.img")
    expected = {f"partition {number}/{name}": data for number in (1, 2) for name, data in TREE.items()}
    assert members(documents) == expected
    assert documents[-1].status is Status.CONTAINER


def test_a_logical_partition(examined: Examine, image: Callable[[str], bytes], tmp_path: Path) -> None:
    disk = disk_of(tmp_path, "dos", [(3 * MIB, image("fat12"))], further="start=2048, size=28672, type=5\n")
    assert members(examined(disk, "disk.img")) == {f"partition 1/{name}": data for name, data in TREE.items()}


def test_a_partition_of_another_kind_leaves_the_disk_partial(
    examined: Examine, image: Callable[[str], bytes], tmp_path: Path
) -> None:
    documents = examined(
        disk_of(tmp_path, "dos", [(MIB, image("fat12")), (8 * MIB, b"XFSB" + bytes(MIB - 4))]), "disk.img"
    )
    assert len(documents) == 1 + len(TREE)
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "1 volumes that could not be opened (XFS)")


def test_a_disk_that_cannot_be_opened_is_read_as_strings(examined: Examine, tmp_path: Path) -> None:
    (document,) = examined(
        disk_of(tmp_path, "dos", [(MIB, b"XFSB" + bytes(508) + NOTE + bytes(MIB - 512 - len(NOTE)))]), "disk.img"
    )
    assert document.status is Status.PARTIAL
    assert "Ann Example" in document.text


def test_an_encrypted_volume(examined: Examine) -> None:
    (document,) = examined(b"\xeb\x58\x90-FVE-FS-" + bytes(8192), "disk.img")
    assert (document.status, document.reason) == (Status.ENCRYPTED, "encrypted volume")


def test_limits_hold_for_the_files_of_a_volume(
    examined: Examine, image: Callable[[str], bytes], small_sandbox: Sandbox, tmp_path: Path
) -> None:
    with Sandbox(LimitSettings(file_seconds=20, members=1)) as one_member:
        *_, outer = examined(image("ext4"), "disk.img", one_member)
    assert (outer.status, outer.reason) == (Status.PARTIAL, "member limit (1)")
    with Sandbox(LimitSettings(file_seconds=20, member_bytes=1000)) as small_members:
        members = {
            document.uri.rpartition("/")[2]: document for document in examined(image("ext4"), "disk.img", small_members)
        }
    assert (members["long.txt"].status, members["long.txt"].reason) == (
        Status.PARTIAL,
        "member size limit (1,000 bytes)",
    )


def test_a_volume_beyond_the_read_limit_is_read_by_position(
    examined: Examine, image: Callable[[str], bytes], small_sandbox: Sandbox
) -> None:
    """Of 16 MB hardly half a megabyte is in use; 2 MB may be read."""
    documents = examined(image("fat16"), "disk.img", small_sandbox)
    assert members(documents) == TREE
    assert documents[-1].status is Status.PARTIAL  # free space was not searched to its end
    assert documents[-1].reason.startswith("read limit (")


def test_what_only_resembles_a_disk_is_none() -> None:
    sector = bytearray(random.Random(4).randbytes(4096))
    sector[510:512] = b"\x55\xaa"
    assert identify(bytes(sector)) != "application/x-raw-disk-image"
    empty_table = bytes(510) + b"\x55\xaa" + bytes(8192)
    assert identify(empty_table) != "application/x-raw-disk-image"
    started_disc = bytearray(40_000)
    started_disc[446:462] = struct.pack("<B3xB3xII", 0x80, 0x17, 64, 1000)
    started_disc[510:512] = b"\x55\xaa"
    assert identify(bytes(started_disc)) == "application/x-raw-disk-image"
    started_disc[32768:32775] = b"\x01CD001\x01"
    assert identify(bytes(started_disc)) != "application/x-raw-disk-image"


@pytest.mark.parametrize("kind", ["ext4", "fat12", "ntfs"])
def test_a_damaged_volume_ends_in_one_status(examined: Examine, image: Callable[[str], bytes], kind: str) -> None:
    whole = image(kind)
    for seed in range(12):
        chance = random.Random(seed)
        broken = bytearray(whole[: chance.randrange(len(whole))] if seed % 3 == 0 else whole)
        for _ in range(0 if seed % 3 == 0 else 200):
            broken[min(len(broken) - 1, int(chance.expovariate(1 / 30_000)))] = chance.randrange(256)
        *_, outer = examined(bytes(broken), "disk.img")
        assert outer.container_uri is None
        assert outer.status in (Status.CONTAINER, Status.PARTIAL, Status.FAILED, Status.UNSUPPORTED, Status.COMPLETE)
