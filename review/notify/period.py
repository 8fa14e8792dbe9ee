"""A moment -> the name of the hour, day or week that it belongs to; each person gets one digest for each of them at most."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.errors import SettingsError


def period_of(now: datetime, period: str, hour: int = 0, zone: str = "UTC") -> str:
    """Days and weeks begin at that hour by the clock on the wall there; hours are those of UTC."""
    if period == "hour":
        return f"hour:{now.astimezone(UTC):%Y-%m-%dT%H}"
    wall = now.astimezone(zone_of(zone, "mail.timezone")).replace(tzinfo=None) - timedelta(hours=hour)
    if period == "day":
        return f"day:{wall:%Y-%m-%d}"
    year, week, _ = wall.isocalendar()
    return f"week:{year}-{week:02}"


def is_over(told: str, present: str) -> bool:
    """Whether a new period has begun since the one that was told; a clock that was set back begins none."""
    kind = present.partition(":")[0]
    return told < present if told.startswith(kind + ":") else True


def zone_of(name: str, setting: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SettingsError(f"{setting}: {name!r} is not a time zone; give one such as UTC or Europe/Berlin") from None
