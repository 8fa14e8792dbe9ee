"""A scan on a real Flink of two task managers, one of which is killed in the middle: the records of the local runner, and no leak."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from deploy.flink.cluster import Cluster
from tests.end_to_end.conftest import KEY, Run, rows_of, stable
from tests.end_to_end.test_canary import PEOPLE, everything_readable, letter, needles, people, write
from tests.end_to_end.test_crash import is_running, wait_until

JARS = Path(__file__).parents[2] / ".flink-jars"
COPIES = 10  # of each person's letter, in ten formats: enough that the scan is still running when the task manager dies
UNIT_FILES = 2


def units_of(out: Path) -> list[Path]:
    return list(out.glob("scan=*/files/*.parquet"))


def planned_units(out: Path) -> int:
    (manifest,) = out.glob("scan=*/manifest.json")
    units: int = json.loads(manifest.read_text())["walk"]["units"]
    return units


def started_by(pid: int) -> list[int]:
    """Children of any thread: Java starts processes from many."""
    return [int(child) for listed in Path(f"/proc/{pid}/task").glob("*/children") for child in listed.read_text().split()]


def job_servers_of(master: str) -> list[str]:
    commands = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            commands.append(process.read_text(errors="replace"))
    return [command for command in commands if command.startswith("java") and f"--flink-master\0http://{master}" in command]


def leaks_in(folders: list[Path], said: str, planted: list[dict[str, str]]) -> list[tuple[str, int]]:
    handed_over = {jar.stat().st_size for jar in JARS.glob("*.jar")}  # Flink keeps copies of the job server's jars under other names
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file() and file.stat().st_size not in handed_over]
    contents = {str(file): everything_readable(file).lower() for file in files} | {"output": said.lower().encode()}
    needed = {needle: index for index, person in enumerate(planted) for needle in needles(person)}
    return [(place, index) for needle, index in needed.items() for place, text in contents.items() if needle in text]


def test_a_killed_task_manager_costs_no_record(leakscreen: Run, home: Path, tmp_path: Path) -> None:
    source, out, local = tmp_path / "source", tmp_path / "out", tmp_path / "local"
    source.mkdir()
    planted = people()
    for index in range(COPIES * PEOPLE):
        write(source, index, letter(planted[index % PEOPLE]))
    (home / "tmp").mkdir()
    own: dict[str, Any] = {"HOME": str(home), "TMPDIR": str(home / "tmp"), "LEAKSCREEN_HMAC_KEY": KEY}
    with Cluster(JARS, task_managers=2, slots=2, environ=own) as cluster:
        engine = [f"flink_master={cluster.master}", f"flink_job_server_jar={cluster.job_server}", "parallelism=2"]
        words = [word for option in engine for word in ("--beam", option)]
        command = [sys.executable, "-m", "leakscreen", "scan", str(source), "--out", str(out), "--runner", "FlinkRunner", *words]
        running = subprocess.Popen(
            [*command, "--set", f"scan.unit_files={UNIT_FILES}"],
            env={**os.environ, **own},
            cwd=home,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        wait_until(lambda: len(units_of(out)) >= 3 or running.poll() is not None, seconds=200)
        victim = cluster.task_managers[0]
        workers = started_by(victim.pid)
        assert workers, "the task manager that dies must have been at work"
        os.kill(victim.pid, signal.SIGKILL)
        assert len(units_of(out)) < planned_units(out), "the scan was over before the task manager died"
        said, _ = running.communicate(timeout=200)
        assert running.returncode in (0, 3), said + cluster.logs()
        wait_until(lambda: not any(is_running(pid) for pid in workers))
        assert not job_servers_of(cluster.master), "the job server must end with its scan"
        assert leaks_in([cluster.folder, home, out], said, planted) == []
    assert len(units_of(out)) == planned_units(out)
    assert leakscreen("scan", source, "--out", local, "--workers", "1", "--quiet").code == running.returncode
    rows = rows_of(out)
    assert stable(rows) == stable(rows_of(local))
    assert sum(row["referred"] for row in rows) >= COPIES * PEOPLE * 0.7, "the canary must be seen by the tool, or its silence says nothing"
