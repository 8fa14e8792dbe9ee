"""A schedule, what was handled and what was running -> what to run now, what to skip, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from leakscreen.schedules.history import RunState
from leakscreen.schedules.table import Schedule

OVERLAP, MISSED = "overlap", "missed"
_LOOK_BACK = timedelta(days=31)


@dataclass(frozen=True, slots=True)
class Left:
    """Due moments that are skipped: why, the last of them, and how many."""

    reason: str
    due: datetime
    count: int


@dataclass(frozen=True, slots=True)
class Decision:
    run: datetime | None = None  # the last due moment that the run covers
    count: int = 0
    left: tuple[Left, ...] = ()


def decide(schedule: Schedule, handled: datetime, now: datetime, busy: Sequence[RunState]) -> Decision:
    """At most one run, however many moments have passed."""
    to_run: list[datetime] = []
    left: dict[str, list[datetime]] = {OVERLAP: [], MISSED: []}
    for due in schedule.times.due_after(max(handled, now - _LOOK_BACK)):
        start = schedule.times.start_of(due)
        if start > now:
            break
        if any(run.name == schedule.name and _during(start, run) for run in busy):
            (to_run if schedule.settings.overlap == "queue" else left[OVERLAP]).append(due)
        elif now - start > schedule.grace and not any(_during(start, run) for run in busy):
            (to_run if schedule.settings.missed == "run-once" else left[MISSED]).append(due)
        else:
            to_run.append(due)
    return Decision(
        to_run[-1] if to_run else None,
        len(to_run),
        tuple(Left(reason, dues[-1], len(dues)) for reason, dues in left.items() if dues),
    )


def next_start(schedule: Schedule, handled: datetime) -> datetime:
    """When the next run may start."""
    return schedule.times.start_of(next(schedule.times.due_after(handled)))


def _during(moment: datetime, run: RunState) -> bool:
    return run.ended is not None and run.started < moment <= run.ended
