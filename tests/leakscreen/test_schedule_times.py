"""When schedules are due: time zones, clock changes, quiet hours, and tables that cannot be."""

from datetime import UTC, datetime
from itertools import islice, pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.settings import Settings
from core.settings.service import ScheduleSettings
from leakscreen.schedules.table import schedules_of
from leakscreen.schedules.times import InvalidTimeError, timetable

BERLIN, TORONTO, LORD_HOWE = ZoneInfo("Europe/Berlin"), ZoneInfo("America/Toronto"), ZoneInfo("Australia/Lord_Howe")


@pytest.mark.parametrize(
    ("cron", "zone", "after", "expected"),
    [
        ("0 2 * * *", BERLIN, "2026-03-02T00:00", ["2026-03-02T01:00", "2026-03-03T01:00"]),
        (
            "30 2 * * *",
            BERLIN,
            "2026-03-28T12:00",
            ["2026-03-29T01:00", "2026-03-30T00:30"],
        ),  # skipped: right after the gap
        ("30 2 * * *", BERLIN, "2026-10-24T12:00", ["2026-10-25T00:30", "2026-10-26T01:30"]),  # twice on the wall: once
        (
            "0 * * * *",
            BERLIN,
            "2026-10-24T23:30",
            ["2026-10-25T00:00", "2026-10-25T01:00", "2026-10-25T02:00"],
        ),  # each hour that passes
        ("0 * * * *", BERLIN, "2026-03-29T00:30", ["2026-03-29T01:00", "2026-03-29T02:00"]),
        ("30 1 * * *", TORONTO, "2026-11-01T00:00", ["2026-11-01T05:30", "2026-11-02T06:30"]),
        ("0 0 29 2 *", BERLIN, "2026-03-02T00:00", ["2028-02-28T23:00"]),
        ("0 8 * * mon#1", BERLIN, "2026-03-02T12:00", ["2026-04-06T06:00"]),
    ],
)
def test_due_moments(cron: str, zone: ZoneInfo, after: str, expected: list[str]) -> None:
    moments = timetable(cron, zone).due_after(datetime.fromisoformat(after).replace(tzinfo=UTC))
    assert [f"{moment:%Y-%m-%dT%H:%M}" for moment in islice(moments, len(expected))] == expected


@given(
    st.sampled_from(["*/7 * * * *", "0 2 * * *", "30 2,3 * * *", "15 */5 * * *", "0 0 * * sun"]),
    st.sampled_from([BERLIN, TORONTO, LORD_HOWE]),
    st.datetimes(datetime(2025, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)),
)
def test_due_moments_only_go_forward_and_starts_keep_their_order(cron: str, zone: ZoneInfo, after: datetime) -> None:
    times = timetable(cron, zone, ("01:30-02:30", "22:00-00:30"))
    dues = list(islice(times.due_after(after), 12))
    starts = [times.start_of(due) for due in dues]
    assert dues[0] > after and all(first < second for first, second in pairwise(dues))
    assert all(start >= due for start, due in zip(starts, dues, strict=True))
    assert starts == sorted(starts)
    for start in starts:
        local = start.astimezone(zone)
        assert not any(hours.has(local.hour * 60 + local.minute) for hours in times.quiet)


@pytest.mark.parametrize(
    ("quiet", "due", "start"),
    [
        (("08:00-18:00",), "2026-03-02T09:00", "2026-03-02T17:00"),
        (("08:00-18:00",), "2026-03-02T06:59", "2026-03-02T06:59"),
        (("08:00-18:00",), "2026-03-02T17:00", "2026-03-02T17:00"),
        (("22:00-06:00",), "2026-03-02T23:00", "2026-03-03T05:00"),
        (("22:00-06:00",), "2026-03-02T01:00", "2026-03-02T05:00"),
        (("08:00-12:00", "12:00-18:00"), "2026-03-02T09:00", "2026-03-02T17:00"),
        (("18:00-24:00",), "2026-03-02T19:00", "2026-03-02T23:00"),
        (("01:00-02:30",), "2026-10-25T01:15", "2026-10-25T01:30"),  # the second quarter past two
        (("01:00-02:30",), "2026-03-29T00:30", "2026-03-29T01:30"),  # their end does not exist that day
    ],
)
def test_quiet_hours_put_a_start_off(quiet: tuple[str, ...], due: str, start: str) -> None:
    moment = timetable("0 2 * * *", BERLIN, quiet).start_of(datetime.fromisoformat(due).replace(tzinfo=UTC))
    assert f"{moment:%Y-%m-%dT%H:%M}" == start


@pytest.mark.parametrize(
    ("cron", "quiet"),
    [
        *[(cron, ()) for cron in ("", "* * * *", "* * * * * *", "@daily", "61 * * * *", "0 0 30 2 *", "a b c d e")],
        *[
            ("0 2 * * *", quiet)
            for quiet in (
                ("8-18",),
                ("08:00-25:00",),
                ("08:00-08:00",),
                ("00:00-24:00",),
                ("00:00-12:00", "12:00-00:00"),
            )
        ],
    ],
)
def test_unfit_times_are_refused(cron: str, quiet: tuple[str, ...]) -> None:
    with pytest.raises(InvalidTimeError):
        timetable(cron, BERLIN, quiet)


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ({"name": "Nightly!"}, "name"),
        ({"sources": ()}, "sources"),
        ({"cron": "sometimes"}, "five fields"),
        ({"timezone": "Europe/Nowhere"}, "timezone"),
        ({"quiet": ("all day",)}, "quiet hours"),
        ({"settings": ("limits.file_secnds=3",)}, "limits.file_seconds"),
    ],
)
def test_unfit_tables_are_refused_by_name(table: dict[str, Any], what: str) -> None:
    usual = {"name": "nightly", "cron": "0 2 * * *", "sources": ("/srv",)}
    with pytest.raises(SettingsError, match="schedule ") as fault:
        schedules_of(Settings(schedule=(ScheduleSettings(**{**usual, **table}),)))
    assert what in str(fault.value)


def test_names_are_unique_and_there_must_be_one() -> None:
    one = ScheduleSettings(name="a", cron="0 2 * * *", sources=("/srv",))
    for given_schedules in ((), (one, one)):
        with pytest.raises(SettingsError):
            schedules_of(Settings(schedule=given_schedules))
