"""A scan on a real Flink, with workers, task managers and launcher killed in turn, has the local runner's records."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

from deploy.flink.cluster import Cluster
from tests.end_to_end.conftest import KEY, Run, rows_of, stable
from tests.end_to_end.test_canary import PEOPLE, everything_readable, letter, needles, people, write
from tests.end_to_end.test_crash import is_running, wait_until

JARS = Path(__file__).parents[2] / ".flink-jars"
COPIES = (
    10  # of each person's letter, in ten formats: enough that the scan is still running when the last of its parts dies
)
UNIT_FILES = 1
GIVES_UP = {
    "restart-strategy.fixed-delay.attempts": "4",
    "slot.request.timeout": "2000",
}  # within seconds where no slot is left


def units_of(out: Path) -> list[Path]:
    return list(out.glob("scan=*/files/*.parquet"))


def planned_units(out: Path) -> int:
    (manifest,) = out.glob("scan=*/manifest.json")
    units: int = json.loads(manifest.read_text())["walk"]["units"]
    return units


def started_by(pid: int) -> list[int]:
    """Children of any thread: Java starts processes from many."""
    return [
        int(child) for listed in Path(f"/proc/{pid}/task").glob("*/children") for child in listed.read_text().split()
    ]


def job_servers_of(master: str) -> list[str]:
    commands = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            commands.append(process.read_text(errors="replace"))
    return [
        command for command in commands if command.startswith("java") and f"--flink-master\0http://{master}" in command
    ]


def job_states(master: str) -> list[str]:
    with urllib.request.urlopen(f"http://{master}/jobs/overview", timeout=10) as answer:
        jobs = json.load(answer)["jobs"]
    return [job["state"] for job in sorted(jobs, key=lambda job: job["start-time"])]


def leaks_in(folders: list[Path], said: str, planted: list[dict[str, str]]) -> list[tuple[str, int]]:
    handed_over = {
        jar.stat().st_size for jar in JARS.glob("*.jar")
    }  # Flink keeps copies of the job server's jars under other names
    files = [
        file
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file() and file.stat().st_size not in handed_over
    ]
    contents = {str(file): everything_readable(file).lower() for file in files} | {"output": said.lower().encode()}
    needed = {needle: index for index, person in enumerate(planted) for needle in needles(person)}
    return [(place, index) for needle, index in needed.items() for place, text in contents.items() if needle in text]


class Scans:
    """One scan on a cluster, and the launchers that begin it, go on with it and are stopped."""

    def __init__(self, cluster: Cluster, source: Path, out: Path, home: Path, environ: dict[str, str]) -> None:
        self.out = out
        self._cluster = cluster
        self._source = source
        self._how: dict[str, Any] = {
            "env": {**os.environ, **environ},
            "cwd": home,
            "stderr": subprocess.STDOUT,
            "text": True,
        }

    def begin(self, workers: int = 1) -> subprocess.Popen[str]:
        what = ["--resume"] if self.out.exists() else [str(self._source), "--set", f"scan.unit_files={UNIT_FILES}"]
        engine = [
            "--runner",
            "flink",
            "--flink-master",
            self._cluster.master,
            "--flink-jars",
            str(JARS),
            "--beam",
            f"parallelism={workers}",
        ]
        command = [sys.executable, "-m", "leakscreen", "scan", *what, "--out", str(self.out), *engine]
        return subprocess.Popen(command, stdout=subprocess.PIPE, **self._how)

    def wait_for_more(self, running: subprocess.Popen[str], units: int = 4) -> None:
        wanted = len(units_of(self.out)) + units
        wait_until(lambda: len(units_of(self.out)) >= wanted or running.poll() is not None, seconds=200)
        assert running.poll() is None, running.communicate()[0] + self._cluster.logs()
        assert len(units_of(self.out)) < planned_units(self.out), "the scan was over too early"

    def busy_task_manager(self) -> tuple[subprocess.Popen[bytes], list[int]]:
        at_work = [(each, started_by(each.pid)) for each in self._cluster.task_managers if each.poll() is None]
        return next((each, workers) for each, workers in at_work if workers)


def test_whatever_is_killed_costs_no_record(leakscreen: Run, home: Path, tmp_path: Path) -> None:
    source, out, local = tmp_path / "source", tmp_path / "out", tmp_path / "local"
    source.mkdir()
    planted = people()
    for index in range(COPIES * PEOPLE):
        write(source, index, letter(planted[index % PEOPLE]))
    (home / "tmp").mkdir()
    own = {"HOME": str(home), "TMPDIR": str(home / "tmp"), "LEAKSCREEN_HMAC_KEY": KEY}
    with Cluster(JARS, task_managers=2, slots=2, environ=own, settings=GIVES_UP) as cluster:
        scans = Scans(cluster, source, out, home, own)
        said = worker_and_task_manager_killed_then_stopped(scans, cluster)
        said += all_task_managers_killed(scans, cluster)
        cluster.add_task_manager("task-manager-2")
        cluster.wait_for(1)
        more, workers = launcher_killed(scans, cluster)
        end, code = going_on_with_what_was_left(scans, cluster, workers)
        said += more + end
        assert leaks_in([cluster.folder, home, out], said, planted) == []
    assert len(units_of(out)) == planned_units(out)
    assert leakscreen("scan", source, "--out", local, "--workers", "1", "--quiet").code == code
    rows = rows_of(out)
    assert stable(rows) == stable(rows_of(local))
    assert sum(row["referred"] for row in rows) >= COPIES * PEOPLE * 0.7, (
        "the canary must be seen by the tool, or its silence says nothing"
    )


def worker_and_task_manager_killed_then_stopped(scans: Scans, cluster: Cluster) -> str:
    """Flink starts the job again after each death; SIGTERM to the launcher ends it."""
    running = scans.begin(workers=2)
    scans.wait_for_more(running)
    _, workers = scans.busy_task_manager()
    os.kill(workers[0], signal.SIGKILL)
    scans.wait_for_more(running)
    victim, workers = scans.busy_task_manager()
    os.kill(victim.pid, signal.SIGKILL)
    scans.wait_for_more(running)
    running.terminate()
    said, _ = running.communicate(timeout=60)
    assert running.returncode == 143, said
    assert said.endswith(
        "leakscreen: stopped by SIGTERM; finished work units are kept; continue with `leakscreen scan --resume`\n"
    )
    assert job_states(cluster.master) == ["CANCELED"]
    wait_until(lambda: not any(is_running(pid) for pid in workers))
    return said


def all_task_managers_killed(scans: Scans, cluster: Cluster) -> str:
    """The job finds no slots as often as it is started again, and fails; the launcher says how to go on."""
    running = scans.begin()
    scans.wait_for_more(running)
    for each in cluster.task_managers:
        each.kill()
    said, _ = running.communicate(timeout=120)
    assert running.returncode == 2, said
    assert said.endswith("finished units are kept: go on with --resume\n")
    return said


def launcher_killed(scans: Scans, cluster: Cluster) -> tuple[str, list[int]]:
    """Nobody ends its job, so a resumed scan must. The workers are held, so that the job does not end before."""
    running = scans.begin()
    scans.wait_for_more(running)
    _, workers = scans.busy_task_manager()
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    running.kill()
    said, _ = running.communicate(timeout=60)
    wait_until(lambda: not job_servers_of(cluster.master))
    assert job_states(cluster.master)[-1] == "RUNNING"
    return said, workers


def going_on_with_what_was_left(scans: Scans, cluster: Cluster, held: list[int]) -> tuple[str, int]:
    finished = {unit: unit.stat().st_mtime_ns for unit in units_of(scans.out)}
    last = scans.begin()
    wait_until(lambda: job_states(cluster.master)[-1] == "CANCELLING")
    for pid in held:
        os.kill(pid, signal.SIGCONT)
    said, _ = last.communicate(timeout=200)
    assert last.returncode in (0, 3), said + cluster.logs()
    assert finished == {unit: unit.stat().st_mtime_ns for unit in finished}, "a finished unit was read again"
    assert job_states(cluster.master) == ["CANCELED", "FAILED", "CANCELED", "FINISHED"]
    assert not job_servers_of(cluster.master), "the job server must end with its scan"
    return said, last.returncode
