"""A scan whose launcher or worker is killed stops, leaves no process behind, and resumes to the same records."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from leakscreen.demo import Planted
from pipelines.results.seal import key_of_seals, sealed_json, without_seals
from tests.end_to_end.conftest import KEY, Run, rows_of, stable

Share = tuple[Path, list[Planted]]


def children_of(pid: int) -> list[int]:
    children: list[int] = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # a thread or the process has ended
            children += map(int, listed.read_text().split())
    return children


def tree_below(pid: int) -> list[int]:
    below = children_of(pid)
    for child in below:
        below += children_of(child)
    return below


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(condition: object, seconds: float = 240) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


@pytest.mark.parametrize("victim", ["launcher", "worker"])
def test_a_killed_scan_resumes(
    leakscreen: Run, share: Share, scanned: Path, home: Path, tmp_path: Path, victim: str
) -> None:
    out = tmp_path / "out"
    words = ("--out", str(out), "--workers", "2", "--set", "scan.unit_files=2", "--quiet")
    environ = {**os.environ, "HOME": str(home), "LEAKSCREEN_HMAC_KEY": KEY}
    in_background = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")  # where shells let SIGINT be ignored
    command = [*in_background, sys.executable, "-m", "leakscreen", "scan", str(share[0]), *words]
    running = subprocess.Popen(command, env=environ, cwd=home, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: len(list(out.glob("scan=*/files/*.parquet"))) >= 3)
    workers = children_of(running.pid)
    started = tree_below(running.pid)
    os.kill(running.pid if victim == "launcher" else workers[0], signal.SIGKILL)
    _, said = running.communicate(timeout=60)
    if victim == "worker":
        assert running.returncode == 2
        assert "a worker process died (SIGKILL)" in said
    wait_until(lambda: not any(is_running(pid) for pid in started))
    (scan,) = out.iterdir()
    assert not (scan / "summary.json").exists()
    finished = {unit: unit.stat().st_mtime_ns for unit in (scan / "files").glob("*.parquet")}
    ran = leakscreen("scan", "--resume", *words)
    assert ran.code == 3, ran.err
    assert finished == {unit: unit.stat().st_mtime_ns for unit in finished}
    assert stable(rows_of(out)) == stable(rows_of(scanned))


def test_a_scan_killed_while_it_walked_and_carried_over_is_planned_anew(
    leakscreen: Run, share: Share, scanned: Path, tmp_path: Path
) -> None:
    """The folder as a launcher leaves it that was killed between its first moment and the end of the walk."""
    shutil.copytree(scanned, tmp_path / "out")
    (scan,) = (tmp_path / "out").iterdir()
    manifest = json.loads((scan / "manifest.json").read_text())
    unfinished = {**without_seals(manifest), "walk": None}
    (scan / "manifest.json").write_bytes(sealed_json(unfinished, key_of_seals(bytes.fromhex(KEY))))
    for name in ("summary.json", "report.html"):
        (scan / name).unlink()
    for folder in ("files", "people"):
        (scan / folder / "unit-00000000.parquet").rename(scan / folder / "carried-00000000.parquet")
    (scan / "plan.arrow").write_bytes(b"half a plan")
    ran = leakscreen("scan", "--resume", "--out", tmp_path / "out", "--workers", "1", "--quiet")
    assert ran.code == 3, ran.err
    assert [entry.name for entry in (tmp_path / "out").iterdir()] == [scan.name]
    assert json.loads((scan / "manifest.json").read_text())["walk"]["files"] == manifest["walk"]["files"]
    assert stable(rows_of(tmp_path / "out")) == stable(rows_of(scanned))
