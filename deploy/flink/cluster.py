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
from deploy.flink.process import OPENED, arguments_of_java, write_settings
from deploy.java_processes import JavaProcesses
from deploy.processes import LOOPBACK, free_port


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

    @property
    def options(self) -> list[str]:
        """Of `leakscreen scan`."""
        return ["--runner", "flink", "--flink-master", self.master, "--flink-jars", str(self.job_server.parent)]

    def bring_up(self) -> None:
        settings = _job_manager_settings(self._rpc_port, self.port, self.folder)
        self._start("job-manager", "jobmanager", {**settings, **self._settings})
        for number in range(self._count):
            self.add_task_manager(f"task-manager-{number}")
        self.wait_for(self._count)

    def add_task_manager(self, name: str) -> None:
        settings = _task_manager_settings(self._rpc_port, self._slots)
        self.task_managers.append(self._start(name, "taskmanager", settings))

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

    def _start(self, name: str, role: str, settings: dict[str, str]) -> subprocess.Popen[bytes]:
        folder = self.folder_of(name)
        write_settings(role, folder, {"io.tmp.dirs": str(self.folder), **settings})
        return self.start(folder, OPENED, arguments_of_java(role, folder, self.job_server))


def _job_manager_settings(rpc_port: int, rest_port: int, folder: Path) -> dict[str, str]:
    return {
        "jobmanager.rpc.address": LOOPBACK,
        "jobmanager.rpc.port": str(rpc_port),
        "jobmanager.bind-host": LOOPBACK,
        "rest.address": LOOPBACK,
        "rest.bind-address": LOOPBACK,
        "rest.port": str(rest_port),
        "blob.server.port": "0",
        "blob.storage.directory": str(folder),
        "cluster.evenly-spread-out-slots": "true",
        # A killed task manager does not sign off: after this time without a heartbeat the job restarts.
        "heartbeat.interval": "1000",
        "heartbeat.timeout": "8000",
        "restart-strategy.type": "fixed-delay",
        "restart-strategy.fixed-delay.attempts": "10",
        "restart-strategy.fixed-delay.delay": "1 s",
    }


def _task_manager_settings(rpc_port: int, slots: int) -> dict[str, str]:
    return {
        "jobmanager.rpc.address": LOOPBACK,
        "jobmanager.rpc.port": str(rpc_port),
        "taskmanager.host": LOOPBACK,
        "taskmanager.bind-host": LOOPBACK,
        "taskmanager.numberOfTaskSlots": str(slots),
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
        print(" ".join(cluster.options), flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            print("stopping")


if __name__ == "__main__":
    os.umask(0o077)
    main()
