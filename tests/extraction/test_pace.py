"""How fast a scan reads: limits that several processes keep together, hours, and a server that slows down."""

import multiprocessing
import time
from collections.abc import Callable
from datetime import datetime

import pytest

from core.errors import SettingsError
from core.settings import ScanSettings
from extraction.opening import pace
from extraction.opening.hours import Hours
from extraction.opening.pace import Pace


def test_no_limit_means_no_wait() -> None:
    free = Pace(ScanSettings())
    began = time.monotonic()
    assert sum(free.open_file(10**9) + free.took(10**9) + free.request() for _ in range(1_000)) == 0
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("settings", "deed"),
    [
        (ScanSettings(max_files_per_second=50), Pace.open_file),
        (ScanSettings(max_bytes_per_second=50_000), lambda shared: shared.took(1_000)),
    ],
)
def test_two_processes_keep_one_limit_together(settings: ScanSettings, deed: Callable[[Pace], float]) -> None:
    shared = Pace(settings)
    context = multiprocessing.get_context("fork")

    def work() -> None:
        for _ in range(20):
            deed(shared)

    began = time.monotonic()
    workers = [context.Process(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert time.monotonic() - began >= 39 / 50  # 40 deeds, the first at once


def test_a_worker_that_dies_leaves_the_others_their_turn() -> None:
    shared = Pace(ScanSettings(max_files_per_second=1_000))

    def die() -> None:
        with shared._shared():
            import os

            os._exit(1)

    dying = multiprocessing.get_context("fork").Process(target=die)
    dying.start()
    dying.join()
    assert shared.open_file() < 1


def test_whoever_waits_gives_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_LONGEST_SLEEP", 0.02)
    signs: list[int] = []
    slow = Pace(ScanSettings(max_files_per_second=10), lambda: signs.append(1))
    slow.open_file()
    assert slow.open_file() > 0.05 and len(signs) >= 3
    slower = Pace(ScanSettings(max_bytes_per_second=1))
    assert slower.in_words() == "" and slower.took(600) == 0
    assert slower.in_words() == "held back to the pace that is set"


@pytest.mark.parametrize(
    ("spans", "clock", "allowed", "opening"),
    [
        (["20:00-06:00"], "2026-03-01 23:00", True, None),
        (["20:00-06:00"], "2026-03-01 05:59", True, None),
        (["20:00-06:00"], "2026-03-01 06:00", False, "2026-03-01 20:00"),
        (["01:00-02:00", "12:00-13:00"], "2026-03-01 02:30", False, "2026-03-01 12:00"),
        (["01:00-02:00"], "2026-12-31 02:00", False, "2027-01-01 01:00"),
    ],
)
def test_hours(spans: list[str], clock: str, allowed: bool, opening: str | None) -> None:
    hours, now = Hours.of(spans), datetime.fromisoformat(clock)
    assert hours.allow(now) is allowed
    if opening:
        assert hours.opening(now) == datetime.fromisoformat(opening)


def test_a_scan_pauses_outside_its_hours_and_goes_on_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = iter(["05:59", "06:00", "12:00", "19:59", "20:00"])

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> "Clock":
            return cls.fromisoformat(f"2026-03-01 {next(clocks)}")

    monkeypatch.setattr(pace, "datetime", Clock)
    monkeypatch.setattr(pace, "_LONGEST_SLEEP", 0.02)
    signs: list[int] = []
    nightly = Pace(ScanSettings(hours=("20:00-06:00",)), lambda: signs.append(1))
    assert nightly.open_file() == 0
    assert nightly.open_file() > 0 and len(signs) == 3  # at 6, at noon, a minute to eight
    assert next(clocks, None) is None


@pytest.mark.parametrize("wrong", ["20-06", "25:00-06:00", "08:00-08:00", "now"])
def test_hours_that_are_none_are_told(wrong: str) -> None:
    with pytest.raises(SettingsError, match=r"scan\.hours"):
        Hours.of([wrong])


def test_a_slow_server_is_asked_less_often_until_it_is_quick_again() -> None:
    gentle = Pace(ScanSettings(back_off=4))
    for _ in range(50):
        gentle.answered(0.01, 1_000)
    assert gentle.in_words() == "" and gentle.request() == 0
    for _ in range(4):
        gentle.answered(1.0, 1_000)
    assert gentle.in_words().startswith("the server is slow: one request every ")
    for _ in range(40):
        gentle.answered(0.01, 1_000)
    assert gentle.in_words() == ""


def test_a_large_answer_is_not_a_slow_one() -> None:
    gentle = Pace(ScanSettings(back_off=4))
    for _ in range(20):
        gentle.answered(0.05, 1_000)
        gentle.answered(0.9, 1 << 22)
    assert gentle.in_words() == ""
