"""A step and a number of seconds -> its result, or OverTimeError where it takes longer; works in any thread."""

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc


class OverTimeError(BaseException):
    """No Exception, so that no handler inside the step takes it for a fault of its own."""


def within(seconds: float, step: Callable[[], Result]) -> Result:
    """The step is interrupted between two instructions of Python; a call into C ends first. 0: no limit."""
    if not seconds:
        return step()
    watch = _Watch(seconds)
    try:
        return step()
    finally:
        watch.end()


class _Watch:
    def __init__(self, seconds: float) -> None:
        self._thread = ctypes.c_ulong(threading.get_ident())
        self._lock = threading.Lock()
        self._ended = False
        self._rang = False
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True
        self._timer.start()

    def _ring(self) -> None:
        with self._lock:
            if not self._ended:
                self._rang = True
                _raise_in(self._thread, ctypes.py_object(OverTimeError))

    def end(self) -> None:
        """Takes back what has not been raised yet: it would hit another file."""
        with self._lock:
            self._ended = True
            if self._rang:
                _raise_in(self._thread, None)
        self._timer.cancel()
