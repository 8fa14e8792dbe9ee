"""A scan that is asked to stop stops at once and can be resumed; one that runs out of disk says so, losing nothing."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from leakscreen.demo import Planted
from tests.end_to_end.conftest import KEY, Run, rows_of, stable
from tests.end_to_end.test_crash import children_of, is_running, tree_below, wait_until

Share = tuple[Path, list[Planted]]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_stopped_scan_says_so_and_resumes(
    leakscreen: Run, share: Share, scanned: Path, home: Path, tmp_path: Path, workers: str
) -> None:
    """The signal goes to every process, as service managers send it; no file may fail by it."""
    out = tmp_path / "out"
    words = ("--out", str(out), "--workers", workers, "--set", "scan.unit_files=2", "--quiet")
    environ = {**os.environ, "HOME": str(home), "LEAKSCREEN_HMAC_KEY": KEY}
    command = [sys.executable, "-m", "leakscreen", "scan", str(share[0]), *words]
    running = subprocess.Popen(command, env=environ, cwd=home, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: len(list(out.glob("scan=*/files/*.parquet"))) >= 3)
    started = tree_below(running.pid)
    for pid in (*started, running.pid):
        os.kill(pid, signal.SIGTERM)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 143
    assert (
        said
        == "leakscreen: stopped by SIGTERM; finished work units are kept; continue with `leakscreen scan --resume`\n"
    )
    wait_until(lambda: not any(is_running(pid) for pid in started))
    (scan,) = out.iterdir()
    assert not (scan / "summary.json").exists()
    ran = leakscreen("scan", "--resume", *words)
    assert ran.code == 3, ran.err
    assert stable(rows_of(out)) == stable(rows_of(scanned))


@pytest.mark.parametrize("then", [signal.SIGCONT, signal.SIGTERM])
def test_a_worker_that_somebody_stops_holds_nothing_up(
    share: Share, scanned: Path, home: Path, tmp_path: Path, then: signal.Signals
) -> None:
    out = tmp_path / "out"
    words = ("--out", str(out), "--workers", "2", "--set", "scan.unit_files=2", "--quiet")
    environ = {**os.environ, "HOME": str(home), "LEAKSCREEN_HMAC_KEY": KEY}
    command = [sys.executable, "-m", "leakscreen", "scan", str(share[0]), *words]
    running = subprocess.Popen(command, env=environ, cwd=home, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: len(list(out.glob("scan=*/files/*.parquet"))) >= 3)
        for worker in children_of(running.pid):
            os.kill(worker, signal.SIGSTOP)
        os.kill(running.pid, then)
        _, said = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == (143 if then is signal.SIGTERM else 3), said
    if then is not signal.SIGTERM:
        assert stable(rows_of(out)) == stable(rows_of(scanned))


FULL = """
set -e
mount -t tmpfs -o size=16m tmpfs "$1"
head -c $2 /dev/zero > "$1/ballast" 2>/dev/null || true
shift 2
mkdir "$OUT/results"
status=0; "$@" --out "$OUT/results" || status=$?
echo "first $status"; ls "$OUT/results"/scan=*/files 2>/dev/null | grep -c parquet || true
rm "$OUT/ballast"
status=0; "$@" --out "$OUT/results" ${RESUME} || status=$?
echo "second $status"
cp -r "$OUT/results" "$KEEP"
"""


@pytest.mark.parametrize(("room", "resume"), [(120_000, "--resume"), (-16_000_000, "")])
def test_a_full_disk_is_told_and_nothing_is_lost(
    share: Share, scanned: Path, home: Path, tmp_path: Path, room: int, resume: str
) -> None:
    """In a mount of its own: full in the middle of the units, and full before the plan is written."""
    (tmp_path / "disk").mkdir()
    (earlier,) = scanned.iterdir()
    taken = sum((earlier / name).stat().st_size for name in ("bundle.zip", "plan.arrow", "manifest.json"))
    ballast = str((16 << 20) - taken - room)
    copy = Path(shutil.copytree(share[0], tmp_path / "share"))
    environ = {
        **os.environ,
        "HOME": str(home),
        "LEAKSCREEN_HMAC_KEY": KEY,
        "OUT": str(tmp_path / "disk"),
        "KEEP": str(tmp_path / "kept"),
    }
    scan = [
        sys.executable,
        "-m",
        "leakscreen",
        "scan",
        str(copy),
        "--workers",
        "1",
        "--quiet",
        "--set",
        "scan.unit_files=4",
    ]
    namespace = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--mount"]
    command = [*namespace, "sh", "-c", FULL, "sh", str(tmp_path / "disk"), ballast, *scan]
    ran = subprocess.run(
        command, env={**environ, "RESUME": resume}, cwd=home, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.split()
    assert lines[:2] == ["first", "2"] and lines[-2:] == ["second", "3"]
    first = ran.stderr.splitlines()[0]
    assert first.startswith("leakscreen: ") and "no space left on device" in first.lower(), ran.stderr
    summary = json.loads(next((tmp_path / "kept").glob("scan=*/summary.json")).read_text())
    assert summary["reconciliation"]["ok"] and summary["files"] == sum(path.is_file() for path in copy.rglob("*"))
    assert len(rows_of(tmp_path / "kept")) == summary["records"]
