"""Results that somebody changed are not referred, and damaged ones are one sentence."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from leakscreen.demo import Planted
from tests.end_to_end.conftest import Run, rows_of, stable

Share = tuple[Path, list[Planted]]


@pytest.fixture
def scan(scanned: Path, tmp_path: Path) -> Path:
    (copy,) = Path(shutil.copytree(scanned, tmp_path / "out")).iterdir()
    return copy


def clear_referrals(scan: Path) -> None:
    """By somebody who knows the format, and keeps the totals and the seal as they are."""
    for unit in (scan / "files").iterdir():
        table, kept = pq.read_table(unit), pq.read_metadata(unit).metadata
        at = table.column_names.index("referred")
        with pq.ParquetWriter(unit, table.schema) as writer:
            writer.write_table(table.set_column(at, "referred", pa.array([False] * table.num_rows)))
            writer.add_key_value_metadata({key: value for key, value in kept.items() if key.startswith(b"leakscreen")})


def patch_a_byte(scan: Path) -> None:
    unit = min((scan / "files").iterdir())
    content = bytearray(unit.read_bytes())
    content[len(content) // 3] ^= 1
    unit.write_bytes(content)


def remove_a_unit(scan: Path) -> None:
    min((scan / "files").iterdir()).unlink()


def repeat_a_unit(scan: Path) -> None:
    unit = min((scan / "files").iterdir())
    shutil.copy(unit, unit.with_name("unit-00000099.parquet"))


def edit(name: str, **changes: object) -> Callable[[Path], None]:
    def change(scan: Path) -> None:
        content = json.loads((scan / name).read_text())
        (scan / name).write_text(json.dumps({**content, **changes}))

    return change


FORGERIES = {
    "referrals cleared": clear_referrals,
    "a byte": patch_a_byte,
    "a unit removed": remove_a_unit,
    "a unit repeated": repeat_a_unit,
    "the summary": edit("summary.json", referred=12_345),
    "the manifest": edit("manifest.json", sources=["/elsewhere"]),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_changed_results_are_not_referred(leakscreen: Run, scan: Path, forge: Callable[[Path], None]) -> None:
    forge(scan)
    ran = leakscreen("refer", scan)
    assert ran.code == 2, ran.out
    assert ran.err.count("\n") == 1 and "nothing was referred" in ran.err and "Traceback" not in ran.err


def test_unchanged_results_are_referred_and_the_key_of_the_scan_is_needed(leakscreen: Run, scan: Path) -> None:
    other = leakscreen("refer", scan, environ={"LEAKSCREEN_HMAC_KEY": "ab" * 32})
    assert other.code == 2 and "LEAKSCREEN_HMAC_KEY" in other.err
    ran = leakscreen("refer", scan, "--json")
    assert ran.code == 0 and ran.json["new"] > 0 and not ran.err


@pytest.mark.parametrize("words", [("report",), ("export", "--all"), ("refer",), ("evaluate", "--labels", "l.csv")])
@pytest.mark.parametrize("size", [0, 7, 3000])
def test_a_damaged_unit_is_one_sentence(
    leakscreen: Run, scan: Path, home: Path, words: tuple[str, ...], size: int
) -> None:
    (home / "l.csv").write_text("uri,phi\n/a,yes\n")
    unit = min((scan / "files").iterdir())
    content = unit.read_bytes()
    unit.write_bytes(content[:size] + b"\xff" * (len(content) - size))
    ran = leakscreen(*words[:1], scan, *words[1:])
    assert ran.code == 2, ran.out
    assert "Traceback" not in ran.err and ran.err.count("\n") == 1 and unit.name in ran.err, ran.err


@pytest.mark.parametrize("place", ["again/files", "again/summary.json", "manifest.json"])
def test_nothing_is_carried_over_from_changed_results(
    leakscreen: Run, share: Share, scanned: Path, scan: Path, place: str
) -> None:
    target = scan / place
    if target.is_dir():
        clear_referrals(target.parent)
    else:
        content = json.loads(target.read_text())
        target.write_text(json.dumps({**content, "referred": 0, "inputs": content.get("inputs")}))
    ran = leakscreen("scan", share[0], "--out", scan.parent, "--workers", "1", "--quiet")
    assert ran.code == 3 and "changed" in ran.err, ran.err
    (newest,) = [folder for folder in scan.parent.iterdir() if folder != scan]
    shutil.rmtree(scan)
    assert json.loads((newest / "manifest.json").read_text())["carried_from"] is None
    assert stable(rows_of(scan.parent)) == stable(rows_of(scanned))


def test_a_unit_that_was_changed_is_read_again_on_resume(leakscreen: Run, scanned: Path, scan: Path) -> None:
    (scan / "summary.json").unlink()
    patch_a_byte(scan)
    ran = leakscreen("scan", "--resume", "--out", scan.parent, "--workers", "1")
    assert ran.code == 3 and "read again" in ran.err, ran.err
    assert stable(rows_of(scan.parent)) == stable(rows_of(scanned))
