"""The scan keeps its output contract: every file one record, totals that reconcile, the same result on every runner."""

import json
import shutil
import tarfile
from pathlib import Path

import pytest

from leakscreen.demo import Planted
from tests.end_to_end.conftest import Run, rows_of, stable

Share = tuple[Path, list[Planted]]
COLUMNS = """
    scan_id uri container_uri size mtime owner sha256 media_type status reason chars pii_bits pii_counts rules
    screened_positive health_distance health_positive health_terms referred risk evidence duplicate_of access
"""


def test_a_scan_keeps_the_output_contract(scanned: Path, share: Share) -> None:
    folder, planted = share
    (scan,) = scanned.iterdir()
    rows = rows_of(scanned)
    on_disk = {str(path) for path in folder.rglob("*") if path.is_file()}
    assert set(COLUMNS.split()) <= set(rows[0])
    assert {row["uri"] for row in rows if row["container_uri"] is None} == on_disk
    assert len({row["uri"] for row in rows}) == len(rows)
    assert {document.uri for document in planted} <= {row["uri"] for row in rows}
    summary = json.loads((scan / "summary.json").read_text())
    assert summary["files"] == len(on_disk) and summary["records"] == len(rows)
    assert summary["reconciliation"] == {"walked": len(on_disk), "recorded": len(on_disk), "ok": True}
    assert sum(summary["status"].values()) == len(rows)
    assert summary["referred"] == sum(row["referred"] for row in rows)
    manifest = json.loads((scan / "manifest.json").read_text())
    assert manifest["sources"] == [str(folder)] and len(manifest["rules"]["sha256"]) == 64
    assert "<html" in (scan / "report.html").read_text()
    assert (scan.stat().st_mode & 0o777, (scan / "summary.json").stat().st_mode & 0o777) == (0o700, 0o600)


def test_only_screened_positives_reach_the_health_stage(scanned: Path) -> None:
    for row in rows_of(scanned):
        assert (row["health_positive"] is not None) == row["screened_positive"]
        assert row["referred"] == bool(row["screened_positive"] and row["health_positive"])


def test_planted_phi_is_referred(scanned: Path, share: Share) -> None:
    referred = {row["uri"] for row in rows_of(scanned) if row["referred"]}
    assert {document.uri for document in share[1] if document.phi} <= referred


def test_an_archive_that_is_named_is_read_beyond_the_limits_of_one_file(leakscreen: Run, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("nothing much")
    (tmp_path / "folder").mkdir()
    archive = tmp_path / "folder" / "crawl.tar"
    with tarfile.open(archive, "w") as made:
        for number in range(30):
            made.add(tmp_path / "note.txt", f"{number}.txt")
    for source, members, status in ((archive, 30, "container"), (archive.parent, 10, "partial")):
        out = tmp_path / f"out-{status}"
        ran = leakscreen("scan", source, "--out", out, "--workers", "1", "--set", "limits.members=10")
        assert ran.code == 0, ran.err
        recorded = [(row["container_uri"], row["status"], row["access"]) for row in rows_of(out)]
        assert sorted(recorded, key=str) == sorted(
            [(None, status, "everyone"), *[(str(archive), "complete", "everyone")] * members], key=str
        )


def test_the_report_can_be_written_again(leakscreen: Run, scanned: Path) -> None:
    ran = leakscreen("report", scanned, "--json")
    assert ran.code == 0, ran.err
    page = Path(ran.json["report"]).read_text()
    assert page.startswith("<!")
    referred = ran.json["referred"]
    everyone = sum(row["access"] == "everyone" for row in rows_of(scanned) if row["referred"])
    assert referred and f"Everyone may read {everyone:,} of {referred:,} referred files" in page


@pytest.mark.parametrize(
    "runner",
    [
        ("--workers", "2"),
        ("--runner", "PortableRunner", "--beam", "job_endpoint=embed", "--beam", "environment_type=LOOPBACK"),
    ],
    ids=["two worker processes", "another Beam runner by name"],
)
def test_every_runner_gives_the_same_records(
    leakscreen: Run, share: Share, scanned: Path, tmp_path: Path, runner: tuple[str, ...]
) -> None:
    other = leakscreen("scan", share[0], "--out", tmp_path / "other", "--json", "--set", "scan.unit_files=7", *runner)
    assert other.code == 3, other.err
    assert other.json["reconciliation"]["ok"]
    assert stable(rows_of(tmp_path / "other")) == stable(rows_of(scanned))


def test_a_scan_resumes_without_reading_finished_units_again(leakscreen: Run, share: Share, tmp_path: Path) -> None:
    words = ("--out", tmp_path / "out", "--set", "scan.unit_files=10", "--quiet")
    leakscreen("scan", share[0], *words)
    (scan,) = (tmp_path / "out").iterdir()
    units = sorted((scan / "files").iterdir())
    before = stable(rows_of(tmp_path / "out"))
    kept = {unit: unit.stat().st_mtime_ns for unit in units[1:]}
    units[0].unlink()
    (scan / "summary.json").unlink()
    ran = leakscreen("scan", "--resume", *words)
    assert ran.code in (0, 3), ran.err
    assert {unit: unit.stat().st_mtime_ns for unit in units[1:]} == kept
    assert stable(rows_of(tmp_path / "out")) == before
    assert (scan / "summary.json").exists()


def test_lost_records_are_a_loud_failure(leakscreen: Run, scanned: Path, tmp_path: Path) -> None:
    """A unit is there twice, as a runner that repeats an element under another name would leave it."""
    shutil.copytree(scanned, tmp_path / "out")
    (scan,) = (tmp_path / "out").iterdir()
    (unit,) = (scan / "files").iterdir()
    for folder in ("files", "people"):
        shutil.copy(scan / folder / unit.name, scan / folder / "unit-00000001.parquet")
    ran = leakscreen("scan", "--resume", "--out", tmp_path / "out", "--quiet")
    assert ran.code == 2
    assert "have records" in ran.err
    assert not json.loads((scan / "summary.json").read_text())["reconciliation"]["ok"]


def test_include_exclude_and_links(leakscreen: Run, tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "skip").mkdir(parents=True)
    for name in ("a.txt", "b.md", "skip/c.txt"):
        (source / name).write_text("nothing here")
    (source / "link.txt").symlink_to("a.txt")
    ran = leakscreen(
        "scan", source, "--out", tmp_path / "out", "--include", "*.txt", "--exclude", "skip", "--workers", "1", "--json"
    )
    assert [row["uri"] for row in rows_of(tmp_path / "out")] == [str(source / "a.txt")]
    assert ran.json["not_followed"] == {"symbolic links": 1, "excluded files": 1, "excluded folders": 1}


def test_a_crawl_manifest_keeps_its_metadata(leakscreen: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("nothing here")
    (tmp_path / "crawl.jsonl").write_text(
        '{"path": "a.txt", "peer": "10.0.0.7", "network": "g2"}\n{"path": "gone.txt"}\n'
    )
    ran = leakscreen(
        "scan", "--manifest", tmp_path / "crawl.jsonl", "--out", tmp_path / "out", "--workers", "1", "--quiet"
    )
    assert ran.code == 3, ran.err
    found, gone = rows_of(tmp_path / "out")
    assert found["metadata"] == {"peer": "10.0.0.7", "network": "g2"}
    assert (gone["status"], gone["reason"]) == ("unreadable", "no such file or folder")


def test_results_inside_the_source_are_not_scanned(leakscreen: Run, tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.txt").write_text("nothing here")
    for _ in range(2):
        leakscreen("scan", tmp_path / "s", "--out", tmp_path / "s" / "results", "--workers", "1", "--quiet")
    assert {row["uri"] for row in rows_of(tmp_path / "s" / "results")} == {str(tmp_path / "s" / "a.txt")}


def test_an_empty_source_is_a_finished_scan(leakscreen: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = leakscreen("scan", tmp_path / "empty", "--out", tmp_path / "out", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["files"] == 0


def test_fail_on_referral(leakscreen: Run, share: Share, tmp_path: Path) -> None:
    assert leakscreen("scan", share[0], "--out", tmp_path / "out", "--fail-on", "referral", "--quiet").code == 1
