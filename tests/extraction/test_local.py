"""Files are opened by their whole path, however long, and never through a link."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import extraction.opening.local
from core.records import FileRef, Status
from extraction.examine import examine
from extraction.opening.local import open_file
from extraction.sandbox import Sandbox

DEPTH = 10_000


@pytest.fixture(params=[True, False], ids=["openat2", "step by step"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction.opening.local, "_resolves_without_links", request.param)


@pytest.fixture(scope="module")
def deep_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bytes]:
    root = tmp_path_factory.mktemp("deep")
    folder = os.open(root, os.O_RDONLY)
    for _ in range(DEPTH):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    file = os.open("end.txt", os.O_CREAT | os.O_WRONLY, dir_fd=folder)
    os.write(file, b"words at the end")
    os.close(file)
    os.close(folder)
    yield os.fsencode(root) + b"/d" * DEPTH + b"/end.txt"
    subprocess.run(["rm", "-rf", root / "d"], check=True)  # deeper than shutil.rmtree can go


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def contents(path: bytes) -> bytes:
    descriptor = open_file(path)
    try:
        return os.read(descriptor, 100)
    finally:
        os.close(descriptor)


@pytest.mark.usefixtures("either_way")
def test_a_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "a b").write_bytes(b"words")
    before = open_descriptors()
    assert contents(os.fsencode(tmp_path) + b"//./a b") == b"words"
    assert open_descriptors() == before


@pytest.mark.usefixtures("either_way")
def test_a_path_beyond_the_longest_is_opened(deep_path: bytes) -> None:
    before = open_descriptors()
    assert contents(deep_path) == b"words at the end"
    with pytest.raises(FileNotFoundError):
        open_file(deep_path + b"x")
    assert open_descriptors() == before


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("name", ["link.txt", "folder-link/a.txt", "real/up/real/a.txt"])
def test_no_link_is_followed(tmp_path: Path, name: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_bytes(b"words")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real" / "a.txt")
    (tmp_path / "folder-link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "up").symlink_to(tmp_path)
    before = open_descriptors()
    with pytest.raises(OSError, match=r"symbolic links|Not a directory"):
        open_file(os.fsencode(tmp_path / name))
    assert open_descriptors() == before


@pytest.mark.parametrize("path", [b"/proc/self/cwd/x", b"/proc/self/root/etc/hostname"])
def test_no_magic_link_is_followed(path: bytes) -> None:
    with pytest.raises(OSError, match="symbolic links"):
        open_file(path)


def examined(path: bytes, sandbox: Sandbox) -> tuple[Status, str, str]:
    (document,) = examine(FileRef("/x", path, 0, 0), sandbox)
    return document.status, document.reason, document.text


def test_a_file_ten_thousand_folders_deep_is_examined(deep_path: bytes, sandbox: Sandbox) -> None:
    assert examined(deep_path, sandbox) == (Status.COMPLETE, "", "words at the end")


def test_a_folder_that_becomes_a_link_after_the_walk_is_not_entered(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.txt").write_text("not of this share")
    (tmp_path / "share").symlink_to(tmp_path / "elsewhere")
    assert examined(os.fsencode(tmp_path / "share" / "a.txt"), sandbox) == (Status.UNREADABLE, "symbolic link", "")


@pytest.mark.parametrize("device", [b"/dev/zero", b"/dev/urandom", b"/dev/full"])
def test_a_device_is_never_read(device: bytes, sandbox: Sandbox) -> None:
    status, reason, text = examined(device, sandbox)
    assert (status, text) == (Status.UNREADABLE, "")
    assert reason
