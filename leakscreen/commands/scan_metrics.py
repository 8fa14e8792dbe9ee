"""A scan's totals -> Prometheus metrics, in a file or over HTTP; they name no file, folder or source."""

import os
import time
from typing import Any

from prometheus_client import CollectorRegistry, Gauge, start_http_server, write_to_textfile

from core.errors import SettingsError
from core.settings.service import MetricsSettings

_SECONDS_BETWEEN_FILES = 5.0
_PREFIX = "leakscreen_scan_"
_PROGRESS = {
    "files": "Files examined so far.",
    "bytes": "Bytes of those files.",
    "screened_positive": "Records that screened positive so far.",
    "referred": "Records referred so far.",
}


class ScanMetrics:
    """Observes one scan. Serves its address only after planning: workers are forked before, and must not inherit it."""

    def __init__(self, settings: MetricsSettings) -> None:
        self._settings = settings
        self._address = _address(settings.listen) if settings.listen else None
        self._registry = CollectorRegistry()
        self._gauges = {name: self._gauge(name, words) for name, words in _PROGRESS.items()}
        self._running = self._gauge("running", "Whether a scan is running.")
        self._succeeded = self._gauge("succeeded", "Whether the last scan finished and its totals reconcile.")
        self._started = self._gauge("started_timestamp_seconds", "When the scan was started.")
        self._finished = self._gauge("finished_timestamp_seconds", "When the scan ended.")
        self._planned_files = self._gauge("planned_files", "Files that the walk found.")
        self._planned_bytes = self._gauge("planned_bytes", "Bytes of those files.")
        self._records = self._gauge("records", "Records by status, once the scan is done.", "status")
        self._stages = self._gauge(
            "stage_seconds", "Seconds by stage, all workers together, once the scan is done.", "stage"
        )
        self._running.set(1)
        self._started.set(time.time())
        self._written = 0.0
        self._write()

    def planned(self, files: int, size: int) -> None:
        self._planned_files.set(files)
        self._planned_bytes.set(size)
        if self._address:
            host, port = self._address
            try:
                start_http_server(port, addr=host, registry=self._registry)
            except OSError as error:
                raise SettingsError(
                    f"metrics.listen: cannot listen on {self._settings.listen}: {error.strerror}"
                ) from None
        self._write()

    def advanced(self, totals: dict[str, Any]) -> None:
        for name, gauge in self._gauges.items():
            gauge.set(totals.get(name, 0))
        if time.monotonic() - self._written >= _SECONDS_BETWEEN_FILES:
            self._write()

    def ended(self, summary: dict[str, Any] | None) -> None:
        """`summary` is None if the scan did not finish."""
        self._running.set(0)
        self._succeeded.set(summary is not None)
        self._finished.set(time.time())
        for status, count in (summary or {}).get("status", {}).items():
            self._records.labels(status).set(count)
        for stage, figures in (summary or {}).get("stages", {}).items():
            self._stages.labels(stage).set(figures["seconds"])
        self._write()

    def _gauge(self, name: str, words: str, *labels: str) -> Gauge:
        return Gauge(_PREFIX + name, words, labels, registry=self._registry)

    def _write(self) -> None:
        """Writes to a temporary name and renames it, so that a collector never reads half a file."""
        if self._settings.file:
            self._written = time.monotonic()
            try:
                write_to_textfile(os.path.abspath(self._settings.file), self._registry)
            except OSError as error:
                raise SettingsError(
                    f"metrics.file: {self._settings.file} cannot be written: {error.strerror}"
                ) from None


def _address(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65_535:
        raise SettingsError(f"metrics.listen: {listen!r} must have the form 127.0.0.1:9108")
    return host.strip("[]"), int(port)
