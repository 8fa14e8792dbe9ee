"""Clocks that were set back and upgrades in the middle of a scan lose no file and hide no newer scan."""

import json
import os
from pathlib import Path

from tests.end_to_end.conftest import Run, rows_of, stable
from tests.end_to_end.other_times import clock_ahead, upgraded

LONG_AGO = 1_700_000_000  # a file written within two seconds of a scan is read again by the next one
PHI = "Patient: Mary Sloan, DOB 03/12/1958, SSN 219-09-9941, was treated for breast cancer."


def share_in(folder: Path, files: int = 6) -> Path:
    folder.mkdir()
    for number in range(files):
        file = folder / f"{number}.txt"
        file.write_text(f"{PHI} Visits: {'I' * number}.")
        os.utime(file, (LONG_AGO, LONG_AGO))
    return folder


def test_after_the_clock_was_set_back_the_last_scan_is_the_newest(leakscreen: Run, tmp_path: Path) -> None:
    share, out = share_in(tmp_path / "share"), tmp_path / "out"
    words = ("scan", share, "--out", out, "--workers", "1", "--json")
    ahead = clock_ahead(tmp_path / "clock", 172_800)
    first = leakscreen(*words, environ=ahead).json
    (share / "new.txt").write_text(PHI)
    second = leakscreen(*words)
    assert "began in the future" in second.err and second.json["files"] == 7
    assert second.json["scan_id"] > first["scan_id"]
    assert leakscreen("report", out, "--json").json["scan_id"] == second.json["scan_id"]
    (share / "newer.txt").write_text(PHI)
    third = leakscreen(*words)
    assert "future" not in third.err and third.json["scan_id"] > second.json["scan_id"]
    assert third.json["files"] == 8 and third.json["carried"]["from"] == second.json["scan_id"]


def test_after_the_clock_was_set_back_the_interrupted_scan_is_resumed(leakscreen: Run, tmp_path: Path) -> None:
    share, out = share_in(tmp_path / "share"), tmp_path / "out"
    words = ("--out", out, "--workers", "1", "--quiet", "--set", "scan.unit_files=2")
    leakscreen("scan", share, *words, environ=clock_ahead(tmp_path / "clock", 172_800))
    leakscreen("scan", share, *words, "--full")
    _, scan = sorted(out.glob("scan=*"))
    whole = stable(rows_of(scan))
    for gone in (scan / "summary.json", scan / "files" / "unit-00000001.parquet"):
        gone.unlink()
    assert leakscreen("scan", "--resume", *words).code == 0
    assert stable(rows_of(scan)) == whole and (scan / "summary.json").exists()


def test_a_scan_is_resumed_by_the_next_version(leakscreen: Run, tmp_path: Path) -> None:
    share, out = share_in(tmp_path / "share"), tmp_path / "out"
    words = ("--out", out, "--workers", "2", "--quiet", "--set", "scan.unit_files=2")
    leakscreen("scan", share, *words)
    (scan,) = out.glob("scan=*")
    whole = stable(rows_of(out))
    for gone in (scan / "summary.json", scan / "files" / "unit-00000001.parquet"):
        gone.unlink()
    newer = upgraded(tmp_path / "newer")
    ran = leakscreen("scan", "--resume", *words, environ=newer)
    assert ran.code == 0, ran.err
    assert "began this scan, version 9." in ran.err
    assert stable(rows_of(out)) == whole
    again = leakscreen("scan", share, *words, "--json", environ=newer)
    assert again.json["carried"]["files"] == 0, "what two versions read is not carried over"
    assert json.loads((scan / "manifest.json").read_text())["code_version"] == "0.1.0"
