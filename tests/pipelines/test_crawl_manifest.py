"""A crawl manifest's lines become refs with their metadata; a bad line is named."""

import json
from pathlib import Path

import pytest

from core.errors import SourceError
from pipelines.sources.crawl_manifest import read_manifest


def test_paths_and_metadata(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    manifest = tmp_path / "crawl.jsonl"
    lines = [{"path": "a.txt", "peer": "p7", "hops": 3}, {"path": str(tmp_path / "gone.txt")}]
    manifest.write_text("\n\n".join(json.dumps(line) for line in lines))
    found, gone = read_manifest(manifest)
    assert (found.uri, found.size, found.metadata, found.fault) == (
        str(tmp_path / "a.txt"),
        1,
        (("hops", "3"), ("peer", "p7")),
        "",
    )
    assert gone.fault == "no such file or folder"


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", '{"path": 3}', '{"path": ""}'])
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    manifest = tmp_path / "crawl.jsonl"
    manifest.write_text('{"path": "a"}\n' + line)
    with pytest.raises(SourceError, match="line 2"):
        list(read_manifest(manifest))


def test_a_link_in_a_manifest_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "m").write_text('{"path": "link"}')
    assert [ref.fault for ref in read_manifest(tmp_path / "m")] == ["symbolic link"]


def test_a_folder_that_is_a_link_is_resolved_when_the_manifest_is_read(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "m").write_text('{"path": "link/a.txt"}')
    (ref,) = read_manifest(tmp_path / "m")
    assert (ref.uri, ref.path, ref.fault) == (str(tmp_path / "link/a.txt"), bytes(tmp_path / "real/a.txt"), "")
