"""A cron expression, a time zone and quiet hours -> the moments at which a run is due, and at which it may start.

Daylight saving follows Debian's cron: a fixed time that is skipped comes right after the gap, one that comes twice counts once,
and expressions with * or steps in minutes or hours go by the time that really passes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

_QUIET = re.compile(r"([01]\d|2[0-3]):([0-5]\d)\s*-\s*(([01]\d|2[0-3]):([0-5]\d)|24:00)")
_DAY_MINUTES = 24 * 60
_FIELDS = 5


class UnfitTimeError(ValueError):
    """An expression or hours that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one minute of the day to another, which is not part of it; the second may lie on the next day."""

    start: int
    end: int

    def has(self, minute: int) -> bool:
        return self.start <= minute < self.end if self.start < self.end else minute >= self.start or minute < self.end


@dataclass(frozen=True, slots=True)
class Timetable:
    cron: str
    zone: ZoneInfo
    quiet: tuple[QuietHours, ...] = ()

    def due_after(self, moment: datetime) -> Iterator[datetime]:
        """In UTC, each later than the one before."""
        last = moment
        for local in CronSim(self.cron, moment.astimezone(self.zone)):
            due = local.astimezone(UTC)
            if due > last:
                yield due
                last = due

    def start_of(self, due: datetime) -> datetime:
        """The moment itself, or the end of the quiet hours that it lies in."""
        moment = due
        for _ in range(len(self.quiet) + 1):
            local = moment.astimezone(self.zone)
            minute = local.hour * 60 + local.minute
            hours = next((each for each in self.quiet if each.has(minute)), None)
            if hours is None:
                break
            moment = self._end(moment, local, minute, hours)
        return moment

    def _end(self, moment: datetime, local: datetime, minute: int, hours: QuietHours) -> datetime:
        days = 1 if hours.end == _DAY_MINUTES or (hours.start >= hours.end and minute >= hours.start) else 0
        wall = datetime.combine(local.date() + timedelta(days=days), time(hours.end // 60 % 24, hours.end % 60))
        ends = (wall.replace(tzinfo=self.zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        return next((end for end in ends if end > moment), moment + timedelta(hours=1))


def timetable(cron: str, zone: ZoneInfo, quiet: tuple[str, ...] = ()) -> Timetable:
    if len(cron.split()) != _FIELDS:
        raise UnfitTimeError(f"{cron!r} must have five fields: minute, hour, day of month, month, day of week")
    try:
        next(CronSim(cron, datetime.now(UTC)))
    except (CronSimError, StopIteration) as error:
        raise UnfitTimeError(
            f"{cron!r} is not a cron expression that ever comes true: {error or 'no such day'}"
        ) from None
    hours = tuple(_hours(each) for each in quiet)
    if hours and all(any(each.has(minute) for each in hours) for minute in range(_DAY_MINUTES)):
        raise UnfitTimeError("the quiet hours cover the whole day, so that no run could ever start")
    return Timetable(cron, zone, hours)


def _hours(text: str) -> QuietHours:
    found = _QUIET.fullmatch(text.strip())
    if not found:
        raise UnfitTimeError(f"quiet hours {text!r} are not of the form 08:00-18:00")
    end = _DAY_MINUTES if found[3] == "24:00" else int(found[4]) * 60 + int(found[5])
    start = int(found[1]) * 60 + int(found[2])
    if start == end:
        raise UnfitTimeError(f"quiet hours {text!r} begin and end at the same time")
    return QuietHours(start, end)
