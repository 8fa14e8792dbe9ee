"""A clock, runs and a scheduler that are moved by hand."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from core.settings import Settings
from core.settings.service import ScheduleSettings
from leakscreen.schedules.history import History
from leakscreen.schedules.scheduler import Scheduler
from leakscreen.schedules.steps import Note, Progress
from leakscreen.schedules.table import Schedule, schedules_of

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)


class HandClock:
    def __init__(self, now: datetime = MONDAY) -> None:
        self.moment = now

    def now(self) -> datetime:
        return self.moment

    def wait(self, seconds: float) -> None:
        assert seconds >= 0
        self.moment += timedelta(seconds=max(seconds, 1))

    def at(self, text: str) -> None:
        self.moment = datetime.fromisoformat(text).replace(tzinfo=UTC)


class KilledError(BaseException):
    """As if the process were gone: not even the end is written."""


class HandRuns:
    """Runs that take as long as they are told, and may fail or be killed."""

    def __init__(self, clock: HandClock) -> None:
        self.clock = clock
        self.begun: list[tuple[str, datetime]] = []
        self.progress: list[Progress] = []
        self.takes = timedelta(0)
        self.fault: Callable[[], None] | None = None

    def run(self, schedule: Schedule, progress: Progress, note: Note) -> None:
        self.begun.append((schedule.name, self.clock.now()))
        self.progress.append(progress)
        self.clock.moment += self.takes
        if self.fault is not None:
            self.fault()
        note("scan", "/out/scan=1", {"referred": 2})


class Place:
    """A scheduler that can be started again and again on one folder."""

    def __init__(self, folder: Path, *tables: dict[str, Any]) -> None:
        self.folder, self.clock = folder, HandClock()
        self.runs = HandRuns(self.clock)
        self.told: list[str] = []
        self.tables = tables

    def scheduler(self) -> Scheduler:
        usual = {"name": "nightly", "cron": "0 2 * * *", "sources": ("/srv",)}
        schedules = tuple(ScheduleSettings(**{**usual, **table}) for table in self.tables or ({},))
        made = Scheduler(
            schedules_of(Settings(schedule=schedules)), self.history(), self.clock, self.runs, self.told.append
        )
        made.recover()
        return made

    def history(self) -> History:
        return History(self.folder / "history.jsonl")

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        return [event for event in self.history().events() if event["event"] in kinds]

    def times(self) -> list[str]:
        return [f"{moment:%d %H:%M}" for _, moment in self.runs.begun]
