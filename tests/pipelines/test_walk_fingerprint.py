"""Two walks have the same hash only where nothing about any file is different."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.rescan import walk_fingerprint as seen
from pipelines.rescan.walk_fingerprint import WalkFingerprint
from pipelines.sources.local import FolderListing, Walk


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("a/one.txt", "a/two.txt", "b/c/three.txt", "four.txt"):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        os.utime(path, (1_600_000_000, 1_600_000_000))
    Path(os.fsdecode(os.fsencode(tmp_path / "tree") + b"/odd-\xff.txt")).write_text("odd")
    return tmp_path / "tree"


def seen_in(tree: Path, *, access_lists: bool = False) -> WalkFingerprint:
    found = WalkFingerprint()
    assert list(found.tee(Walk(os.fsencode(tree), access_lists=access_lists).listings()))
    return found


def test_a_second_walk_has_the_same(tree: Path) -> None:
    first, second = seen_in(tree), seen_in(tree)
    assert first.sha256 == second.sha256 is not None
    assert first.newest_ns == max(path.lstat().st_mtime_ns for path in tree.rglob("*") if path.is_file())


def moved_within_its_tick(tree: Path) -> None:
    """Other content of the same size under the same time, as a new file."""
    (tree / "new").write_text("4our.txt")
    os.utime(tree / "new", (1_600_000_000, 1_600_000_000))
    (tree / "new").rename(tree / "four.txt")


CHANGES: dict[str, Callable[[Path], object]] = {
    "another size": lambda tree: (tree / "four.txt").write_text("longer than it was"),
    "another time": lambda tree: os.utime(tree / "four.txt", ns=(0, 1_600_000_000_000_000_001)),
    "another inode": moved_within_its_tick,
    "another name": lambda tree: (tree / "four.txt").rename(tree / "five.txt"),
    "another folder": lambda tree: (tree / "four.txt").rename(tree / "a/four.txt"),
    "a renamed folder": lambda tree: (tree / "b").rename(tree / "d"),
    "another mode": lambda tree: (tree / "four.txt").chmod(0o600),
    "gone": lambda tree: (tree / "four.txt").unlink(),
    "new": lambda tree: (tree / "a/five.txt").write_text("5"),
    "an odd name": lambda tree: os.rename(os.fsencode(tree) + b"/odd-\xff.txt", os.fsencode(tree) + b"/odd-\xfe.txt"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_gives_another(tree: Path, change: str) -> None:
    (tree / "four.txt").chmod(0o644)
    before = seen_in(tree).sha256
    CHANGES[change](tree)
    after = seen_in(tree).sha256
    assert after is not None
    assert after != before


def test_another_name_of_the_owner_gives_another(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = seen_in(tree).sha256
    monkeypatch.setattr(seen, "owner_name", lambda uid: f"renamed-{uid}")
    assert seen_in(tree).sha256 != before


def test_what_every_scan_looks_at_anew_has_none(tree: Path) -> None:
    assert seen_in(tree, access_lists=True).sha256 is None
    os.mkfifo(tree / "pipe")
    assert seen_in(tree).sha256 is None


def test_numbers_beyond_a_machine_word_are_told_apart(tree: Path) -> None:
    hashes = set()
    for inode in (2**64 - 1, 2**64 - 2):
        (listing, *_) = [
            listing for listing in Walk(os.fsencode(tree)).listings() if isinstance(listing, FolderListing)
        ]
        entry = list(listing.seen[0])
        entry[stat.ST_INO] = inode
        listing.seen[0] = os.stat_result(entry, {"st_mtime_ns": 1})
        found = WalkFingerprint()
        found.add(listing)
        hashes.add(found.sha256)
    assert len(hashes - {None}) == 2
