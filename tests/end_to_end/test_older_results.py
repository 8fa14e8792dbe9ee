"""Results of an older version can be read, reported, exported, measured and referred; those of a newer one are refused.

tests/samples/results/format-N holds what a scan of a synthetic share wrote when N was the newest format; its bundle
has no models.
"""

import hashlib
import json
import shutil
import zipfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.version import RESULTS_FORMAT
from tests.end_to_end.conftest import Run, rows_of, stable

KEPT = Path(__file__).parents[1] / "samples" / "results"
FORMATS = sorted(folder.name for folder in KEPT.iterdir())
ADDED_LATER = {
    "suppressed",
    "tied_bits",
    "persons",
    "health_class",
    "health_threshold",
    "health_nearest",
    "health_person",
}


@pytest.fixture(params=FORMATS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copytree(KEPT / request.param, tmp_path / "kept"))


def scan_of(kept: Path) -> Path:
    (scan,) = kept.glob("scan=*")
    return scan


def test_every_format_so_far_has_a_kept_result() -> None:
    assert [f"format-{number}" for number in range(1, RESULTS_FORMAT + 1)] == FORMATS


def test_an_older_result_can_be_used_by_every_command(leakscreen: Run, kept: Path) -> None:
    scan = scan_of(kept)
    report = leakscreen("report", scan, "--json")
    assert report.code == 0, report.err
    assert "<html" in (scan / "report.html").read_text()
    exported = leakscreen("export", scan, "--all")
    assert len(exported.out.splitlines()) == report.json["records"], exported.err
    measured = leakscreen("evaluate", scan, "--labels", kept / "labels.csv", "--json")
    assert measured.code == 0, measured.err
    taken = leakscreen("refer", scan, "--json")
    assert taken.code == 0 and taken.json["new"] == report.json["referred"] > 0, taken.err


def test_columns_that_came_later_are_empty_in_older_results(leakscreen: Run, kept: Path) -> None:
    scan = scan_of(kept)
    for unit in (scan / "files").iterdir():
        table = pq.read_table(unit)
        pq.write_table(table.drop_columns(sorted(ADDED_LATER)).replace_schema_metadata(table.schema.metadata), unit)
    exported = leakscreen("export", scan, "--all")
    assert exported.code == 0, exported.err
    assert len(exported.out.splitlines()) == json.loads((scan / "summary.json").read_text())["records"]


OLD_NAMES = {
    "scan": {"beam_options": "beam"},
    "limits": {"file_seconds": "seconds", "expansion_cpu_seconds": "expansion_seconds"},
    "rules": {"evidence_per_file": "evidence", "adopted_dir": "learned"},
    "health": {"adopted_dir": "learned"},
}


def test_a_scan_begun_before_settings_were_renamed_is_resumed(leakscreen: Run, scanned: Path, tmp_path: Path) -> None:
    """Both the settings in the manifest and the limits in the bundle have the names of then."""
    shutil.copytree(scanned, tmp_path / "out")
    (scan,) = (tmp_path / "out").iterdir()
    manifest = json.loads((scan / "manifest.json").read_text())
    del manifest["seal"]  # which there was not then
    for section, names in OLD_NAMES.items():
        for new, old in names.items():
            manifest["settings"][section][old] = manifest["settings"][section].pop(new)
    with zipfile.ZipFile(scan / "bundle.zip") as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    choices = json.loads(contents["choices.json"])
    for new, old in OLD_NAMES["limits"].items():
        choices["limits"][old] = choices["limits"].pop(new)
    contents["choices.json"] = json.dumps(choices).encode()
    with zipfile.ZipFile(scan / "bundle.zip", "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    manifest["bundle"]["sha256"] = hashlib.sha256((scan / "bundle.zip").read_bytes()).hexdigest()
    (scan / "manifest.json").write_text(json.dumps({**manifest, "walk": None}))
    for gone in (scan / "summary.json", scan / "plan.arrow", scan / "files" / "unit-00000000.parquet"):
        gone.unlink()
    ran = leakscreen("scan", "--resume", "--out", tmp_path / "out", "--workers", "1", "--quiet")
    assert ran.code == 3, ran.err
    assert stable(rows_of(tmp_path / "out")) == stable(rows_of(scanned))


@pytest.mark.parametrize(
    "words",
    [("report",), ("export",), ("refer",), ("scan", "--resume", "--out"), ("evaluate", "--labels", "labels.csv")],
)
def test_a_newer_result_is_refused_and_left_alone(leakscreen: Run, kept: Path, words: tuple[str, ...]) -> None:
    scan = scan_of(kept)
    manifest = json.loads((scan / "manifest.json").read_text())
    (scan / "manifest.json").write_text(json.dumps({**manifest, "format": RESULTS_FORMAT + 1}))
    before = {path: path.read_bytes() for path in scan.rglob("*") if path.is_file()}
    shutil.copy(kept / "labels.csv", kept.parent / "home" / "labels.csv")
    ran = leakscreen(*words, scan)
    assert ran.code == 2
    assert f"format {RESULTS_FORMAT + 1}" in ran.err and "newer leakscreen" in ran.err
    assert {path: path.read_bytes() for path in scan.rglob("*") if path.is_file()} == before
