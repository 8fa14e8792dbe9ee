"""A moment -> the name of its hour, day or week; a person gets at most one digest for each of them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.errors import SettingsError


def period_of(now: datetime, period: str, hour: int = 0, zone: str = "UTC") -> str:
    """Days and weeks begin at that hour of local time in the zone; hours are those of UTC."""
    if period == "hour":
        return f"hour:{now.astimezone(UTC):%Y-%m-%dT%H}"
    wall = now.astimezone(zone_of(zone, "mail.timezone")).replace(tzinfo=None) - timedelta(hours=hour)
    if period == "day":
        return f"day:{wall:%Y-%m-%d}"
    year, week, _ = wall.isocalendar()
    return f"week:{year}-{week:02}"


def is_over(last: str, present: str) -> bool:
    """Whether a new period has begun since the last one; setting a clock back begins none."""
    kind = present.partition(":")[0]
    return last < present if last.startswith(kind + ":") else True


def zone_of(name: str, setting: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SettingsError(f"{setting}: {name!r} is not a time zone; give one such as UTC or Europe/Berlin") from None
