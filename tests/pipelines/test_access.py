"""Who may read a file, by its mode and by the access control list that the file system really keeps."""

import os
import struct
from pathlib import Path

import pytest

from extraction.opening.access_words import from_mode
from pipelines.plan.arrow_file import batches, refs_of
from pipelines.sources.access import from_acl, from_posix_acl
from pipelines.sources.local import Walk

NOBODY = 0xFFFFFFFF
UNKNOWN_USER, UNKNOWN_GROUP = 60_001, 60_002


def posix_list(*named: tuple[int, int, int], group: int = 0, mask: int = 7, other: int = 0) -> bytes:
    entries = [(1, 6, NOBODY), *named[:1], (4, group, NOBODY), *named[1:], (0x10, mask, NOBODY), (0x20, other, NOBODY)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


@pytest.mark.parametrize(
    ("mode", "words"), [(0o644, "everyone"), (0o604, "everyone"), (0o640, "group"), (0o600, "owner"), (0o711, "owner")]
)
def test_the_mode_tells_the_widest_circle(mode: int, words: str) -> None:
    assert from_mode(0o100000 | mode) == words


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        pytest.param(posix_list((2, 4, 0), (8, 4, 0)), "owner, user root, group root", id="named"),
        pytest.param(
            posix_list((2, 4, UNKNOWN_USER), (8, 6, UNKNOWN_GROUP), group=4),
            "group, user 60001, group 60002",
            id="unknown here",
        ),
        pytest.param(posix_list((2, 4, 0), (8, 1, 0)), "owner, user root", id="one may not read"),
        pytest.param(posix_list((2, 6, 0), (8, 4, 0), group=4, mask=2), "owner", id="masked"),
        pytest.param(posix_list((2, 4, 0), (8, 4, 0), other=4), "everyone, user root, group root", id="everyone"),
    ],
)
def test_a_list_that_the_file_system_keeps(tmp_path: Path, listed: bytes, words: str) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a")
    os.setxattr(file, "system.posix_acl_access", listed)
    assert from_acl(file.stat().st_mode, os.fsencode(file)) == words


def test_a_list_of_an_unknown_kind_is_told() -> None:
    assert from_posix_acl(0o100640, b"\x09\0\0\0") == "group, list of an unknown kind"
    assert from_posix_acl(0o100640, b"") == "group, list of an unknown kind"


@pytest.mark.parametrize(("lists", "words"), [(False, "group"), (True, "owner, user root, group root")])
def test_the_walk_asks_for_lists_only_where_it_is_told_to(tmp_path: Path, lists: bool, words: str) -> None:
    for name in ("plain.txt", "listed \udcff.txt"):
        (tmp_path / name).write_text("a")
        (tmp_path / name).chmod(0o600)
    os.setxattr(tmp_path / "listed \udcff.txt", "system.posix_acl_access", posix_list((2, 4, 0), (8, 4, 0)))
    walk = Walk(os.fsencode(tmp_path), access_lists=lists)
    refs = [ref for batch in batches(walk.listings()) for ref in refs_of(batch)]
    assert {ref.uri.rpartition("/")[2]: ref.access for ref in refs} == {"plain.txt": "owner", "listed %FF.txt": words}
    (named,) = Walk(os.fsencode(tmp_path / "listed \udcff.txt"), access_lists=lists)
    assert named.access == words
