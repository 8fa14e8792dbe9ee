"""Schedules that are killed, fail or start again: nothing runs twice, nothing is forgotten, one runs at a time."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.settings import Settings
from core.settings.service import ScheduleSettings
from leakscreen.schedules.lock import HeldError, locked
from leakscreen.schedules.steps import Commands, Note, Progress, StepFailedError, planned, unfinished_scan
from leakscreen.schedules.table import Schedule, schedules_of
from tests.leakscreen.hand_schedules import KilledError, Place


@pytest.mark.parametrize(("missed", "runs"), [("run-once", 2), ("skip", 1)])
def test_a_killed_run_is_told_and_by_policy_run_again(
    tmp_path: Path, missed: str, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert any("was interrupted" in line for line in place.told)


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
    words = [
        "scan",
        "--out",
        "/out",
        "--json",
        "--quiet",
        *common,
        "--set",
        "scan.workers=1",
        "--rules",
        "r.toml",
        "--",
        "/srv/a",
        "-b",
    ]
    assert commands.words("scan", schedule, "") == words
    assert commands.words("refer", schedule, "/out/scan=1") == ["refer", "/out/scan=1", "--json", *common]
    assert commands.words("notify", schedule, "/out/scan=1") == ["notify", "--json", *common]
    assert planned(schedule) == ["scan", "refer"]


def test_only_an_unfinished_scan_of_the_same_sources_is_gone_on_with(tmp_path: Path) -> None:
    table = ScheduleSettings(name="a", cron="0 2 * * *", sources=("/srv/a",), out=str(tmp_path))
    (schedule,) = schedules_of(Settings(schedule=(table,)))
    scans = {
        "1": ("/srv/a", "2026-03-01T00:00"),
        "2": ("/srv/a", "2026-03-02T00:00"),
        "3": ("/srv/b", "2026-03-02T00:00"),
    }
    for name, (source, started) in scans.items():
        (tmp_path / f"scan={name}").mkdir()
        (tmp_path / f"scan={name}" / "manifest.json").write_text(json.dumps({"sources": [source], "started": started}))
    assert unfinished_scan(schedule, "2026-03-01T12:00") == str(tmp_path / "scan=2")
    (tmp_path / "scan=2" / "summary.json").write_text("{}")
    assert unfinished_scan(schedule, "2026-03-01T12:00") == ""
