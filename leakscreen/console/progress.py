"""A scan's totals -> progress on standard error: a bar on a terminal, plain lines or log events elsewhere."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from core.in_words import counted
from core.log import log_event, logs_json

if TYPE_CHECKING:
    from leakscreen.console.bar import Bar

_SECONDS_BETWEEN_LINES = 5.0
PREPARING = "loading rules and models, walking the sources"


class Lines:
    """Progress as plain lines, every few seconds, for logs and pipes."""

    def __init__(self) -> None:
        self._started = self._last = time.monotonic()
        self._files = 0
        print(PREPARING, file=sys.stderr, flush=True)

    def __enter__(self) -> "Lines":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def planned(self, files: int, size: int) -> None:
        self._started, self._files = time.monotonic(), files
        print(f"scanning {counted(files, 'file')}, {size / 1e6:,.1f} MB", file=sys.stderr, flush=True)

    def advanced(self, totals: dict[str, Any]) -> None:
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_LINES or totals["files"] == self._files:
            self._last = now
            print(
                f"{totals['files']:,} of {self._files:,} files, {pace_of(totals, now - self._started)}",
                file=sys.stderr,
                flush=True,
            )

    def held_back(self, words: str) -> None:
        if words:
            print(words, file=sys.stderr, flush=True)


class Events:
    """Progress as log events, every few seconds, for machines."""

    def __init__(self) -> None:
        self._last = 0.0
        log_event("scan.preparing")

    def __enter__(self) -> "Events":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def planned(self, files: int, size: int) -> None:
        log_event("scan.planned", files=files, bytes=size)

    def advanced(self, totals: dict[str, Any]) -> None:
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_LINES:
            self._last = now
            log_event(
                "scan.progress", **{name: totals[name] for name in ("files", "bytes", "screened_positive", "referred")}
            )

    def held_back(self, words: str) -> None:
        log_event("scan.held_back", by=words)


class Observers:
    """The display and the metrics of a scan; either may be missing."""

    def __init__(self, shown: "Bar | Lines | Events | None", metrics: Any) -> None:
        self._all = [observer for observer in (shown, metrics) if observer is not None]
        self._shown = shown
        self._metrics = metrics
        self._summary: dict[str, Any] | None = None

    def __enter__(self) -> "Observers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._metrics is not None:
            self._metrics.ended(self._summary)

    def planned(self, files: int, size: int) -> None:
        for observer in self._all:
            observer.planned(files, size)

    def advanced(self, totals: dict[str, Any]) -> None:
        for observer in self._all:
            observer.advanced(totals)

    def held_back(self, words: str) -> None:
        if self._shown is not None:
            self._shown.held_back(words)

    def finished(self, summary: dict[str, Any]) -> None:
        self._summary = summary
        if logs_json():
            counts = {f"status_{status}": count for status, count in summary["status"].items()}
            named = {name: summary[name] for name in ("scan_id", "files", "records", "bytes", "referred", "seconds")}
            log_event("scan.finished", **named, **counts)


def pace_of(totals: dict[str, Any], seconds: float) -> str:
    seconds = max(seconds, 1e-9)
    rate = f"{totals['files'] / seconds:,.0f} files/s, {totals['bytes'] / seconds / 1e6:,.1f} MB/s"
    return f"{rate}, {totals['screened_positive']:,} screened positive"


def short_pace_of(totals: dict[str, Any], seconds: float) -> str:
    """For a terminal of 80 columns."""
    seconds = max(seconds, 1e-9)
    rate = f"{totals['files'] / seconds:,.0f}/s {totals['bytes'] / seconds / 1e6:,.1f} MB/s"
    return f"{rate} {totals['screened_positive']:,} positive"


def observer_for(quiet: bool) -> "Bar | Lines | Events | None":
    if logs_json():
        return Events()
    if quiet:
        return None
    if not sys.stderr.isatty():
        return Lines()
    from leakscreen.console.bar import Bar

    return Bar()
