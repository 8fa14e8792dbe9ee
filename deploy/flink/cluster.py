"""A real Flink on this machine: a job manager and task managers as processes on loopback, stopped by their process ids.

`python -m deploy.flink.cluster --jars FOLDER [--task-managers 2]` runs until it is interrupted.
"""

import argparse
import json
import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deploy.flink.jars import fetch_jar
from deploy.java_processes import LOOPBACK, JavaProcesses, free_port

_JOB_MANAGER = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint"
_TASK_MANAGER = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"
# What Flink's own start script opens for Java 17 and later.
_OPENED = (
    "java.lang",
    "java.lang.invoke",
    "java.lang.reflect",
    "java.net",
    "java.io",
    "java.nio",
    "java.text",
    "java.time",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "java.util.concurrent.locks",
    "sun.nio.ch",
)


class Cluster(JavaProcesses):
    def __init__(
        self,
        jars: Path,
        task_managers: int = 2,
        slots: int = 1,
        environ: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.job_server = fetch_jar(jars)
        super().__init__("flink", environ)
        self.port = free_port()
        self.task_managers: list[subprocess.Popen[bytes]] = []
        self._count = task_managers
        self._slots = slots
        self._settings = settings or {}  # of the job manager, over its own
        self._rpc_port = free_port()

    @property
    def master(self) -> str:
        return f"{LOOPBACK}:{self.port}"

    def bring_up(self) -> None:
        settings = _job_manager_settings(self._rpc_port, self.port, self.folder)
        self._start("job-manager", _JOB_MANAGER, {**settings, **self._settings})
        for number in range(self._count):
            self.add_task_manager(f"task-manager-{number}")
        self.wait_for(self._count)

    def add_task_manager(self, name: str) -> None:
        settings = _task_manager_settings(self._rpc_port, self._slots, self.folder)
        self.task_managers.append(self._start(name, _TASK_MANAGER, settings))

    def wait_for(self, task_managers: int, seconds: float = 120) -> None:
        """Until so many task managers have reported to the job manager."""
        until = time.monotonic() + seconds
        while self.overview().get("taskmanagers") != task_managers:
            for process in self.started:
                if process.poll() not in (None, -signal.SIGKILL):
                    raise SystemExit(f"a Flink process ended at its start; see {self.logs()}")
            if time.monotonic() > until:
                raise SystemExit(f"Flink was not up after {seconds:.0f} s; see {self.logs()}")
            time.sleep(0.2)

    def overview(self) -> dict[str, Any]:
        try:
            with urllib.request.urlopen(f"http://{self.master}/overview", timeout=5) as answer:
                body: dict[str, Any] = json.load(answer)
                return body
        except OSError:
            return {}

    def _start(self, name: str, main: str, settings: dict[str, str]) -> subprocess.Popen[bytes]:
        folder = self.folder_of(name)
        (folder / "config.yaml").write_text("".join(f"{key}: {value}\n" for key, value in settings.items()))
        java = ["-Xmx384m", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.showDateTime=true"]
        return self.start(folder, _OPENED, [*java, "-cp", str(self.job_server), main, "--configDir", str(folder)])


def _job_manager_settings(rpc_port: int, rest_port: int, folder: Path) -> dict[str, str]:
    return {
        "jobmanager.rpc.address": LOOPBACK,
        "jobmanager.rpc.port": str(rpc_port),
        "jobmanager.bind-host": LOOPBACK,
        "jobmanager.memory.process.size": "1g",
        "rest.address": LOOPBACK,
        "rest.bind-address": LOOPBACK,
        "rest.port": str(rest_port),
        "blob.server.port": "0",
        "blob.storage.directory": str(folder),
        "io.tmp.dirs": str(folder),
        "classloader.resolve-order": "parent-first",
        "cluster.evenly-spread-out-slots": "true",
        # A killed task manager does not sign off: after this time without a heartbeat the job restarts.
        "heartbeat.interval": "1000",
        "heartbeat.timeout": "8000",
        "restart-strategy.type": "fixed-delay",
        "restart-strategy.fixed-delay.attempts": "10",
        "restart-strategy.fixed-delay.delay": "1 s",
    }


def _task_manager_settings(rpc_port: int, slots: int, folder: Path) -> dict[str, str]:
    """Flink's start script works these sizes out; started without it, all of them are given."""
    return {
        "jobmanager.rpc.address": LOOPBACK,
        "jobmanager.rpc.port": str(rpc_port),
        "taskmanager.host": LOOPBACK,
        "taskmanager.bind-host": LOOPBACK,
        "taskmanager.numberOfTaskSlots": str(slots),
        "taskmanager.cpu.cores": str(float(slots)),
        "taskmanager.memory.task.heap.size": "128m",
        "taskmanager.memory.task.off-heap.size": "0",
        "taskmanager.memory.framework.heap.size": "128m",
        "taskmanager.memory.framework.off-heap.size": "64m",
        "taskmanager.memory.network.min": "64m",
        "taskmanager.memory.network.max": "64m",
        "taskmanager.memory.managed.size": "64m",
        "taskmanager.memory.jvm-metaspace.size": "256m",
        "taskmanager.memory.jvm-overhead.min": "64m",
        "taskmanager.memory.jvm-overhead.max": "64m",
        "io.tmp.dirs": str(folder),
        "classloader.resolve-order": "parent-first",
        "heartbeat.interval": "1000",
        "heartbeat.timeout": "8000",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jars", type=Path, required=True, help="folder of the jar; made by mvn when it is missing")
    parser.add_argument("--task-managers", type=int, default=2)
    parser.add_argument("--slots", type=int, default=1, help="of each task manager")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with Cluster(arguments.jars.absolute(), arguments.task_managers, arguments.slots) as cluster:
        print(f"--runner flink --flink-master {cluster.master} --flink-jars {cluster.job_server.parent}", flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            print("stopping")


if __name__ == "__main__":
    os.umask(0o077)
    main()
