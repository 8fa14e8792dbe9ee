"""A real Spark on this machine: a master, workers and Beam's job server as processes on loopback, stopped by their ids.

`python -m deploy.spark.cluster --jars FOLDER [--workers 2]` runs until it is interrupted.
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deploy.flink.jars import by_maven, check_jars
from deploy.java_processes import JavaProcesses
from deploy.processes import LOOPBACK, free_port

_POM = Path(__file__).with_name("pom.xml")
_CHECKSUMS = Path(__file__).with_name("jars.sha256")
_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"
_JOB_SERVER = "org.apache.beam.runners.spark.SparkJobServerDriver"
# What Spark's own start script opens for Java 17 and later.
_OPENED = (
    *("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util"),
    *("java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.ref", "sun.nio.ch", "sun.nio.cs"),
    *("sun.security.action", "sun.util.calendar"),
)


def fetch_jars(folder: Path) -> Path:
    """Fetched where they are missing; each is compared with the list."""
    if not any(folder.glob("*.jar")):
        by_maven(_POM, folder)
    check_jars(folder, _CHECKSUMS)
    return folder


class Cluster(JavaProcesses):
    def __init__(self, jars: Path, workers: int = 2, cores: int = 1, environ: Mapping[str, str] | None = None) -> None:
        self.jars = fetch_jars(jars).absolute()
        super().__init__("spark", environ)
        self.environ |= {"SPARK_HOME": str(self.folder), "SPARK_SCALA_VERSION": "2.12", "SPARK_LOCAL_IP": LOOPBACK}
        self.workers: list[subprocess.Popen[bytes]] = []
        self._count, self._cores = workers, cores
        self._port, self._page, self.job_port = free_port(), free_port(), free_port()

    @property
    def options(self) -> list[str]:
        """Of `leakscreen scan`."""
        command = json.dumps({"command": str(Path(sys.executable).with_name("leakscreen-worker"))})
        beam = (
            f"job_endpoint={LOOPBACK}:{self.job_port}",
            "environment_type=PROCESS",
            f"environment_config={command}",
        )
        return ["--runner", "PortableRunner", *(word for option in beam for word in ("--beam", option))]

    def bring_up(self) -> None:
        (self.folder / "jars").symlink_to(self.jars)  # where the executors look for them
        master = ["--host", LOOPBACK, "--port", str(self._port), "--webui-port", str(self._page)]
        self._start("master", _MASTER, master)
        for number in range(self._count):
            self.add_worker(f"worker-{number}")
        self.wait_for(self._count)
        self._start("job-server", _JOB_SERVER, self._job_server_options())
        self._wait_for_job_server()

    def add_worker(self, name: str) -> None:
        options = ["--host", LOOPBACK, "--cores", str(self._cores), "--memory", "1g"]
        options += ["--work-dir", str(self.folder / name / "work"), "--webui-port", str(free_port())]
        self.workers.append(self._start(name, _WORKER, [*options, f"spark://{LOOPBACK}:{self._port}"]))

    def alive(self) -> int:
        try:
            with urllib.request.urlopen(f"http://{LOOPBACK}:{self._page}/json/", timeout=5) as answer:
                body: dict[str, Any] = json.load(answer)
                return sum(worker["state"] == "ALIVE" for worker in body["workers"])
        except OSError:
            return 0

    def wait_for(self, workers: int, seconds: float = 120) -> None:
        until = time.monotonic() + seconds
        while self.alive() != workers:
            if time.monotonic() > until:
                raise SystemExit(f"Spark was not up after {seconds:.0f} s; see {self.logs()}")
            time.sleep(0.2)

    def _job_server_options(self) -> list[str]:
        ports = [f"--job-port={self.job_port}", "--artifact-port=0", "--expansion-port=0"]
        (self.folder / "artifacts").mkdir()
        places = [f"--job-host={LOOPBACK}", f"--artifacts-dir={self.folder / 'artifacts'}"]
        return [*ports, *places, f"--spark-master-url=spark://{LOOPBACK}:{self._port}"]

    def _wait_for_job_server(self, seconds: float = 60) -> None:
        until = time.monotonic() + seconds
        while True:
            with socket.socket() as probe:
                if probe.connect_ex((LOOPBACK, self.job_port)) == 0:
                    return
            if time.monotonic() > until:
                raise SystemExit(f"Beam's job server was not up after {seconds:.0f} s; see {self.logs()}")
            time.sleep(0.2)

    def _start(self, name: str, main: str, options: list[str]) -> subprocess.Popen[bytes]:
        folder = self.folder_of(name)
        # A killed worker does not sign off: after this time without a heartbeat its tasks start elsewhere.
        java = [
            "-Xmx512m",
            "-Dspark.worker.timeout=8",
            "-Dspark.network.timeout=20s",
            "-Dspark.network.timeoutInterval=5s",
            "-Dspark.executor.heartbeatInterval=2s",
        ]
        java += [f"-Dspark.local.dir={folder / 'tmp'}", "-Dspark.ui.enabled=false", "-Dspark.executor.memory=512m"]
        return self.start(folder, _OPENED, [*java, "-cp", f"{self.jars}/*", main, *options])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jars", type=Path, required=True, help="folder of the jars; filled by mvn when it is empty")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cores", type=int, default=1, help="of each worker")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with Cluster(arguments.jars, arguments.workers, arguments.cores) as cluster:
        print(" ".join(f"'{word}'" for word in cluster.options), flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            print("stopping")


if __name__ == "__main__":
    os.umask(0o077)
    main()
