"""A step and its limits -> its result, or OverLimitError where it takes longer, or more memory; works in any thread."""

import ctypes
import os
import threading
import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")
_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_TICK_SECONDS = 0.1
_PAGE = os.sysconf("SC_PAGE_SIZE")


class StepLimits(NamedTuple):
    """0: no limit. Seconds are those of the processor, so that a busy machine finds no less. The memory is what the
    process grows by, of which a step has nearly all."""

    seconds: float = 0.0
    memory_bytes: int = 0


NO_LIMITS = StepLimits()


class OverLimitError(BaseException):
    """No Exception, so that no handler inside the step takes it for a fault of its own."""


class OverMemoryError(OverLimitError):
    pass


def within(limits: StepLimits, step: Callable[[], Result]) -> Result:
    """The step is interrupted between two instructions of Python; a call into C ends first."""
    if not limits.seconds and not limits.memory_bytes:
        return step()
    watch = _Watch(limits)
    try:
        return step()
    finally:
        watch.end()


class _Watch:
    def __init__(self, limits: StepLimits) -> None:
        self._thread = ctypes.c_ulong(threading.get_ident())
        self._limits = limits
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._rang = False
        self._clock = time.pthread_getcpuclockid(threading.get_ident())
        self._began = time.clock_gettime(self._clock)
        self._memory = _resident_bytes() if limits.memory_bytes else 0
        threading.Thread(target=self._watch, daemon=True, name="limits").start()

    def _watch(self) -> None:
        seconds, memory_bytes = self._limits
        while True:
            left = seconds - (time.clock_gettime(self._clock) - self._began) if seconds else threading.TIMEOUT_MAX
            if left <= 0:
                return self._ring(OverLimitError)
            if self._over.wait(min(left, _TICK_SECONDS) if memory_bytes else left):
                return None
            if memory_bytes and _resident_bytes() - self._memory > memory_bytes:
                return self._ring(OverMemoryError)

    def _ring(self, error: type[OverLimitError]) -> None:
        with self._lock:
            if not self._over.is_set():
                self._rang = True
                _raise_in(self._thread, ctypes.py_object(error))

    def end(self) -> None:
        """Takes back what has not been raised yet: it would hit another file."""
        with self._lock:
            self._over.set()
            if self._rang:
                _raise_in(self._thread, None)


def _resident_bytes() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * _PAGE
