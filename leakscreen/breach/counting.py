"""What the review service knows -> the facts of its breach report, counted in the background after each change."""

import logging
import time
from collections.abc import Callable
from threading import Lock, Thread
from typing import Any, NamedTuple

from core.errors import LeakscreenError
from leakscreen.breach.facts import facts_of
from review.breach.reporting import BeingCountedError

_PATIENCE = 0.4  # seconds that requests wait for a count that was just begun: few people are counted within them
Counted = dict[str, Any]


class Asked(NamedTuple):
    """Differs as soon as anything that the report counts was changed; and how to count it, without the database."""

    state: Any
    work: Callable[[], Counted]


class CountInBackground:
    """The last facts, and at most one thread that counts newer ones."""

    def __init__(self, patience: float = _PATIENCE) -> None:
        self._patience = patience
        self._lock = Lock()
        self._state: Any = None
        self._facts: Counted | None = None
        self._running: _Count | None = None

    def newest(self, state: Any, ask: Callable[[], Callable[[], Counted]]) -> Counted:
        """The facts of this state; raises BeingCountedError, which has those before, where they take longer."""
        for _ in range(2):  # a count of an older state may be running
            with self._lock:
                if self._facts is not None and self._state == state:
                    return self._facts
                running = self._running = self._running or _Count(Asked(state, ask()))
            running.join(max(0.0, self._patience - (time.monotonic() - running.since)))
            if running.is_alive():
                break
            with self._lock:
                if self._running is running:
                    self._running = None
                if running.fault is not None and running.asked.state == state:
                    raise running.fault
                if running.facts is not None:
                    self._state, self._facts = running.asked.state, running.facts
                    if self._state == state:
                        return self._facts
        raise BeingCountedError(self._facts)


class _Count(Thread):
    def __init__(self, asked: Asked) -> None:
        super().__init__(name="breach report", daemon=True)
        self.asked = asked
        self.since = time.monotonic()
        self.facts: Counted | None = None
        self.fault: LeakscreenError | None = None
        self.start()

    def run(self) -> None:
        try:
            self.facts = self.asked.work()
        except LeakscreenError as error:
            self.fault = error
        except Exception:
            logging.getLogger(__name__).exception("the breach report cannot be counted")
            self.fault = LeakscreenError("the report cannot be counted; the log of the service says why")


def ask_of_reviews() -> Callable[[], Counted]:
    """What reviewers decided is read at once; counting reads only results of scans."""
    from leakscreen.breach.reviewed import existing, read_reviews, scans_in_question

    folders, reviewed = existing(scans_in_question()), read_reviews()
    return lambda: facts_of(folders, None, reviewed)
