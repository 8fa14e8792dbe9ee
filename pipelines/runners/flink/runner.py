"""The address of a Flink master and free options -> Beam's options for a scan on it, checked first."""

import json
import logging
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from apache_beam.options.pipeline_options import FlinkRunnerOptions
from apache_beam.runners.portability.flink_runner import FlinkJarJobServer, FlinkRunner

from core.errors import LeakscreenError, SettingsError
from core.log import log_event
from core.settings import ScanSettings
from pipelines.runners.flink.job_server_jar import known_jar
from pipelines.runners.flink.jobs import cancel_jobs, rest_call

FLINK = ("flink", "FlinkRunner")
_WORKER = "leakscreen-worker"
_ENDING_WITH_PARENT = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""


class _JobServer(FlinkJarJobServer):
    """Beam's job server as a process that ends with its launcher, also when that is killed."""

    def subprocess_cmd_and_endpoint(self) -> tuple[list[str], str]:
        command, endpoint = super().subprocess_cmd_and_endpoint()
        return [sys.executable, "-S", "-c", _ENDING_WITH_PARENT, *command], endpoint


class FlinkJob(FlinkRunner):
    """Beam's Flink runner for one job; at the end of its block neither the job nor its job server is left."""

    def __init__(self, address: str, name: str) -> None:
        super().__init__()
        self._address = address
        self._name = name
        self._servers: list[Any] = []

    def default_job_server(self, options: Any) -> Any:
        flink = options.view_as(FlinkRunnerOptions)
        flink.flink_master = self._address
        self._servers.append(
            super().default_job_server(options) if flink.flink_submit_uber_jar else _JobServer(options)
        )
        return self._servers[-1]

    def __enter__(self) -> "FlinkJob":
        cancel_jobs(self._address, self._name)  # a launcher that was killed leaves its job behind
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._end_job()
        for server in self._servers:
            server.stop()
        if kind is not None:
            self._end_job()  # one that was just being handed over

    def _end_job(self) -> None:
        try:
            cancel_jobs(self._address, self._name)
        except (OSError, LeakscreenError):
            log_event(
                "flink.job_left",
                f"the Flink at {self._address} may go on with its job {self._name}",
                level=logging.ERROR,
            )


def flink_flags(settings: ScanSettings) -> dict[str, str]:
    """Defaults for what the options leave open: one task per slot, each with a worker process of the task manager."""
    options = {"flink_master": settings.flink_master, **_named(settings.beam_options)}
    options["flink_master"] = _master(options["flink_master"])
    overview = _overview(options["flink_master"])
    options |= _job_server(options, settings.flink_jars)
    wanted = {
        "parallelism": str(overview["slots-total"]),
        "sdk_worker_parallelism": str(
            -(-overview["slots-total"] // overview["taskmanagers"])
        ),  # a process for each slot of a task manager
        "environment_type": "PROCESS",
        "environment_config": json.dumps({"command": str(Path(sys.executable).with_name(_WORKER))}),
        # The job server lives for one scan: a quick start matters more than quick code.
        "job_server_jvm_properties": "-XX:TieredStopAtLevel=1",
    }
    if "environment_type" in options:
        del wanted["environment_config"]
    return {**wanted, **options}


def _named(extra: Sequence[str]) -> dict[str, str]:
    pairs = (option.lstrip("-").partition("=") for option in extra)
    return {name: value for name, _, value in pairs}


def _master(master: str) -> str:
    if not master or master.startswith("["):
        raise SettingsError(
            "scan.flink_master: a scan on Flink needs the address of its job manager: --flink-master HOST:8081"
        )
    return str(FlinkRunner.add_http_scheme(master)).rstrip("/")


def _overview(master: str) -> dict[str, Any]:
    try:
        overview: dict[str, Any] = rest_call(master, "overview")
    except (OSError, ValueError) as error:
        reason = getattr(getattr(error, "reason", error), "strerror", None) or type(error).__name__
        raise SettingsError(
            f"scan.flink_master: no Flink answers at {master} ({reason}); "
            "is its job manager running, and is this its web port?"
        ) from None
    if not overview.get("slots-total"):
        raise SettingsError(f"scan.flink_master: the Flink at {master} has no task slots; start a task manager first")
    return overview


def _job_server(options: dict[str, str], folder: str) -> dict[str, str]:
    """One that already runs, a jar of the user's own, or the jar that comes by Maven and is known."""
    if "job_endpoint" in options:
        return {}
    jar = options.get("flink_job_server_jar")
    if jar is not None and not Path(jar).is_file():
        raise SettingsError(
            f"scan.beam_options: flink_job_server_jar={jar}: no such file; leave it out to use that of scan.flink_jars"
        )
    if not shutil.which("java"):
        raise SettingsError(
            "scan.runner: Flink's job server needs Java 11 or 17; no java is on the path (Debian: default-jre-headless)"
        )
    return {"flink_job_server_jar": jar or str(known_jar(Path(folder)))}
