"""Copies are found by size, then by their ends, then by content; what changed meanwhile is none."""

import os
from dataclasses import replace
from pathlib import Path

from core.records import Document, FileRecord, FileRef, Status
from pipelines.sources.local import Walk
from pipelines.stages.duplicates import find_duplicates, records_of_duplicates, still_holds


def spooled_walk(folder: Path) -> list[FileRef]:
    return list(Walk(os.fsencode(folder)))


def pairs(refs: list[FileRef]) -> set[tuple[str, str]]:
    return {
        (Path(duplicate.ref.uri).name, Path(duplicate.first.uri).name)
        for duplicate in find_duplicates(refs, 10_000_000)
    }


def test_copies_are_found_by_content_alone(tmp_path: Path) -> None:
    ends = b"x" * 5_000
    contents = {
        "a": b"one",
        "b": b"one",
        "c": b"two",
        "d": b"other",
        "e": b"",
        "f": b"",
        "y": ends + b"1" + ends,
        "z": ends + b"2" + ends,
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    os.link(tmp_path / "b", tmp_path / "g")
    os.link(tmp_path / "d", tmp_path / "h")
    assert pairs(spooled_walk(tmp_path)) == {("b", "a"), ("g", "a"), ("h", "d")}


def test_what_cannot_be_read_is_no_copy(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"same")
    refs = spooled_walk(tmp_path)
    (tmp_path / "a").unlink()
    assert pairs(refs) == set()
    assert pairs([replace(ref, fault="permission denied") for ref in refs]) == set()


def test_a_first_that_was_examined_with_other_content_stands_for_nothing(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"same")
    (duplicate,) = find_duplicates(spooled_walk(tmp_path), 10_000_000)
    document = Document(duplicate.first, duplicate.first.uri, None, 4, duplicate.sha256, "text/plain", Status.COMPLETE)
    assert still_holds(duplicate, document, False)
    assert not still_holds(duplicate, document, True)  # members may be named after their container
    assert not still_holds(duplicate, None, False)
    assert not still_holds(duplicate, replace(document, sha256="0" * 64), False)
    partly = replace(document, sha256=None, status=Status.PARTIAL)
    assert still_holds(duplicate, partly, False)
    (tmp_path / "a").write_bytes(b"longer now")
    assert not still_holds(duplicate, partly, False)


def test_the_records_of_a_copy_bear_its_own_names(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    for folder in ("one", "two"):
        (tmp_path / folder / "x.zip").write_bytes(b"same")
    (duplicate,) = find_duplicates(spooled_walk(tmp_path), 10_000_000)
    first = duplicate.first
    record = FileRecord("s", first, first.uri, None, 4, duplicate.sha256, "application/zip", Status.CONTAINER, "", 0)
    member = replace(record, uri=f"{first.uri}!in/a.txt", container_uri=first.uri, status=Status.COMPLETE)
    own, inside = records_of_duplicates([record, member], [duplicate])
    two = str(tmp_path / "two" / "x.zip")
    assert (own.uri, own.container_uri, own.duplicate_of, own.ref) == (two, None, first.uri, duplicate.ref)
    assert (inside.uri, inside.container_uri, inside.duplicate_of) == (f"{two}!in/a.txt", two, member.uri)


def test_files_beyond_the_limit_are_not_hashed_but_second_names_are_known(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"same")
    os.link(tmp_path / "a", tmp_path / "c")
    assert [
        (duplicate.ref.uri[-1], duplicate.first.uri[-1]) for duplicate in find_duplicates(spooled_walk(tmp_path), 3)
    ] == [("c", "a")]
