"""A cron expression, a time zone and quiet hours -> the moments at which a run is due, and at which it may start.

Daylight saving follows Debian's cron: a fixed time that is skipped runs right after the gap, one that occurs twice
runs once, and expressions with * or steps in minutes or hours follow the time that really passes.
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


class InvalidTimeError(ValueError):
    """An expression or hours that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one minute of the day up to, but not including, another; it may be on the next day."""

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
        """The moment itself, or the end of the quiet hours it falls into."""
        moment = due
        for _ in range(len(self.quiet) + 1):
            local = moment.astimezone(self.zone)
            minute = local.hour * 60 + local.minute
            hours = next((quiet for quiet in self.quiet if quiet.has(minute)), None)
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
        raise InvalidTimeError(f"{cron!r} must have five fields: minute, hour, day of month, month, day of week")
    try:
        next(CronSim(cron, datetime.now(UTC)))
    except (CronSimError, StopIteration) as error:
        raise InvalidTimeError(
            f"{cron!r} is not a cron expression that ever matches: {error or 'no such day'}"
        ) from None
    hours = tuple(_hours(text) for text in quiet)
    if hours and all(any(quiet_hours.has(minute) for quiet_hours in hours) for minute in range(_DAY_MINUTES)):
        raise InvalidTimeError("the quiet hours cover the whole day, so no run could ever start")
    return Timetable(cron, zone, hours)


def _hours(text: str) -> QuietHours:
    match = _QUIET.fullmatch(text.strip())
    if not match:
        raise InvalidTimeError(f"quiet hours {text!r} must have the form 08:00-18:00")
    end = _DAY_MINUTES if match[3] == "24:00" else int(match[4]) * 60 + int(match[5])
    start = int(match[1]) * 60 + int(match[2])
    if start == end:
        raise InvalidTimeError(f"quiet hours {text!r} start and end at the same time")
    return QuietHours(start, end)
