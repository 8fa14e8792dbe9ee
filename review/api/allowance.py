"""Requests -> whether one more may be answered now: so many within a minute for each token, or address that fails."""

import threading
import time
from collections import deque

_WINDOW_SECONDS = 60.0
_MOST_KEYS = 10_000


class Allowance:
    """In this process: several processes of the service each count for themselves."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._seen: dict[str, deque[float]] = {}

    def seconds_to_wait(self, key: str, most: int) -> int:
        """0 where the request may be answered, which then counts."""
        now = time.monotonic()
        with self._turn:
            if len(self._seen) >= _MOST_KEYS:
                self._forget(now)
            times = self._seen.setdefault(key, deque())
            while times and times[0] <= now - _WINDOW_SECONDS:
                times.popleft()
            if len(times) >= most:
                return int(times[0] + _WINDOW_SECONDS - now) + 1
            times.append(now)
            return 0

    def _forget(self, now: float) -> None:
        self._seen = {key: times for key, times in self._seen.items() if times and times[-1] > now - _WINDOW_SECONDS}
