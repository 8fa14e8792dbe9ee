"""Volumes of Macs, and of kinds that no library here reads: their files, or a record that says what is missing."""

import hashlib
import lzma
import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from core.records import Document, Status
from core.settings import LimitSettings
from extraction.sandbox import Sandbox
from tests.extraction.used_disks import MIB, fat, make_files, run

Examine = Callable[..., list[Document]]
SAMPLES = Path(__file__).parents[1] / "samples" / "disks"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def files(folder: Path) -> dict[str, bytes]:
    return make_files(folder, 1, seed=6)


@pytest.fixture(scope="module")
def disc(folder: Path, files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An optical disc that is an HFS+ volume, too: nothing else writes to one without a mount."""
    path = tmp_path_factory.mktemp("disc") / "disc.iso"
    run("xorrisofs", "-quiet", "-hfsplus", "-o", path, folder)
    return path.read_bytes()


@pytest.fixture(scope="module")
def hfs(disc: bytes) -> bytes:
    header = disc.index(b"H+\0\4")
    block, blocks = struct.unpack_from(">II", disc, header + 40)
    return disc[header - 1024 :][: block * blocks]


@pytest.fixture(scope="module")
def apfs() -> bytes:
    """Made by macOS, from the test data of dfVFS."""
    return lzma.decompress((SAMPLES / "apfs.raw.xz").read_bytes())


def seen(documents: list[Document]) -> dict[str, str | None]:
    outer = documents[-1].uri
    return {
        document.uri.removeprefix(f"{outer}!"): document.sha256
        for document in documents[:-1]
        if document.container_uri == outer
    }


def hashes(files: dict[str, bytes], prefix: str = "") -> dict[str, str]:
    return {prefix + name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def test_the_files_of_hfs_plus_and_its_free_space(examined: Examine, hfs: bytes, files: dict[str, bytes]) -> None:
    letter = b"Dear Mrs Example, your visit to the clinic is on Monday. Please bring the letter of your doctor.\n" * 9
    documents = examined(hfs, "disk.img")
    assert seen(documents) == hashes(files)
    assert documents[-1].status is Status.CONTAINER, documents[-1].reason
    documents = examined(hfs + letter.ljust(4096, b"\0"), "disk.img")  # a partition may be larger than its volume
    assert seen(documents) == hashes({**files, f"carved/{len(hfs)}.txt": letter})
    assert [document.origin.carved_at for document in documents if document.origin.deleted] == [len(hfs)]


def test_an_apple_partition_map(examined: Examine, hfs: bytes, files: dict[str, bytes]) -> None:
    def entry(kind: bytes, start: int, size: int) -> bytes:
        words = struct.pack(">2sHIII32s32s", b"PM", 0, 2, start, size, b"name", kind)
        return words.ljust(512, b"\0")

    table = b"ER\2\0".ljust(512, b"\0") + entry(b"Apple_partition_map", 1, 63)
    table += entry(b"Apple_HFS", 64, len(hfs) // 512)
    documents = examined(table.ljust(64 * 512, b"\0") + hfs, "disk.img")
    assert seen(documents) == hashes(files, "partition 1/")


def test_the_files_of_apfs_with_resource_forks(examined: Examine, apfs: bytes) -> None:
    documents = examined(apfs, "disk.img")
    texts = {document.uri.partition("!")[2]: document.text for document in documents}
    assert "We should be able to parse it" in texts["a_directory/a_file"]
    assert "joesmith" in texts["passwords.txt"] and "another file" in texts["a_directory/another_file"]
    assert "a_link" not in texts and "a_directory/a_resourcefork:rsrc" in texts
    assert (documents[-1].status, documents[-1].reason) == (
        Status.PARTIAL,
        "1 volumes not searched for deleted files",
    )


def test_btrfs_is_called_by_its_name_and_searched_by_content(
    examined: Examine, folder: Path, files: dict[str, bytes], tmp_path: Path
) -> None:
    image = tmp_path / "made"
    image.write_bytes(bytes(20 * MIB))
    run("mkfs.btrfs", "-q", "--mixed", "--rootdir", folder, image)
    documents = examined(image.read_bytes(), "disk.img")
    assert (documents[-1].status, documents[-1].reason) == (
        Status.PARTIAL,
        "1 volumes that could not be opened (Btrfs)",
    )
    assert {hashes(files)[name] for name in ("docx0.docx", "jpg0.jpg", "zip0.zip")} <= set(seen(documents).values())
    assert not any(document.origin.deleted for document in documents)  # nobody knows


@pytest.mark.parametrize(
    ("place", "mark", "name"),
    [
        (512, b"LABELONE" + bytes(16) + b"LVM2 001", "LVM"),
        (4096, b"\xfc\x4e\x2b\xa9\1\0\0\0", "Linux RAID"),
        (1024, b"\x10\x20\xf5\xf2\1\0", "F2FS"),
        (3, b"ReFS\0\0\0\0", "ReFS"),
    ],
)
def test_other_kinds_are_called_by_their_names(examined: Examine, place: int, mark: bytes, name: str) -> None:
    """Only their marks are made here."""
    volume = bytearray(MIB)
    volume[place : place + len(mark)] = mark
    volume[65_536:66_048] = b"A letter to Mrs Example about her visit to the clinic on Monday. ".ljust(512, b"x")
    documents = examined(bytes(volume), "disk.img")
    assert (documents[-1].status, documents[-1].reason) == (
        Status.PARTIAL,
        f"1 volumes that could not be opened ({name})",
    )


def test_a_locked_stick_is_not_taken_for_the_fat_volume_that_it_looks_like(
    examined: Examine, folder: Path, files: dict[str, bytes], tmp_path: Path
) -> None:
    """BitLocker To Go has the first sector of a FAT volume, for computers that do not know it, and a mark in it."""
    fat(tmp_path / "stick", folder, files)
    stick = bytearray((tmp_path / "stick").read_bytes())
    assert examined(bytes(stick), "disk.img")[-1].status is Status.CONTAINER
    stick[424:440] = bytes.fromhex("3bd66749292ed84a8399f6a339e3d001")
    (document,) = examined(bytes(stick), "disk.img")
    assert (document.status, document.reason) == (Status.ENCRYPTED, "encrypted volume")


@pytest.mark.parametrize("kind", ["hfs", "apfs"])
def test_damage_ends_in_one_status(request: pytest.FixtureRequest, examined: Examine, kind: str) -> None:
    whole: bytes = request.getfixturevalue(kind)
    with Sandbox(LimitSettings(file_seconds=10)) as sandbox:
        for seed in range(10):
            dice = random.Random(seed)
            broken = bytearray(whole[: dice.randrange(len(whole))] if seed % 3 == 0 else whole)
            for _ in range(0 if seed % 3 == 0 else 60):
                broken[min(len(broken) - 1, int(dice.expovariate(1 / 60_000)))] = dice.randrange(256)
            *_, outer = examined(bytes(broken), "disk.img", sandbox)
            assert outer.container_uri is None and outer.status in tuple(Status)
