"""Which earlier scan a new one may carry records over from."""

import json
from pathlib import Path

import pytest

from core.columns import COLUMNS
from core.version import RESULTS_FORMAT
from pipelines.rescan import previous
from pipelines.rescan.previous import previous_scan


def finished_scan(out: Path, results_format: int) -> None:
    folder = out / "scan=20260101T000000-aaaaaa"
    folder.mkdir()
    manifest = {"format": results_format, "sources": ["/srv"], "walk": {"units": 1}, "aspects": {}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "summary.json").write_text(json.dumps({"reconciliation": {"ok": True}}), encoding="utf-8")
    (folder / "plan.arrow").write_bytes(b"")


def test_a_scan_of_the_same_format_and_source_is_carried_over_from(tmp_path: Path) -> None:
    finished_scan(tmp_path, RESULTS_FORMAT)
    assert previous_scan(str(tmp_path), ["/srv"]) is not None
    assert previous_scan(str(tmp_path), ["/elsewhere"]) is None


def test_a_scan_of_an_older_format_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its records have no values for the columns that came later."""
    finished_scan(tmp_path, RESULTS_FORMAT)
    monkeypatch.setattr(previous, "RESULTS_FORMAT", RESULTS_FORMAT + 1)
    monkeypatch.setattr("pipelines.results.folder.RESULTS_FORMAT", RESULTS_FORMAT + 1)
    assert previous_scan(str(tmp_path), ["/srv"]) is None


def test_the_results_format_is_that_of_the_newest_column() -> None:
    assert max(column.since for column in COLUMNS) == RESULTS_FORMAT
