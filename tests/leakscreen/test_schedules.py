"""Schedules by a clock that is set by hand: time zones, quiet hours, policies, restarts, and one run at a time."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.settings import Settings
from core.telling_settings import ScheduleSettings
from leakscreen.schedules.history import History
from leakscreen.schedules.lock import HeldError, locked
from leakscreen.schedules.scheduler import Scheduler
from leakscreen.schedules.steps import Commands, Note, Progress, StepFailedError, planned, unfinished_scan
from leakscreen.schedules.table import Schedule, schedules_of
from leakscreen.schedules.times import UnfitTimeError, timetable

BERLIN, TORONTO, LORD_HOWE = ZoneInfo("Europe/Berlin"), ZoneInfo("America/Toronto"), ZoneInfo("Australia/Lord_Howe")
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)


class HandClock:
    def __init__(self, now: datetime = MONDAY) -> None:
        self.moment = now

    def now(self) -> datetime:
        return self.moment

    def wait(self, seconds: float) -> None:
        assert seconds >= 0
        self.moment += timedelta(seconds=max(seconds, 1))

    def at(self, text: str) -> None:
        self.moment = datetime.fromisoformat(text).replace(tzinfo=UTC)


class KilledError(BaseException):
    """As if the process were gone: not even the end is written."""


class HandRuns:
    """Runs that take as long as they are told, and may fail or be killed."""

    def __init__(self, clock: HandClock) -> None:
        self.clock = clock
        self.begun: list[tuple[str, datetime]] = []
        self.progress: list[Progress] = []
        self.takes = timedelta(0)
        self.fault: Callable[[], None] | None = None

    def run(self, schedule: Schedule, progress: Progress, note: Note) -> None:
        self.begun.append((schedule.name, self.clock.now()))
        self.progress.append(progress)
        self.clock.moment += self.takes
        if self.fault is not None:
            self.fault()
        note("scan", "/out/scan=1", {"referred": 2})


class Place:
    """A scheduler that can be started again and again on one folder."""

    def __init__(self, folder: Path, *tables: dict[str, Any]) -> None:
        self.folder, self.clock = folder, HandClock()
        self.runs = HandRuns(self.clock)
        self.told: list[str] = []
        self.tables = tables

    def scheduler(self) -> Scheduler:
        usual = {"name": "nightly", "cron": "0 2 * * *", "sources": ("/srv",)}
        given = tuple(ScheduleSettings(**{**usual, **table}) for table in self.tables or ({},))
        made = Scheduler(schedules_of(Settings(schedule=given)), self.history(), self.clock, self.runs, self.told.append)
        made.recover()
        return made

    def history(self) -> History:
        return History(self.folder / "history.jsonl")

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        return [event for event in self.history().events() if event["event"] in kinds]

    def times(self) -> list[str]:
        return [f"{moment:%d %H:%M}" for _, moment in self.runs.begun]


@pytest.mark.parametrize(
    ("cron", "zone", "after", "expected"),
    [
        ("0 2 * * *", BERLIN, "2026-03-02T00:00", ["2026-03-02T01:00", "2026-03-03T01:00"]),
        ("30 2 * * *", BERLIN, "2026-03-28T12:00", ["2026-03-29T01:00", "2026-03-30T00:30"]),  # skipped: right after the gap
        ("30 2 * * *", BERLIN, "2026-10-24T12:00", ["2026-10-25T00:30", "2026-10-26T01:30"]),  # twice on the wall: once
        ("0 * * * *", BERLIN, "2026-10-24T23:30", ["2026-10-25T00:00", "2026-10-25T01:00", "2026-10-25T02:00"]),  # each hour that passes
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
            for quiet in (("8-18",), ("08:00-25:00",), ("08:00-08:00",), ("00:00-24:00",), ("00:00-12:00", "12:00-00:00"))
        ],
    ],
)
def test_unfit_times_are_refused(cron: str, quiet: tuple[str, ...]) -> None:
    with pytest.raises(UnfitTimeError):
        timetable(cron, BERLIN, quiet)


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ({"name": "Nightly!"}, "name"),
        ({"sources": ()}, "sources"),
        ({"cron": "sometimes"}, "five fields"),
        ({"timezone": "Europe/Nowhere"}, "timezone"),
        ({"quiet": ("all day",)}, "quiet hours"),
        ({"settings": ("limits.secnds=3",)}, "limits.seconds"),
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


def test_a_new_schedule_counts_from_now_on(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.clock.at("2026-03-02T12:00")
    assert place.scheduler().tick() == 0
    place.clock.at("2026-03-03T02:05")
    assert place.scheduler().tick() == 1
    assert place.scheduler().tick() == 0
    assert [event["due"][:16] for event in place.events("started")] == ["2026-03-03T02:00"]


def test_a_changed_expression_counts_from_now_on(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.scheduler()
    place.clock.at("2026-03-02T12:00")
    place.tables = ({"cron": "0 11 * * *"},)
    assert place.scheduler().tick() == 0


def test_forever_runs_at_the_time(tmp_path: Path) -> None:
    place = Place(tmp_path, {"cron": "*/30 * * * *"})

    def enough() -> None:
        if len(place.runs.begun) == 3:
            raise KeyboardInterrupt

    place.runs.fault = enough
    with pytest.raises(KeyboardInterrupt):
        place.scheduler().forever()
    assert place.times() == ["02 00:30", "02 01:00", "02 01:30"]
    assert [event["event"] for event in place.events("finished", "interrupted")] == ["finished", "finished", "interrupted"]


@pytest.mark.parametrize(
    ("overlap", "times", "left"), [("skip", ["02 01:00", "02 04:00"], 2), ("queue", ["02 01:00", "02 03:10", "02 04:00"], 0)]
)
def test_overlap(tmp_path: Path, overlap: str, times: list[str], left: int) -> None:
    place = Place(tmp_path, {"cron": "0 * * * *", "overlap": overlap})
    scheduler = place.scheduler()
    place.runs.takes = timedelta(hours=2, minutes=10)
    place.clock.at("2026-03-02T01:00")

    def quicker() -> None:
        place.runs.takes = timedelta(minutes=1)

    place.runs.fault = quicker
    scheduler.tick()
    place.clock.at("2026-03-02T04:00")
    scheduler.tick()
    assert place.times() == times
    assert sum(event["count"] for event in place.events("skipped")) == left


@pytest.mark.parametrize(("missed", "times", "left"), [("run-once", ["05 12:00", "06 02:00"], 0), ("skip", ["06 02:00"], 3)])
def test_missed(tmp_path: Path, missed: str, times: list[str], left: int) -> None:
    place = Place(tmp_path, {"missed": missed})
    place.clock.at("2026-03-02T12:00")
    place.scheduler().tick()
    place.clock.at("2026-03-05T12:00")  # nobody was there for three nights
    place.scheduler().tick()
    place.clock.at("2026-03-06T02:00")
    place.scheduler().tick()
    assert place.times() == times
    assert sum(event["count"] for event in place.events("skipped")) == left


def test_a_run_of_another_schedule_only_delays(tmp_path: Path) -> None:
    place = Place(tmp_path, {"name": "long"}, {"name": "short", "cron": "30 2 * * *", "missed": "skip"})
    scheduler = place.scheduler()
    place.runs.takes = timedelta(hours=5)
    place.clock.at("2026-03-02T02:00")
    scheduler.tick()
    assert [(name, f"{moment:%H:%M}") for name, moment in place.runs.begun] == [("long", "02:00"), ("short", "07:00")]


def test_what_falls_into_quiet_hours_is_late_and_not_missed(tmp_path: Path) -> None:
    place = Place(tmp_path, {"cron": "0 9 * * *", "quiet": ("08:00-18:00",), "missed": "skip"})
    for moment in ("2026-03-02T00:00", "2026-03-02T09:00", "2026-03-02T17:59", "2026-03-02T18:00", "2026-03-02T18:01"):
        place.clock.at(moment)
        place.scheduler().tick()
    assert place.times() == ["02 18:00"]


@pytest.mark.parametrize(("missed", "runs"), [("run-once", 2), ("skip", 1)])
def test_a_killed_run_is_told_and_by_policy_run_again(tmp_path: Path, missed: str, runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(tmp_path, {"missed": missed})
    scheduler = place.scheduler()
    place.clock.at("2026-03-02T02:00")
    place.runs.fault = _killed
    with monkeypatch.context() as gone, pytest.raises(KilledError):
        gone.setattr(scheduler._history, "add", _only_before_the_end(scheduler._history.add))
        scheduler.tick()
    assert place.events("interrupted") == []
    place.runs.fault = None
    place.clock.at("2026-03-02T02:10")
    place.scheduler().tick()
    assert place.scheduler().tick() == 0
    assert len(place.events("interrupted")) == 1
    assert len(place.runs.begun) == runs
    assert any("cut off" in line for line in place.told)


def _killed() -> None:
    raise KilledError


def _only_before_the_end(add: Callable[..., None]) -> Callable[..., None]:
    def guarded(event: str, *words: Any, **more: Any) -> None:
        if event == "started":
            add(event, *words, **more)

    return guarded


def test_a_run_that_is_cut_off_again_and_again_is_given_up_until_it_is_due_anew(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.scheduler()
    place.clock.at("2026-03-02T02:00")
    place.runs.fault = _killed
    for _ in range(6):
        scheduler = place.scheduler()
        try:
            scheduler.tick()
        except KilledError:
            continue
    assert [event["attempt"] for event in place.events("started")] == [1, 2, 3]
    place.runs.fault = None
    place.clock.at("2026-03-03T02:00")
    place.scheduler().tick()
    assert len(place.events("finished")) == 1


def test_what_an_interrupted_run_has_done_is_not_done_again(tmp_path: Path) -> None:
    place = Place(tmp_path)
    scheduler = place.scheduler()
    place.clock.at("2026-03-02T02:00")
    run = scheduler._runs.run

    def scan_then_die(schedule: Schedule, progress: Progress, note: Note) -> None:
        run(schedule, progress, note)
        raise KilledError

    place.runs.run = scan_then_die  # type: ignore[method-assign]
    with pytest.raises(KilledError):
        scheduler.tick()
    place.runs.run = run  # type: ignore[method-assign]
    place.scheduler().tick()
    assert place.runs.progress[-1] == Progress(("scan",), "/out/scan=1")


def test_a_failed_run_is_told_and_the_next_one_comes(tmp_path: Path) -> None:
    place = Place(tmp_path)
    scheduler = place.scheduler()
    place.runs.fault = _fail
    place.clock.at("2026-03-02T02:00")
    scheduler.tick()
    assert (scheduler.failed, place.events("failed")[0]["what"]) == (1, "/srv: no such folder")
    assert place.scheduler().tick() == 0
    place.runs.fault = None
    place.clock.at("2026-03-03T02:00")
    assert place.scheduler().tick() == 1


def _fail() -> None:
    raise StepFailedError("scan", "/srv: no such folder")


def test_a_clock_that_was_far_ahead_does_not_stop_a_schedule(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.clock.at("2036-01-01T00:00")
    place.scheduler()
    place.clock.at("2026-03-02T00:00")
    place.scheduler()
    place.clock.at("2026-03-02T02:00")
    assert place.scheduler().tick() == 1
    assert any("ahead of the clock" in line for line in place.told)


@given(st.integers(0, 400))
def test_a_history_that_was_cut_off_anywhere_goes_on(size: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        place.scheduler()
        place.clock.at("2026-03-02T02:00")
        place.scheduler().tick()
        file = Path(folder) / "history.jsonl"
        os.truncate(file, min(size, file.stat().st_size))
        place.clock.at("2026-03-03T02:00")
        place.scheduler().tick()
        last = json.loads(file.read_text().splitlines()[-1])
        assert last["event"] in ("finished", "seen")
        assert all(event["event"] for event in place.history().events())


def test_a_long_history_is_trimmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leakscreen.schedules.history._TRIM_AT", 20)
    monkeypatch.setattr("leakscreen.schedules.history._KEPT", 10)
    place = Place(tmp_path)
    for day in range(2, 12):
        place.clock.at(f"2026-03-{day:02}T02:00")
        place.scheduler().tick()
    place.history().trim()
    assert [event["event"] for event in place.history().events()].count("seen") == 1
    assert len(list(place.history().events())) == 11
    assert place.scheduler().tick() == 0


def test_two_schedulers_never_run_at_once(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(HeldError, match=str(os.getpid())), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_commands_are_those_of_the_command_line(tmp_path: Path) -> None:
    table = {"sources": ("/srv/a", "-b"), "rules": ("r.toml",), "out": "/out", "settings": ("scan.workers=1",)}
    (schedule,) = schedules_of(Settings(schedule=(ScheduleSettings(name="a", cron="0 2 * * *", **table),)))  # type: ignore[arg-type]
    commands = Commands(Path("/etc/leakscreen.toml"), ["review.seed=3"], -1)
    common = ["--config", "/etc/leakscreen.toml", "--set", "review.seed=3"]
    words = ["scan", "--out", "/out", "--json", "--quiet", *common, "--set", "scan.workers=1", "--rules", "r.toml", "--", "/srv/a", "-b"]
    assert commands.words("scan", schedule, "") == words
    assert commands.words("refer", schedule, "/out/scan=1") == ["refer", "/out/scan=1", "--json", *common]
    assert commands.words("notify", schedule, "/out/scan=1") == ["notify", "--json", *common]
    assert planned(schedule) == ["scan", "refer"]


def test_only_an_unfinished_scan_of_the_same_sources_is_gone_on_with(tmp_path: Path) -> None:
    table = ScheduleSettings(name="a", cron="0 2 * * *", sources=("/srv/a",), out=str(tmp_path))
    (schedule,) = schedules_of(Settings(schedule=(table,)))
    scans = {"1": ("/srv/a", "2026-03-01T00:00"), "2": ("/srv/a", "2026-03-02T00:00"), "3": ("/srv/b", "2026-03-02T00:00")}
    for name, (source, started) in scans.items():
        (tmp_path / f"scan={name}").mkdir()
        (tmp_path / f"scan={name}" / "manifest.json").write_text(json.dumps({"sources": [source], "started": started}))
    assert unfinished_scan(schedule, "2026-03-01T12:00") == str(tmp_path / "scan=2")
    (tmp_path / "scan=2" / "summary.json").write_text("{}")
    assert unfinished_scan(schedule, "2026-03-01T12:00") == ""
