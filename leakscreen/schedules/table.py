"""The [[schedule]] tables of the settings -> schedules that can run, or an error that names the wrong one."""

import re
from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.errors import SettingsError
from core.settings import Settings, load_settings
from core.settings.service import ScheduleSettings
from leakscreen.schedules.times import InvalidTimeError, Timetable, timetable
from review.notify.channels import configured_channels

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Schedule:
    name: str
    times: Timetable
    settings: ScheduleSettings
    out: str
    can_notify: bool  # whether a channel is configured

    @property
    def grace(self) -> timedelta:
        return timedelta(minutes=self.settings.grace_minutes)


def schedules_of(settings: Settings) -> tuple[Schedule, ...]:
    if not settings.schedule:
        raise SettingsError(
            "there is no schedule: add a [[schedule]] table with name, cron and sources to leakscreen.toml"
        )
    can_notify = bool(configured_channels(settings))
    made = tuple(
        _schedule(number, table, settings.scan.out, can_notify) for number, table in enumerate(settings.schedule, 1)
    )
    names = [schedule.name for schedule in made]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(f"schedule {name}: two schedules have this name; names must be unique")
    return made


def _schedule(number: int, settings: ScheduleSettings, out: str, can_notify: bool) -> Schedule:
    where = f"schedule {settings.name or number}"
    if not _NAME.fullmatch(settings.name):
        raise SettingsError(f"{where}: name must consist of lower-case letters, digits and dashes, at most 64")
    if not settings.sources:
        raise SettingsError(f"{where}: sources must name at least one folder or file")
    try:
        zone = ZoneInfo(settings.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SettingsError(
            f"{where}: timezone {settings.timezone!r} is unknown; use one such as UTC or Europe/Berlin"
        ) from None
    try:
        times = timetable(settings.cron, zone, settings.quiet)
    except InvalidTimeError as error:
        raise SettingsError(f"{where}: {error}") from None
    try:
        load_settings(dict(entry.partition("=")[::2] for entry in settings.settings), environ={})
    except SettingsError as error:
        raise SettingsError(f"{where}: settings: {error}") from None
    return Schedule(settings.name, times, settings, settings.out or out, can_notify)
