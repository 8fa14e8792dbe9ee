"""A file has all of its bytes or is not there, and is its owner's alone."""

import os
import stat
from pathlib import Path

import pytest

from core.atomic import atomic_file, write_atomically


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_file_has_its_content_and_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_atomically(tmp_path / "a", b"one")
        write_atomically(str(tmp_path / "b"), memoryview(b"two"), 0o644)
    finally:
        os.umask(before)
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"one", b"two")
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in "ab"] == [0o600, 0o644]
    assert names(tmp_path) == ["a", "b"]


@pytest.mark.parametrize("fault", [RuntimeError, KeyboardInterrupt, OSError])
def test_what_was_there_stays_where_writing_fails(tmp_path: Path, fault: type[BaseException]) -> None:
    write_atomically(tmp_path / "a", b"before")
    with pytest.raises(fault), atomic_file(tmp_path / "a") as file:
        file.write(b"half")
        raise fault
    assert (tmp_path / "a").read_bytes() == b"before"
    assert names(tmp_path) == ["a"]


def test_the_name_appears_only_with_the_whole_content(tmp_path: Path) -> None:
    with atomic_file(tmp_path / "a") as file:
        file.write(b"half")
        file.flush()
        assert "a" not in names(tmp_path)
    assert names(tmp_path) == ["a"]


def test_the_bytes_are_on_the_disk_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    sync, replace = os.fsync, os.replace

    def noting_sync(descriptor: int) -> None:
        order.append("fsync")
        sync(descriptor)

    def noting_replace(old: str, new: Path) -> None:
        order.append("replace")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", noting_sync)
    monkeypatch.setattr(os, "replace", noting_replace)
    write_atomically(tmp_path / "a", b"one")
    assert order == ["fsync", "replace"]


def test_two_writers_do_not_write_into_each_other(tmp_path: Path) -> None:
    with atomic_file(tmp_path / "a") as first, atomic_file(tmp_path / "a") as second:
        first.write(b"first, which ends last")
        second.write(b"second")
    assert (tmp_path / "a").read_bytes() == b"first, which ends last"


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "none" / "a", b"")
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomically(tmp_path / "folder", b"")
    assert names(tmp_path) == ["folder"]
