"""The progress line keeps its numbers on a terminal of 80 columns, and its time left does not jump."""

import io
from itertools import pairwise

import pytest
from rich.console import Console

from leakscreen.console.bar import Bar, TimeLeft


def totals(files: int, size: int = 0) -> dict[str, int]:
    return {"files": files, "bytes": size, "screened_positive": 12_345}


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_no_number_is_lost_on_a_narrow_terminal(width: int) -> None:
    sink = io.StringIO()
    console = Console(file=sink, width=width, force_terminal=True, color_system=None)
    with Bar(console) as shown:
        shown.planned(1_000_000, 2_000_000_000)
        shown._started -= 120  # two minutes ago
        shown._left._started -= 120
        shown.advanced(totals(123_456, 250_000_000))
        shown._progress.refresh()
    line = next(each for each in reversed(sink.getvalue().splitlines()) if "MB/s" in each)
    for number in ("123456/1000000", "MB/s", "12,345", "left "):
        assert number in line, line
    assert "…" not in line


def test_time_left_runs_down_between_units_and_does_not_double(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    left = TimeLeft()
    left.planned(1_000, 1_000_000)
    assert left.seconds() is None
    told = []
    for step in range(1, 101):
        now = float(step)
        if step % 25 == 0:  # a burst of units after a long silence
            left.advanced(totals(step * 10, step * 10_000))
        if (seconds := left.seconds()) is not None:
            told.append(seconds)
    assert told[0] == pytest.approx(75.0)
    assert all(later <= before for before, later in pairwise(told))
    assert told[-1] == 0.0


def test_large_files_count_by_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    left = TimeLeft()
    left.planned(100, 1_000)
    now = 10.0
    left.advanced(totals(90, 100))  # almost all files, but the largest are still to come
    assert left.seconds() == pytest.approx(10.0)
