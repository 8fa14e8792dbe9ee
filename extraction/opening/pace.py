"""How fast a scan may read -> waits, agreed between all workers of a machine, so that a server stays quick for others.

The state is a few numbers in memory that forked workers share. A worker of an engine has a pace of its own.
"""

import fcntl
import mmap
import os
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from core.settings import ScanSettings
from extraction.opening.hours import Hours

_STATE = struct.Struct("<dddddd")
_LONGEST_SLEEP = 5.0  # between two signs of life
_SLOW_SECONDS = 0.25  # an answer that is quicker is never slow
_USUAL_BYTES = 1 << 18
_LEARNT, _FORGOTTEN = 0.3, 0.002  # weight of a new answer in the present time of answers, and in the usual one
_LONGEST_DELAY = 10.0
_current: "Pace | None" = None


@dataclass(slots=True)
class _Shared:
    next_file: float = 0.0  # on the monotonic clock: when the next file may be opened
    next_byte: float = 0.0
    delay: float = 0.0  # seconds before each request, because the server is slow
    next_request: float = 0.0
    usual: float = 0.0  # seconds that an answer takes
    present: float = 0.0


class Pace:
    """Every method waits as long as it must, and returns the seconds that it waited."""

    def __init__(self, settings: ScanSettings, alive: Callable[[], None] = lambda: None) -> None:
        self._bytes = settings.max_bytes_per_second
        self._files = settings.max_files_per_second
        self._times_slower = settings.back_off
        self._hours = Hours.of(settings.hours)
        self._alive = alive
        self._descriptor = os.memfd_create("pace", os.MFD_CLOEXEC)
        os.ftruncate(self._descriptor, mmap.PAGESIZE)
        self._memory = mmap.mmap(self._descriptor, mmap.PAGESIZE)
        self._lock = threading.Lock()

    def open_file(self, size: int = 0) -> float:
        """Before a file is opened; `size` is given where its bytes are not counted one chunk after the other."""
        waited = self._wait_for_hours()
        if self._files:
            waited += self._sleep(self._turn("next_file", 1 / self._files))
        return waited + self.took(size)

    def took(self, size: int) -> float:
        """After so many bytes were read."""
        return self._sleep(self._turn("next_byte", size / self._bytes)) if self._bytes and size else 0.0

    def request(self) -> float:
        """Before a server is asked for content."""
        with self._shared() as state:
            if not state.delay:
                return 0.0
            now = time.monotonic()
            begin = max(now, state.next_request)
            state.next_request = begin + state.delay
        return self._sleep(begin - now)

    def answered(self, seconds: float, size: int) -> None:
        """Slower answers than usual double the delay of all workers, usual ones halve it."""
        if not self._times_slower:
            return
        seconds /= max(1.0, size / _USUAL_BYTES)
        with self._shared() as state:
            state.present += (seconds - state.present) * (_LEARNT if state.usual else 1.0)
            state.usual += (seconds - state.usual) * (_FORGOTTEN if state.usual else 1.0)
            state.usual = min(state.usual, state.present)
            if state.present > max(_SLOW_SECONDS, self._times_slower * state.usual):
                state.delay = min(_LONGEST_DELAY, max(2 * state.delay, state.present))
            else:
                state.delay = state.delay / 2 if state.delay > 0.05 else 0.0

    def refused(self) -> None:
        """The server said that it has too much to do."""
        with self._shared() as state:
            state.delay = min(_LONGEST_DELAY, max(2 * state.delay, 1.0))

    def in_words(self) -> str:
        """What holds the scan back at present; empty where nothing does."""
        now = datetime.now()
        if not self._hours.allow(now):
            return f"paused until {self._hours.opening(now):%H:%M} (scan.hours)"
        with self._shared() as state:
            if state.delay:
                return f"the server is slow: one request every {state.delay:.1f} s"
            if max(state.next_byte, state.next_file) > time.monotonic():
                return "held back to the pace that is set"
        return ""

    def wait_for_hours(self, tell: Callable[[str], None]) -> None:
        """Before sources are listed."""
        if words := self.in_words():
            tell(words)
        self._wait_for_hours()

    def _wait_for_hours(self) -> float:
        waited = 0.0
        while not self._hours.allow(now := datetime.now()):
            waited += self._sleep(min(_LONGEST_SLEEP, max(0.05, (self._hours.opening(now) - now).total_seconds())))
        return waited

    def _turn(self, name: str, seconds: float) -> float:
        """Books that many seconds after those that others have booked; returns how long to wait for them."""
        with self._shared() as state:
            now = time.monotonic()
            begin = max(now, float(getattr(state, name)))
            setattr(state, name, begin + seconds)
        return begin - now

    def _sleep(self, seconds: float) -> float:
        left = seconds
        while left > 0:
            self._alive()
            time.sleep(min(left, _LONGEST_SLEEP))
            left -= _LONGEST_SLEEP
        return max(0.0, seconds)

    @contextmanager
    def _shared(self) -> Iterator[_Shared]:
        """A lock that the kernel takes back from a worker that dies."""
        with self._lock:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX)
            try:
                state = _Shared(*_STATE.unpack_from(self._memory))
                yield state
                _STATE.pack_into(self._memory, 0, *(getattr(state, name) for name in _Shared.__slots__))
            finally:
                fcntl.lockf(self._descriptor, fcntl.LOCK_UN)


NO_PACE = Pace(ScanSettings(back_off=0))


def share(settings: ScanSettings, alive: Callable[[], None]) -> Pace:
    """Made before workers are forked, so that they have it in common."""
    global _current
    _current = Pace(settings, alive)
    return _current


def shared_or(settings: ScanSettings) -> Pace:
    """In a worker: what it shares with the others, or else a pace of its own."""
    return _current or Pace(settings)
