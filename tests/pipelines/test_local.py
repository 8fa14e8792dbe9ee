"""The walk sees every file once, by descriptor, to any depth, and follows no link."""

import os
import socket
import subprocess
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from pipelines.sources.globs import Globs
from pipelines.sources.local import Walk
from pipelines.sources.paths import escape


def uris(walk: Walk) -> list[str]:
    return sorted(ref.uri for ref in walk)


def test_files_in_all_folders_are_found_and_links_are_counted_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("1.txt", "a/2.txt", "a/b/3.txt"):
        (tmp_path / name).write_text(name)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "link.txt").symlink_to(tmp_path / "1.txt")
    walk = Walk(os.fsencode(tmp_path))
    assert uris(walk) == [str(tmp_path / name) for name in ("1.txt", "a/2.txt", "a/b/3.txt")]
    assert walk.skipped == {"symbolic links": 2}


def test_a_ref_tells_what_stat_told(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("four")
    os.utime(file, ns=(0, 1_700_000_000_123_456_789))
    (ref,) = Walk(os.fsencode(tmp_path))
    assert (ref.size, ref.mtime_ns, ref.inode, ref.path) == (
        4,
        1_700_000_000_123_456_789,
        file.stat().st_ino,
        os.fsencode(file),
    )
    assert ref.owner == file.owner()


@pytest.mark.parametrize("named", ["crawl.tar", "./crawl.tar", "link.tar"])
def test_a_file_knows_whether_it_was_named_or_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    (tmp_path / "crawl.tar").write_text("a")
    (tmp_path / "link.tar").symlink_to("crawl.tar")
    monkeypatch.chdir(tmp_path)
    assert [ref.is_source for ref in Walk(os.fsencode(named))] == [True]
    assert [ref.is_source for ref in Walk(b".")] == [False]


def test_a_single_file_is_a_source(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("x")
    assert uris(Walk(os.fsencode(file))) == [str(file)]


def test_a_source_that_is_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    assert uris(Walk(os.fsencode(tmp_path / "link"))) == [str(tmp_path / "a.txt")]


def test_a_source_that_is_a_link_to_a_folder_keeps_its_name_and_is_opened_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real" / "in").mkdir(parents=True)
    (tmp_path / "real" / "in" / "a.txt").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (ref,) = Walk(os.fsencode(tmp_path / "link"))
    assert (ref.uri, ref.path) == (str(tmp_path / "link/in/a.txt"), os.fsencode(tmp_path / "real/in/a.txt"))


def test_a_folder_of_very_many_files_is_listed_without_holding_them(tmp_path: Path) -> None:
    count = 100_000
    folder = os.open(tmp_path, os.O_RDONLY)
    for number in range(count):
        if number % 10_000 == 0:  # the file systems limit the names of one file
            os.close(os.open(f"{number}", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
        else:
            os.link(f"{number // 10_000 * 10_000}", f"{number}", src_dir_fd=folder, dst_dir_fd=folder)
    os.close(folder)
    refs = iter(Walk(os.fsencode(tmp_path)))
    next(refs)
    tracemalloc.start()
    try:
        found = 1 + sum(1 for _ in refs)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == count
    assert peak < 2_000_000


def test_special_files_have_a_fault(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        faults = {Path(ref.uri).name: ref.fault for ref in Walk(os.fsencode(tmp_path))}
    assert faults == {"fifo": "not a regular file (named pipe)", "socket": "not a regular file (socket)"}


def test_a_tree_deeper_than_any_path_may_be_long_is_walked_to_its_end(tmp_path: Path) -> None:
    depth = 2_500
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("deep", dir_fd=folder)
        inner = os.open("deep", os.O_RDONLY, dir_fd=folder)
        os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=inner))
        os.close(folder)
        folder = inner
    os.close(folder)
    found = sum(1 for _ in Walk(os.fsencode(tmp_path)))
    subprocess.run(["rm", "-rf", tmp_path / "deep"], check=True)  # deeper than shutil.rmtree can go
    assert found == depth


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ((), (), ["a.txt", "b.log", "keep/c.txt", "skip/d.txt"]),
        (("*.txt",), (), ["a.txt", "keep/c.txt", "skip/d.txt"]),
        ((), ("skip",), ["a.txt", "b.log", "keep/c.txt"]),
        (("keep/*",), (), ["keep/c.txt"]),
        (("*.txt",), ("skip", "a.*"), ["keep/c.txt"]),
    ],
)
def test_globs(tmp_path: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]) -> None:
    for name in ("a.txt", "b.log", "keep/c.txt", "skip/d.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    walk = Walk(os.fsencode(tmp_path), Globs.of(include, exclude))
    assert uris(walk) == [str(tmp_path / name) for name in expected]
    if len(expected) < 4:
        assert walk.skipped.total() > 0


def test_a_folder_that_must_not_be_entered_is_counted(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "x").write_text("x")
    seen = (tmp_path / "results").stat()
    walk = Walk(os.fsencode(tmp_path), never_enter=frozenset({(seen.st_dev, seen.st_ino)}))
    assert uris(walk) == []
    assert walk.skipped == {"excluded folders": 1}


def test_a_missing_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nowhere"):
        list(Walk(os.fsencode(tmp_path / "nowhere")))


def test_names_that_are_not_utf8_are_escaped_and_keep_their_bytes(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9 100%.txt"
    os.close(os.open(raw, os.O_CREAT | os.O_WRONLY))
    (ref,) = Walk(os.fsencode(tmp_path))
    assert ref.uri == f"{tmp_path}/caf%E9 100%.txt"
    assert ref.path == raw


@given(st.binary())
def test_an_escaped_path_is_always_valid_text(path: bytes) -> None:
    escape(path).encode("utf-8")


@given(st.text())
def test_a_decodable_path_stays_as_it_is(path: str) -> None:
    raw = path.encode("utf-8", "ignore")
    assert escape(raw) == raw.decode("utf-8")
