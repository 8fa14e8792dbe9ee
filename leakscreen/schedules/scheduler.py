"""Schedules, a history and a clock -> runs at their times, one at a time, told and kept."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from leakscreen.schedules.decisions import Decision, decide, next_start
from leakscreen.schedules.history import FAILED, FINISHED, INTERRUPTED, SEEN, SKIPPED, STARTED, STEP, History, RunState
from leakscreen.schedules.steps import Note, Progress, StepFailedError, unfinished_scan
from leakscreen.schedules.table import Schedule

_ATTEMPTS = 3  # of a run that is cut off again and again
_LONGEST_NAP = 30.0
_CLOCK_WAS_WRONG = timedelta(hours=1)


class Clock(Protocol):
    def now(self) -> datetime: ...

    def wait(self, seconds: float) -> None: ...


class Runs(Protocol):
    def run(self, schedule: Schedule, progress: Progress, note: Note) -> None: ...


@dataclass(frozen=True, slots=True)
class Ready:
    """A run that can begin now."""

    schedule: Schedule
    due: datetime
    count: int
    again: RunState | None = None  # the attempt that was cut off


class Scheduler:
    def __init__(
        self, schedules: Sequence[Schedule], history: History, clock: Clock, runs: Runs, tell: Callable[[str], None]
    ) -> None:
        self._schedules = schedules
        self._history = history
        self._clock = clock
        self._runs = runs
        self._tell = tell
        self.failed = 0

    def recover(self) -> None:
        """Schedules that are new or changed count from now on; what was cut off is told so."""
        now = self._clock.now()
        for run in [run for run in self._history.runs.values() if run.ended is None]:
            self._history.add(
                INTERRUPTED, now, name=run.name, run=run.id, what="the scheduler ended in the middle of it"
            )
            self._tell(f"{run.name}: the run of {_shown(run.started)} was cut off")
        for each in self._schedules:
            state = self._history.schedules.get(each.name)
            cron, zone = each.times.cron, each.times.zone.key
            if state is not None and state.handled > now + _CLOCK_WAS_WRONG:
                self._tell(f"{each.name}: the history is ahead of the clock; it counts from now on")
            elif state is not None and (state.cron, state.zone) == (cron, zone):
                continue
            self._history.add(SEEN, now, name=each.name, cron=cron, zone=zone)

    def ready(self) -> list[Ready]:
        """What can begin now, the longest due first; nothing is written."""
        now, busy = self._clock.now(), self._history.busy()
        found = []
        for each in self._schedules:
            decision = decide(each, self._history.schedules[each.name].handled, now, busy)
            again = self._cut_off(each)
            if decision.run is not None:
                found.append(Ready(each, decision.run, decision.count, again))
            elif again is not None and each.times.start_of(now) <= now:
                found.append(Ready(each, again.due, 1, again))
        return sorted(found, key=lambda ready: (ready.due, ready.schedule.name))

    def tick(self) -> int:
        """Runs whatever is ready until nothing is; gives how many runs there were."""
        count = 0
        while True:
            self._leave()
            waiting = self.ready()
            if not waiting:
                return count
            self.start(waiting[0])
            count += 1

    def start(self, ready: Ready) -> None:
        each, again = ready.schedule, ready.again
        run, attempt = secrets.token_hex(6), again.attempt + 1 if again else 1
        progress = Progress()
        if again is not None:
            started = again.started.isoformat(timespec="seconds")
            progress = Progress(tuple(again.steps), again.folder, "" if again.steps else unfinished_scan(each, started))
        about: dict[str, Any] = {"name": each.name, "run": run}
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
        self._tell(f"{each.name}: started" + (f", attempt {attempt}" if again else ""))

        def note(step: str, folder: str, counts: dict[str, Any]) -> None:
            self._history.add(STEP, self._clock.now(), **about, step=step, folder=folder, counts=counts)

        try:
            self._runs.run(each, progress, note)
        except StepFailedError as fault:
            self.failed += 1
            self._history.add(FAILED, self._clock.now(), **about, step=fault.step, what=fault.what)
            self._tell(f"{each.name}: {fault.step} failed: {fault.what}")
        except BaseException:
            self._history.add(INTERRUPTED, self._clock.now(), **about, what="the scheduler was stopped")
            self._tell(f"{each.name}: cut off")
            raise
        else:
            self._history.add(FINISHED, self._clock.now(), **about)
            self._tell(f"{each.name}: finished")

    def forever(self) -> None:
        while True:
            self.tick()
            now = self._clock.now()
            coming = min(
                next_start(each, max(now, self._history.schedules[each.name].handled)) for each in self._schedules
            )
            self._clock.wait(min(_LONGEST_NAP, max(0.0, (coming - now).total_seconds())))

    def _leave(self) -> None:
        """Puts on record what is not made up for."""
        now, busy = self._clock.now(), self._history.busy()
        for each in self._schedules:
            decision: Decision = decide(each, self._history.schedules[each.name].handled, now, busy)
            for left in decision.left:
                if decision.run is None or left.due < decision.run:
                    self._history.add(
                        SKIPPED, now, name=each.name, due=left.due.isoformat(), reason=left.reason, count=left.count
                    )
                    self._tell(f"{each.name}: {left.count} left out ({left.reason}), the last of {_shown(left.due)}")

    def _cut_off(self, schedule: Schedule) -> RunState | None:
        last = self._history.schedules[schedule.name].last
        if last is None or last.end != INTERRUPTED or schedule.settings.missed == "skip" or last.attempt >= _ATTEMPTS:
            return None
        return last


def _shown(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="minutes")
