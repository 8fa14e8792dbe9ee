"""Which runs take place: new, changed, overlapping, missed and delayed ones, by a clock that is set by hand."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.leakscreen.hand_schedules import Place


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
    assert [event["event"] for event in place.events("finished", "interrupted")] == [
        "finished",
        "finished",
        "interrupted",
    ]


@pytest.mark.parametrize(
    ("overlap", "times", "left"),
    [("skip", ["02 01:00", "02 04:00"], 2), ("queue", ["02 01:00", "02 03:10", "02 04:00"], 0)],
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


@pytest.mark.parametrize(
    ("missed", "times", "left"), [("run-once", ["05 12:00", "06 02:00"], 0), ("skip", ["06 02:00"], 3)]
)
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
