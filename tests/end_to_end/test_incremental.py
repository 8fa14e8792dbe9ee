"""A second scan reads only what changed, and its records are those that a full scan would give."""

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from leakscreen.demo import Planted
from pipelines.results.totals import no_totals
from tests.end_to_end.conftest import KEY, Ran, Run, rows_of, stable

Share = tuple[Path, list[Planted]]
LONG_AGO = 1_600_000_000
LETTER = (
    "Patient John Smith, 123 Main Street, Springfield. Phone (613) 555-0142. "
    "Diagnosis: diabetes mellitus; insulin prescribed.\n"
)


@pytest.fixture
def own(share: Share, tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(share[0], tmp_path / "own"))
    for path in folder.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    return folder


class Scans:
    """Scans of one folder into one output folder, and the rows of each."""

    def __init__(self, leakscreen: Run, source: Path, out: Path) -> None:
        self._leakscreen, self._source, self.out = leakscreen, source, out

    def __call__(self, *words: str | Path) -> dict[str, Any]:
        ran: Ran = self._leakscreen("scan", self._source, "--out", self.out, "--workers", "1", "--json", *words)
        assert ran.code in (0, 3), ran.err
        return ran.json


def rows_in(scan: Path) -> list[dict[str, Any]]:
    only = scan.parent.with_name(f"only-{scan.name}")
    if not only.exists():
        only.mkdir()
        os.symlink(scan, only / scan.name)
    return stable(rows_of(only))


def test_unchanged_files_are_carried_over_and_the_new_scan_is_whole(leakscreen: Run, own: Path, tmp_path: Path) -> None:
    scans = Scans(leakscreen, own, tmp_path / "out")
    first, second, third = scans("--set", "scan.unit_files=1"), scans(), scans()
    assert first["carried"]["files"] == 0
    assert second["carried"]["files"] == first["files"] - first["status"]["failed"]
    assert second["carried"]["from"] == first["scan_id"]
    assert third["carried"]["from"] == second["scan_id"]
    before = rows_in(Path(first["folder"]))
    for later in (second, third):
        assert rows_in(Path(later["folder"])) == before
        for figure in no_totals().keys() - {"stages", "judged"} | {"not_judged"}:
            assert later[figure] == first[figure], figure
    assert json.loads(Path(second["folder"], "manifest.json").read_text())["carried_from"] == first["scan_id"]
    assert scans("--full")["carried"]["files"] == 0


@pytest.fixture
def quiet_source(tmp_path: Path) -> Path:
    """Nothing in it is tried again; it has names that are not UTF-8, copies and a container."""
    source = tmp_path / "quiet"
    (source / "below").mkdir(parents=True)
    for number in range(12):
        (source / "below" / f"{number}.txt").write_text(f"{LETTER}{number // 2}\n")
    (source / os.fsdecode(b"odd-\xff.txt")).write_text(LETTER)
    with zipfile.ZipFile(source / "two.zip", "w") as archive:
        archive.writestr("a.txt", LETTER)
        archive.writestr("b.txt", "nothing here")
    (source / "link").symlink_to("two.zip")
    for path in source.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO), follow_symlinks=False)
    return source


def is_repeated(scan: dict[str, Any], of: Path) -> bool:
    """Only a scan for which nothing was looked at closer shares its plan with the one before."""
    return os.path.samefile(Path(scan["folder"], "plan.arrow"), of / "plan.arrow")


def told(scan: dict[str, Any], name: str, *, but_for: tuple[str, ...]) -> dict[str, Any]:
    return {
        key: value for key, value in json.loads(Path(scan["folder"], name).read_text()).items() if key not in but_for
    }


def test_a_source_in_which_nothing_changed_is_not_looked_at_closer(
    leakscreen: Run, quiet_source: Path, tmp_path: Path
) -> None:
    words = ("scan", quiet_source, "--out", tmp_path / "out", "--json")
    first, second, third = (leakscreen(*words).json for _ in range(3))
    assert is_repeated(second, Path(first["folder"], "again"))
    assert is_repeated(third, Path(second["folder"]))
    assert rows_in(Path(third["folder"])) == rows_in(Path(second["folder"])) == rows_in(Path(first["folder"]))
    assert {row["scan_id"] for row in rows_of(Path(third["folder"]).parent)} == {
        scan["scan_id"] for scan in (first, second, third)
    }
    for later, base in ((second, first), (third, second)):
        assert later["carried"] == {
            "files": first["files"],
            "records": first["records"],
            "bytes": first["bytes"],
            "from": base["scan_id"],
        }
        assert later["reconciliation"]["ok"] and later["not_followed"] == {"symbolic links": 1}
        page = Path(later["report"]).read_text()
        assert leakscreen("report", later["folder"]).code == 0
        assert Path(later["report"]).read_text() == page


def test_it_loads_nothing_that_it_does_without(leakscreen: Run, quiet_source: Path, tmp_path: Path) -> None:
    """Each of these takes as long to load as ten thousand files to walk, or longer."""
    words = ("scan", quiet_source, "--out", tmp_path / "out", "--quiet")
    assert leakscreen(*words).code == 0
    loaded = {
        line.rpartition("|")[2].strip()
        for line in leakscreen(*words, environ={"PYTHONPROFILEIMPORTTIME": "1"}).err.splitlines()
    }
    assert "pipelines.rescan.nothing_changed" in loaded
    assert not loaded & {"apache_beam", "jinja2", "logging", "numpy", "pyarrow", "pydantic", "rich", "tomllib", "typer"}


KILLED_BEFORE_A_STEP = """
import os, signal, sys

steps = int(sys.argv.pop(1))

def counted(call):
    def step(*given, **how):
        global steps
        if steps == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        steps -= 1
        return call(*given, **how)
    return step

for name in ("mkdir", "link", "fsync", "replace", "rename"):
    setattr(os, name, counted(getattr(os, name)))
from leakscreen.__main__ import main
main()
"""


def test_killed_before_any_of_its_steps_it_leaves_whole_scans_alone(
    leakscreen: Run, home: Path, quiet_source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = leakscreen("scan", quiet_source, "--out", out, "--json").json
    environ = {**os.environ, "HOME": str(home), "LEAKSCREEN_HMAC_KEY": KEY}
    command = [sys.executable, "-c", KILLED_BEFORE_A_STEP]
    codes: list[int] = []
    while 0 not in codes:
        words = (str(len(codes)), "scan", str(quiet_source), "--out", str(out), "--quiet")
        codes.append(subprocess.run([*command, *words], env=environ, cwd=home).returncode)
        for scan in out.glob("scan=*"):
            assert json.loads((scan / "summary.json").read_text())["reconciliation"]["ok"]
            assert rows_in(scan) == rows_in(Path(first["folder"]))
    assert codes == [-signal.SIGKILL] * (len(codes) - 1) + [0]
    assert len(codes) > 10


def test_it_gives_what_looking_closer_gives(leakscreen: Run, quiet_source: Path, tmp_path: Path) -> None:
    words = ("scan", quiet_source, "--out", tmp_path / "out", "--json")
    _, quick = (leakscreen(*words).json for _ in range(2))
    closer = leakscreen(*words, "--set", "scan.beam_options=experiments=none").json  # which the quick way leaves alone
    assert not is_repeated(closer, Path(quick["folder"]))
    assert rows_in(Path(closer["folder"])) == rows_in(Path(quick["folder"]))
    for name, but_for in (
        ("summary.json", ("scan_id", "started", "finished", "seconds", "carried", "seal", "units_seal")),
        ("manifest.json", ("scan_id", "started", "settings", "carried_from", "seal")),
    ):
        assert told(closer, name, but_for=but_for) == told(quick, name, but_for=but_for)


def test_records_that_were_damaged_are_not_carried_on_unseen(
    leakscreen: Run, quiet_source: Path, tmp_path: Path
) -> None:
    words = ("scan", quiet_source, "--out", tmp_path / "out", "--json")
    leakscreen(*words)
    second = leakscreen(*words).json
    (records,) = Path(second["folder"], "files").iterdir()
    content = records.read_bytes()
    records.write_bytes(content[:300] + bytes(20) + content[320:])
    third = leakscreen(*words)
    assert third.code != 0 or not is_repeated(third.json, Path(second["folder"]))


def test_changed_new_moved_renamed_and_deleted_files(leakscreen: Run, tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "below").mkdir(parents=True)
    for name in ("changed", "moved", "renamed", "deleted", "touched", "same"):
        (source / f"{name}.txt").write_text(f"{name}\n{LETTER}")
        os.utime(source / f"{name}.txt", (LONG_AGO, LONG_AGO))
    scans = Scans(leakscreen, source, tmp_path / "out")
    scans()
    (source / "changed.txt").write_text("Changed\n" + LETTER)
    (source / "moved.txt").rename(source / "below" / "moved.txt")
    (source / "renamed.txt").rename(source / "John Smith.txt")
    (source / "deleted.txt").unlink()
    os.utime(source / "touched.txt", (LONG_AGO + 1, LONG_AGO + 1))
    (source / "new.txt").write_text("nothing here")
    (source / "same.txt").chmod(0o600)
    again = scans()
    assert again["carried"]["files"] == 2  # same.txt and moved.txt
    full = scans("--full")
    rows = rows_in(Path(again["folder"]))
    assert rows == rows_in(Path(full["folder"]))
    assert [row["access"] for row in rows if row["uri"].endswith("/same.txt")] == ["owner"]


def test_a_file_written_while_the_last_scan_began_is_read_again(leakscreen: Run, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "a.txt").write_text(LETTER)
    scans = Scans(leakscreen, tmp_path / "source", tmp_path / "out")
    scans()
    assert scans()["carried"]["files"] == 0


def test_what_failed_is_tried_again(leakscreen: Run, tmp_path: Path, without_root_powers: list[str]) -> None:
    (tmp_path / "source").mkdir(mode=0o755)
    for name in ("a.txt", "locked.txt"):
        (tmp_path / "source" / name).write_text(LETTER)
        os.utime(tmp_path / "source" / name, (LONG_AGO, LONG_AGO))
    (tmp_path / "source" / "locked.txt").chmod(0)
    words = ("scan", tmp_path / "source", "--out", tmp_path / "out", "--workers", "1", "--json")
    assert leakscreen(*words, prefix=without_root_powers).json["status"]["unreadable"] == 1
    (tmp_path / "source" / "locked.txt").chmod(0o600)
    again = leakscreen(*words, prefix=without_root_powers).json
    assert (again["status"]["unreadable"], again["carried"]["files"]) == (0, 1)


NO_SCREENING_RULE = "rules.disable=" + ",".join(
    (
        "identifying-information",
        "subject-with-health",
        "name-with-birth-date",
        "name-with-number",
        "name-in-health-table",
        "number-with-health",
    )
)
WIDE_RULE = """
[[rule]]
id = "a-first-name"
description = "Any first name"
expression = "first_name"
screens = true
"""


def test_other_rules_are_asked_again_without_reading_but_a_missing_health_verdict_is_not_guessed(
    leakscreen: Run, tmp_path: Path
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    texts = {"letter": LETTER, "name": "John Smith went home.\n", "nothing": "The weather is fine.\n"}
    for name, text in texts.items():
        (source / f"{name}.txt").write_text(text)
        os.utime(source / f"{name}.txt", (LONG_AGO, LONG_AGO))
    (tmp_path / "wide.toml").write_text(WIDE_RULE)
    scans = Scans(leakscreen, source, tmp_path / "out")
    first = scans()
    wider = scans("--rules", tmp_path / "wide.toml")
    assert (first["screened_positive"], wider["screened_positive"]) == (1, 2)
    assert wider["carried"]["files"] == 2  # the name alone is newly positive, and needs the health stage
    assert rows_in(Path(wider["folder"])) == rows_in(Path(scans("--rules", tmp_path / "wide.toml", "--full")["folder"]))
    narrower = scans("--set", NO_SCREENING_RULE)
    assert (narrower["carried"]["files"], narrower["screened_positive"]) == (3, 0)
    assert rows_in(Path(narrower["folder"])) == rows_in(Path(scans("--set", NO_SCREENING_RULE, "--full")["folder"]))


def test_identical_content_is_examined_once_and_every_path_has_its_record(
    leakscreen: Run, own: Path, tmp_path: Path
) -> None:
    """The records of the copies are those that a scan of the copies alone gives."""
    copy = tmp_path / "both" / "copy"
    shutil.copytree(own, copy)
    alone = Scans(leakscreen, copy, tmp_path / "alone")()
    shutil.copytree(own, tmp_path / "both" / "a first one")
    both = Scans(leakscreen, tmp_path / "both", tmp_path / "out")()
    assert both["duplicates"] >= alone["files"] - alone["duplicates"] - alone["status"]["failed"]
    assert both["stages"]["extract"]["bytes"] <= alone["stages"]["extract"]["bytes"]
    rows = {row["uri"]: row for row in rows_in(Path(both["folder"]))}
    firsts = {row["duplicate_of"] for row in rows.values()} - {None}
    assert all(
        rows[uri]["duplicate_of"] is None and rows[uri]["sha256"]
        for uri in firsts
        if rows[uri]["container_uri"] is None
    )
    for row in rows_in(Path(alone["folder"])):
        carried = rows[row["uri"]]
        assert {**carried, "duplicate_of": None, "source": ""} == {**row, "duplicate_of": None, "source": ""}
