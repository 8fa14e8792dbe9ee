"""Disks in the formats of virtual machines and forensic tools, locked disks and XFS, made by their own tools."""

import hashlib
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from core.records import Document, Status
from core.settings import LimitSettings
from extraction.examine import examine
from extraction.sandbox import Sandbox
from tests.extraction import bitlocker
from tests.extraction.conftest import ref_to
from tests.extraction.used_disks import MIB, TOOLS, ext, fat, fat_delete, make_files, run

Examine = Callable[..., list[Document]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def files(folder: Path) -> dict[str, bytes]:
    return make_files(folder, 1, seed=5)


@pytest.fixture(scope="module")
def raw(folder: Path, files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    image = tmp_path_factory.mktemp("raw") / "disk.img"
    fat(image, folder, files)
    fat_delete(image, ["pdf0.pdf"])
    return image


def seen(documents: list[Document]) -> set[tuple[str, bool, str | None]]:
    outer = documents[-1].uri
    return {
        (document.uri.removeprefix(outer), document.origin.deleted, document.sha256)
        for document in documents[:-1]
        if document.container_uri == outer
    }


@pytest.mark.parametrize("kind", ["qcow2", "vmdk", "vpc", "vhdx", "E01"])
def test_a_disk_in_another_format_holds_the_same_files(examined: Examine, raw: Path, tmp_path: Path, kind: str) -> None:
    made = tmp_path / f"made.{kind}"
    if kind == "E01":
        run("ewfacquire", "-u", "-q", "-f", "encase6", "-t", tmp_path / "made", raw)
    else:
        run("qemu-img", "convert", "-O", kind, raw, made)
    documents = examined(made.read_bytes(), "disk")
    assert seen(documents) == seen(examined(raw.read_bytes(), "disk"))
    assert any(deleted for _, deleted, _ in seen(documents))
    assert documents[-1].status is Status.CONTAINER, documents[-1].reason


def test_a_disk_that_is_only_what_changed_since_another_is_not_called_read(
    examined: Examine, raw: Path, tmp_path: Path
) -> None:
    run("qemu-img", "create", "-f", "qcow2", "-F", "raw", "-b", raw, tmp_path / "later.qcow2")
    (outer,) = examined((tmp_path / "later.qcow2").read_bytes(), "disk")
    assert outer.status is Status.FAILED


def test_damaged_and_endless_ones_end_in_one_status(examined: Examine, raw: Path, tmp_path: Path) -> None:
    run("qemu-img", "create", "-f", "qcow2", tmp_path / "huge.qcow2", "60T")
    *_, outer = examined((tmp_path / "huge.qcow2").read_bytes(), "disk")
    assert outer.status in (Status.CONTAINER, Status.PARTIAL)
    for kind in ("qcow2", "vmdk", "vhdx"):
        run("qemu-img", "convert", "-O", kind, raw, tmp_path / kind)
        whole = (tmp_path / kind).read_bytes()
        for length in (16, 600, len(whole) // 2):
            *_, outer = examined(whole[:length], "disk")
            assert outer.status in tuple(Status) and outer.container_uri is None


def luks_image(tmp_path: Path, plain: bytes, password: str) -> bytes:
    """The header is made by cryptsetup; the volume is locked with its key as the kernel would."""
    image, key = tmp_path / "luks", tmp_path / "password"
    key.write_text(password)
    image.write_bytes(bytes(4 * MIB + len(plain)))
    words = ["--type", "luks1", "--cipher", "aes-xts-plain64", "--key-size", "256", "--hash", "sha256"]
    run("cryptsetup", "luksFormat", "-q", *words, "--pbkdf-force-iterations", "1000", "--key-file", key, image)
    dump = ["cryptsetup", "luksDump", "--dump-master-key", "-q", "--key-file", str(key), str(image)]
    shown = subprocess.run(dump, env=TOOLS, capture_output=True, text=True, check=True).stdout
    master = bytes.fromhex("".join(re.findall(r"\b[0-9a-f]{2}\b", shown.partition("MK dump:")[2])))
    start = 512 * int(re.search(r"Payload offset:\s*(\d+)", shown)[1])  # type: ignore[index]
    data = bytearray(image.read_bytes())
    for sector in range(len(plain) // 512):
        cipher = Cipher(algorithms.AES(master), modes.XTS(sector.to_bytes(16, "little"))).encryptor()
        at = start + 512 * sector
        data[at : at + 512] = cipher.update(plain[512 * sector : 512 * (sector + 1)]) + cipher.finalize()
    return bytes(data[: start + len(plain)])


def test_a_locked_volume_opens_with_its_password_alone(
    examined: Examine, folder: Path, files: dict[str, bytes], tmp_path: Path
) -> None:
    plain, passwords = tmp_path / "plain", tmp_path / "passwords"
    ext(plain, folder, "ext2", 2)
    locked = luks_image(tmp_path, plain.read_bytes(), "open sesame")
    *_, outer = examined(locked, "disk.img")
    assert (outer.status, outer.reason) == (Status.ENCRYPTED, "encrypted volume")
    passwords.write_text("wrong\nopen sesame\n")
    passwords.chmod(0o600)
    with Sandbox(LimitSettings(file_seconds=60), passwords_file=str(passwords)) as sandbox:
        documents = examined(locked, "disk.img", sandbox)
    assert {name for name, _, _ in seen(documents)} == {f"!{name}" for name in files}
    assert documents[-1].status is Status.CONTAINER


@pytest.fixture(scope="module")
def stick(folder: Path, files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    image = tmp_path_factory.mktemp("stick") / "plain"
    fat(image, folder, files, "12", 2)
    fat_delete(image, ["pdf0.pdf"])
    return image.read_bytes()


def test_a_bitlocker_volume_opens_with_its_password_alone(
    examined: Examine, stick: bytes, files: dict[str, bytes], tmp_path: Path
) -> None:
    image, passwords = bitlocker.locked(stick, "open sesame"), tmp_path / "passwords"
    (outer,) = examined(image, "disk.img")
    assert (outer.status, outer.reason) == (Status.ENCRYPTED, "encrypted volume")
    passwords.write_text("wrong\nopen sesame\n")
    passwords.chmod(0o600)
    with Sandbox(LimitSettings(file_seconds=120), passwords_file=str(passwords)) as sandbox:
        documents = examined(image, "disk.img", sandbox)
    assert seen(documents) == seen(examined(stick, "disk.img")) and len(seen(documents)) == len(files)
    assert documents[-1].status is Status.CONTAINER, documents[-1].reason


def test_a_bitlocker_volume_that_is_not_protected_yet_needs_no_password(examined: Examine, stick: bytes) -> None:
    documents = examined(bitlocker.locked(stick, None), "disk.img")
    assert seen(documents) == seen(examined(stick, "disk.img"))
    assert documents[-1].status is Status.CONTAINER, documents[-1].reason


def test_the_files_of_xfs(files: dict[str, bytes], folder: Path, tmp_path: Path, sandbox: Sandbox) -> None:
    """mkfs.xfs makes no volume below 300 MB, so it is read as a stream, by name."""
    image, contents = tmp_path / "xfs.img", tmp_path / "contents"
    lines = [f"{name} ---644 0 0 {folder / name}" for name in files]
    contents.write_text("/\n0 0\nd--755 0 0\n" + "\n".join(lines) + "\n$\n")
    with image.open("wb") as file:
        file.truncate(304 * MIB)
    run("mkfs.xfs", "-q", "-p", contents, image)
    ref = ref_to(image)
    documents = list(examine(replace(ref, source=ref.uri), sandbox))
    assert seen(documents) == {(f"!{name}", False, hashlib.sha256(data).hexdigest()) for name, data in files.items()}
    assert (documents[-1].status, documents[-1].reason) == (
        Status.PARTIAL,
        "1 volumes not searched for deleted files",
    )
