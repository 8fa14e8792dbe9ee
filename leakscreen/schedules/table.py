"""The tables [[schedule]] of the settings -> schedules that can be run, or what is wrong with which of them."""

import re
from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.errors import SettingsError
from core.settings import Settings, load_settings
from core.settings.service import ScheduleSettings
from leakscreen.schedules.times import Timetable, UnfitTimeError, timetable
from review.notify.channels import configured_channels

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Schedule:
    name: str
    times: Timetable
    settings: ScheduleSettings
    out: str
    tells: bool  # whether there is anything to notify by

    @property
    def grace(self) -> timedelta:
        return timedelta(minutes=self.settings.grace_minutes)


def schedules_of(settings: Settings) -> tuple[Schedule, ...]:
    if not settings.schedule:
        raise SettingsError(
            "there is no schedule: write a table [[schedule]] with name, cron and sources into leakscreen.toml"
        )
    tells = bool(configured_channels(settings))
    made = tuple(_schedule(number, each, settings.scan.out, tells) for number, each in enumerate(settings.schedule, 1))
    names = [each.name for each in made]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(f"schedule {name}: two schedules have this name; give each its own")
    return made


def _schedule(number: int, given: ScheduleSettings, out: str, tells: bool) -> Schedule:
    where = f"schedule {given.name or number}"
    if not _NAME.fullmatch(given.name):
        raise SettingsError(f"{where}: name must have lower-case letters, digits and dashes, 64 at most")
    if not given.sources:
        raise SettingsError(f"{where}: sources must name at least one folder or file")
    try:
        zone = ZoneInfo(given.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SettingsError(
            f"{where}: timezone {given.timezone!r} is not known; give one such as UTC or Europe/Berlin"
        ) from None
    try:
        times = timetable(given.cron, zone, given.quiet)
    except UnfitTimeError as error:
        raise SettingsError(f"{where}: {error}") from None
    try:
        load_settings(dict(entry.partition("=")[::2] for entry in given.settings), environ={})
    except SettingsError as error:
        raise SettingsError(f"{where}: settings: {error}") from None
    return Schedule(given.name, times, given, given.out or out, tells)
