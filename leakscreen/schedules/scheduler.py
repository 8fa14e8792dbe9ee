"""Schedules, a history and a clock -> runs at their times, one at a time, logged and recorded."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from leakscreen.schedules.decisions import Decision, decide, next_start
from leakscreen.schedules.history import FAILED, FINISHED, INTERRUPTED, SEEN, SKIPPED, STARTED, STEP, History, RunState
from leakscreen.schedules.steps import Note, Progress, StepFailedError, unfinished_scan
from leakscreen.schedules.table import Schedule

_ATTEMPTS = 3  # of a run that keeps being interrupted
_LONGEST_NAP = 30.0
_CLOCK_WAS_WRONG = timedelta(hours=1)


class Clock(Protocol):
    def now(self) -> datetime: ...

    def wait(self, seconds: float) -> None: ...


class Runs(Protocol):
    def run(self, schedule: Schedule, progress: Progress, note: Note) -> None: ...


@dataclass(frozen=True, slots=True)
class Ready:
    """A run that can start now."""

    schedule: Schedule
    due: datetime
    count: int
    again: RunState | None = None  # the interrupted attempt


class Scheduler:
    def __init__(
        self, schedules: Sequence[Schedule], history: History, clock: Clock, runs: Runs, log: Callable[[str], None]
    ) -> None:
        self._schedules = schedules
        self._history = history
        self._clock = clock
        self._runs = runs
        self._log = log
        self.failed = 0

    def recover(self) -> None:
        """Marks interrupted runs as such; new and changed schedules count from now on."""
        now = self._clock.now()
        for run in [run for run in self._history.runs.values() if run.ended is None]:
            self._history.add(INTERRUPTED, now, name=run.name, run=run.id, what="the scheduler ended during the run")
            self._log(f"{run.name}: the run of {_shown(run.started)} was interrupted")
        for schedule in self._schedules:
            state = self._history.schedules.get(schedule.name)
            cron, zone = schedule.times.cron, schedule.times.zone.key
            if state is not None and state.handled > now + _CLOCK_WAS_WRONG:
                self._log(f"{schedule.name}: its history is ahead of the clock; counting from now on")
            elif state is not None and (state.cron, state.zone) == (cron, zone):
                continue
            self._history.add(SEEN, now, name=schedule.name, cron=cron, zone=zone)

    def ready(self) -> list[Ready]:
        """Runs that can start now, the longest overdue first; writes nothing."""
        now, busy = self._clock.now(), self._history.busy()
        runs = []
        for schedule in self._schedules:
            decision = decide(schedule, self._history.schedules[schedule.name].handled, now, busy)
            again = self._interrupted_run(schedule)
            if decision.run is not None:
                runs.append(Ready(schedule, decision.run, decision.count, again))
            elif again is not None and schedule.times.start_of(now) <= now:
                runs.append(Ready(schedule, again.due, 1, again))
        return sorted(runs, key=lambda ready: (ready.due, ready.schedule.name))

    def tick(self) -> int:
        """Runs whatever is ready until nothing is; returns the number of runs."""
        count = 0
        while True:
            self._record_skipped()
            waiting = self.ready()
            if not waiting:
                return count
            self.start(waiting[0])
            count += 1

    def start(self, ready: Ready) -> None:
        schedule, again = ready.schedule, ready.again
        run, attempt = secrets.token_hex(6), again.attempt + 1 if again else 1
        progress = Progress()
        if again is not None:
            started = again.started.isoformat(timespec="seconds")
            progress = Progress(
                tuple(again.steps), again.folder, "" if again.steps else unfinished_scan(schedule, started)
            )
        about: dict[str, Any] = {"name": schedule.name, "run": run}
        kept = {"steps": list(progress.steps), "folder": progress.folder}
        self._history.add(
            STARTED,
            self._clock.now(),
            **about,
            due=ready.due.isoformat(),
            stands_for=ready.count,
            attempt=attempt,
            **kept,
        )
        self._log(f"{schedule.name}: started" + (f", attempt {attempt}" if again else ""))

        def note(step: str, folder: str, counts: dict[str, Any]) -> None:
            self._history.add(STEP, self._clock.now(), **about, step=step, folder=folder, counts=counts)

        try:
            self._runs.run(schedule, progress, note)
        except StepFailedError as fault:
            self.failed += 1
            self._history.add(FAILED, self._clock.now(), **about, step=fault.step, what=fault.what)
            self._log(f"{schedule.name}: {fault.step} failed: {fault.what}")
        except BaseException:
            self._history.add(INTERRUPTED, self._clock.now(), **about, what="the scheduler was stopped")
            self._log(f"{schedule.name}: interrupted")
            raise
        else:
            self._history.add(FINISHED, self._clock.now(), **about)
            self._log(f"{schedule.name}: finished")

    def forever(self) -> None:
        while True:
            self.tick()
            now = self._clock.now()
            coming = min(
                next_start(schedule, max(now, self._history.schedules[schedule.name].handled))
                for schedule in self._schedules
            )
            self._clock.wait(min(_LONGEST_NAP, max(0.0, (coming - now).total_seconds())))

    def _record_skipped(self) -> None:
        """Records the due moments that are skipped."""
        now, busy = self._clock.now(), self._history.busy()
        for schedule in self._schedules:
            decision: Decision = decide(schedule, self._history.schedules[schedule.name].handled, now, busy)
            for left in decision.left:
                if decision.run is None or left.due < decision.run:
                    self._history.add(
                        SKIPPED, now, name=schedule.name, due=left.due.isoformat(), reason=left.reason, count=left.count
                    )
                    self._log(f"{schedule.name}: {left.count} skipped ({left.reason}), the last at {_shown(left.due)}")

    def _interrupted_run(self, schedule: Schedule) -> RunState | None:
        last = self._history.schedules[schedule.name].last
        if last is None or last.end != INTERRUPTED or schedule.settings.missed == "skip" or last.attempt >= _ATTEMPTS:
            return None
        return last


def _shown(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="minutes")
