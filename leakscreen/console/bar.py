"""A scan's totals -> a progress bar on a terminal."""

import time
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from leakscreen.console.progress import PREPARING, pace_of, short_pace_of

_WIDE = 120  # columns of a terminal that has room for a bar and for words


class TimeLeft:
    """Part of the work that is done -> seconds that the rest will take, at the pace of the whole scan so far.

    Units end in bursts, so that the pace of the last seconds would jump; between two of them the time runs down.
    """

    def __init__(self) -> None:
        self._started = self._last = time.monotonic()
        self._files = self._bytes = 0
        self._left: float | None = None

    def planned(self, files: int, size: int) -> None:
        self._started = self._last = time.monotonic()
        self._files, self._bytes = files, size

    def advanced(self, totals: dict[str, Any]) -> None:
        """Many small files take time by their number, and large ones by their size: the mean of both counts."""
        shares = [totals["files"] / self._files] if self._files else []
        shares += [min(1.0, totals["bytes"] / self._bytes)] if self._bytes else []
        done = sum(shares) / len(shares) if shares else 0.0
        self._last = time.monotonic()
        self._left = (self._last - self._started) * (1 - done) / done if done > 0 else None

    def seconds(self) -> float | None:
        return None if self._left is None else max(0.0, self._left - (time.monotonic() - self._last))


class _LeftColumn(ProgressColumn):
    max_refresh = 0.5

    def __init__(self, left: TimeLeft) -> None:
        super().__init__()
        self._time = left

    def render(self, task: Task) -> Text:
        seconds = self._time.seconds()
        if seconds is None:
            return Text("left –:––:––", style="progress.remaining")
        minutes, rest = divmod(int(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return Text(f"left {hours}:{minutes:02}:{rest:02}", style="progress.remaining")


class Bar:
    """The progress bar for people: files, files/s, MB/s, screened positive so far, time left.

    It draws in a thread, which it starts only after planning, because worker processes are forked before.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._started = time.monotonic()
        self._left = TimeLeft()
        console = console or Console(stderr=True)
        self._wide = console.width >= _WIDE
        words: tuple[ProgressColumn, ...] = (
            (TextColumn("{task.description}"), BarColumn()) if self._wide else (TaskProgressColumn(),)
        )
        self._progress = Progress(
            SpinnerColumn(),
            *words,
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TimeElapsedColumn(),
            _LeftColumn(self._left),
            console=console,
        )
        self._progress.console.print(PREPARING)
        self._task = self._progress.add_task("Walking", total=None, pace="")

    def __enter__(self) -> "Bar":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def planned(self, files: int, size: int) -> None:
        self._started = time.monotonic()
        self._left.planned(files, size)
        self._progress.start()
        self._progress.reset(self._task, total=files, description="Scanning")

    def advanced(self, totals: dict[str, Any]) -> None:
        seconds = time.monotonic() - self._started
        self._left.advanced(totals)
        pace = pace_of(totals, seconds) if self._wide else short_pace_of(totals, seconds)
        self._progress.update(self._task, completed=totals["files"], pace=pace)

    def held_back(self, words: str) -> None:
        self._progress.update(self._task, description=words or "Scanning")
        if words:
            self._progress.console.print(words)
