"""Servers that did not answer several times in a row -> nobody waits for them again, for a while.

Otherwise a server that goes away would cost a time-out for each of its files, and there may be millions.
"""

import threading
import time

from extraction.opening.object_store import ObjectError

_IN_A_ROW = 6
_SECONDS = 20.0  # after them one more try is made


class Outages:
    def __init__(self) -> None:
        self._faults: dict[str, tuple[int, float, str]] = {}  # how many in a row, when the last one was, its words
        self._lock = threading.Lock()

    def check(self, place: str) -> None:
        """Raises what was raised before, without asking the server."""
        count, last, words = self._faults.get(place, (0, 0.0, ""))
        if count >= _IN_A_ROW and time.monotonic() - last < _SECONDS:
            raise ObjectError(words)

    def note(self, place: str, error: ObjectError | None) -> None:
        with self._lock:
            if error is None or not error.is_passing:
                self._faults.pop(place, None)
            elif not error.is_too_busy:
                self._faults[place] = (self._faults.get(place, (0, 0.0, ""))[0] + 1, time.monotonic(), str(error))


outages = Outages()
