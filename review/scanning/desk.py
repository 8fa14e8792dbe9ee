"""What the pages about scans need of whoever runs the service: to start a scan, to follow it, and to know schedules.

The front door supplies it, because it alone runs commands and knows schedules; a service without it shows past scans.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Job:
    """A scan that was started in the browser: the last one, or the one that runs."""

    source: str
    by: str
    started: datetime
    step: str = "preparing"  # preparing, scanning, referring, done, failed
    files: int = 0
    planned: int = 0
    screened_positive: int = 0
    referred: int = 0
    ended: datetime | None = None
    fault: str = ""  # one line, without content

    @property
    def runs(self) -> bool:
        return self.ended is None

    @property
    def percent(self) -> int:
        return min(100, 100 * self.files // self.planned) if self.planned else 0

    def as_json(self) -> dict[str, Any]:
        moments = {"started": self.started.isoformat(), "ended": self.ended.isoformat() if self.ended else None}
        return {**asdict(self), **moments, "runs": self.runs, "percent": self.percent}


@dataclass(frozen=True, slots=True)
class ScheduleLine:
    name: str
    cron: str
    zone: str
    sources: tuple[str, ...]
    settings: tuple[str, ...]  # that differ for its scans
    next: datetime
    last_started: datetime | None
    last_end: str  # finished, failed, interrupted; empty while it runs, or before its first run
    last_what: str  # why it failed


class BusyError(Exception):
    """A scan that was started here is still running."""


class Desk(Protocol):
    def sources(self) -> tuple[str, ...]:
        """What may be scanned from the browser."""
        ...

    def start(self, source: str, by: str) -> Job: ...

    def job(self) -> Job | None: ...

    def schedules(self) -> list[ScheduleLine]: ...


_installed: list[Desk] = []


def install(desk: Desk) -> None:
    """Once, before the service starts."""
    _installed[:] = [desk]


def desk() -> Desk | None:
    return _installed[0] if _installed else None
