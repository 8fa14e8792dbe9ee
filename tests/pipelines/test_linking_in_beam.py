"""People linked by Beam are the people linked in one process, whatever the batches, parts and workers."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.people import make_rows
from core.settings import ScanSettings
from pipelines.people.entries import read_entries
from pipelines.people.figures import figures_of
from pipelines.people.in_beam import link_in_beam
from pipelines.people.link import link
from pipelines.results.folder import ScanFolder
from screening.ruleset.ruleset import load_rules
from tests.pipelines.test_linking import CHARLES, Row, others, scan

LOCAL = ScanSettings(runner="local")
KINDS = load_rules().characteristics


def compare(folders: list[ScanFolder], workers: int, parts: int, rows_a_batch: int) -> dict[str, Any]:
    entries = read_entries(folders)
    linked = link(entries)
    beam = link_in_beam(folders, KINDS, LOCAL, workers, rows_a_batch=rows_a_batch, parts=parts)
    assert beam.same.tolist() == linked.same.tolist()
    assert beam.sure.tolist() == linked.sure.tolist()
    assert beam.figures == figures_of(entries, linked, KINDS)
    assert not [place for folder in folders for place in Path(folder.uri).iterdir() if place.name.startswith(".")]
    return beam.figures


@pytest.mark.parametrize(("workers", "parts"), [(1, 1), (1, 7), (2, 3)])
def test_of_many_rows_with_slips_beam_makes_the_same_people(tmp_path: Path, workers: int, parts: int) -> None:
    make_rows(tmp_path / "scan=x", 20_000, 8)
    make_rows(tmp_path / "scan=y", 3_000, 8)  # the same people again
    figures = compare([ScanFolder(str(tmp_path / f"scan={name}")) for name in "xy"], workers, parts, 4_000)
    assert figures["rows"] > 22_000


def test_conflicting_births_two_sources_and_copies_are_the_same_too(tmp_path: Path) -> None:
    smiths = [Row("John", "Smith", f"19{n}-01-{n % 28 + 1}") for n in range(10, 90)]
    bridge = [Row("Charles", "Sloan", health="1461088591"), Row("Charles", "Sloan", "1988-09-30", health="1461088591")]
    one = scan(tmp_path, {"/one/a": [CHARLES, *bridge], "/one/b": [Row("John", "Smith"), *smiths]}, "/one")
    two = scan(tmp_path, {"/two/c": others(), "/two/sub/d": [CHARLES, *others(40), Row("C.", "Sloan")]}, "/two")
    figures = compare([one, two], 1, 4, 1)
    assert figures["overlap"] == [{"sources": ["/one", "/two"], "people": 1}]


def test_nobody_is_no_error(tmp_path: Path) -> None:
    assert compare([scan(tmp_path, {"/a": []})], 1, 2, 10)["rows"] == 0
