"""A scan's totals -> a progress bar on a terminal."""

import time
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from leakscreen.console.progress import PREPARING, pace_of


class Bar:
    """The progress bar for people: files, files/s, MB/s, screened positive so far, time left.

    It draws in a thread, which it starts only after planning, because worker processes are forked before.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
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
        self._progress.start()
        self._progress.reset(self._task, total=files, description="Scanning")

    def advanced(self, totals: dict[str, Any]) -> None:
        pace = pace_of(totals, time.monotonic() - self._started)
        self._progress.update(self._task, completed=totals["files"], pace=pace)
