"""The address of a Flink master and free options -> Beam's options for a scan on it; what is missing is said in plain words first."""

import json
import shutil
import sys
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from apache_beam.runners.portability.flink_runner import FlinkRunner

from core.errors import SettingsError

FLINK = "FlinkRunner"
COORDINATES = "org.apache.beam:beam-runners-flink-1.19:2.62.0"
_WORKER = "leakscreen-worker"
_SECONDS_TO_ANSWER = 10


class StoppedJobServer(FlinkRunner):
    """Beam's Flink runner, whose job server ends with its block: Beam ends it at the interpreter's exit, which a scan does not wait for."""

    def __init__(self) -> None:
        super().__init__()
        self._servers: list[Any] = []

    def default_job_server(self, options: Any) -> Any:
        self._servers.append(super().default_job_server(options))
        return self._servers[-1]

    def __enter__(self) -> "StoppedJobServer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for server in self._servers:
            server.stop()


def flink_flags(extra: Sequence[str]) -> list[str]:
    """What the options leave open: one task a slot of the cluster, each with a worker process that the task manager starts."""
    given = _named(extra)
    overview = _overview(_master(given))
    _require_job_server(given)
    wanted = {
        "parallelism": str(overview["slots-total"]),
        "sdk_worker_parallelism": str(-(-overview["slots-total"] // overview["taskmanagers"])),  # a process for each slot of a task manager
        "environment_type": "PROCESS",
        "environment_config": json.dumps({"command": str(Path(sys.executable).with_name(_WORKER))}),
        "job_server_jvm_properties": "-XX:TieredStopAtLevel=1",  # it lives for one scan: quick to start counts more than quick to run
    }
    if "environment_type" in given:
        del wanted["environment_config"]
    return [f"--{name}={value}" for name, value in {**wanted, **given}.items()]


def _named(extra: Sequence[str]) -> dict[str, str]:
    pairs = (option.lstrip("-").partition("=") for option in extra)
    return {name: value for name, _, value in pairs}


def _master(given: dict[str, str]) -> str:
    master = given.get("flink_master", "")
    if not master or master.startswith("["):
        raise SettingsError("scan.beam: a scan on Flink needs the address of its job manager: --beam flink_master=HOST:8081")
    return master if "://" in master else f"http://{master}"


def _overview(master: str) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(f"{master}/overview", timeout=_SECONDS_TO_ANSWER) as answer:  # noqa: S310 - the user names the master
            overview: dict[str, Any] = json.load(answer)
    except (OSError, ValueError) as error:
        reason = getattr(getattr(error, "reason", error), "strerror", None) or type(error).__name__
        raise SettingsError(
            f"scan.beam: no Flink answers at {master} ({reason}); is its job manager running, and is this its web port?"
        ) from None
    if not overview.get("slots-total"):
        raise SettingsError(f"scan.beam: the Flink at {master} has no task slots; start a task manager first")
    return overview


def _require_job_server(given: dict[str, str]) -> None:
    if "job_endpoint" in given:
        return
    jar = given.get("flink_job_server_jar", "")
    if not jar or not Path(jar).is_file():
        fault = f"{jar}: no such file" if jar else "the jar of the job server is not named"
        raise SettingsError(
            f"scan.beam: {fault}; `python -m deploy.flink.jars FOLDER` brings it ({COORDINATES}) by Maven,"
            " then --beam flink_job_server_jar=FOLDER/beam-flink-job-server.jar"
        )
    if not shutil.which("java"):
        raise SettingsError("scan.beam: Flink's job server needs Java 11 or 17, and no java is on the path (Debian: default-jre-headless)")
