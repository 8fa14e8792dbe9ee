"""A file that expands far beyond its size -> parsing stops once its processor time is used up."""

import signal
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from extraction.limits.budget import Budget

_AGAIN_SECONDS = 0.2  # a parser that swallows the exception gets it again
Result = TypeVar("Result")


class ProcessorTime:
    """Honest files expand a lot quickly, or a little slowly; bombs expand a lot and slowly."""

    def __init__(self) -> None:
        self._budget: Budget | None = None
        self._armed = False
        self._parsing = False

    def install(self) -> None:
        """Only for a process with one thread; without it nothing is watched."""
        signal.signal(signal.SIGPROF, self._look)

    def begin(self, budget: Budget) -> None:
        self._budget = budget
        budget.on_expansion = self._arm

    def end(self) -> None:
        self._budget = None
        if self._armed:
            self._armed = False
            signal.setitimer(signal.ITIMER_PROF, 0.0)

    def interruptible(self, step: Callable[[], Result]) -> Result:
        """A file can be stopped only inside `step`: a write to the parent must not be cut in two."""
        self._parsing = True
        try:
            return step()
        finally:
            self._parsing = False

    def _arm(self, budget: Budget) -> None:
        if signal.getsignal(signal.SIGPROF) == self._look:
            self._armed = True
            signal.setitimer(signal.ITIMER_PROF, budget.limits.expansion_cpu_seconds, _AGAIN_SECONDS)

    def _look(self, number: int, frame: FrameType | None) -> None:
        if self._parsing and self._budget is not None:
            self._budget.check_expansion()
