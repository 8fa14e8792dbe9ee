"""The rest of an object beyond the read limit -> memory for the parser, filled and freed window by window."""

import ctypes
import fcntl
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from core.settings import LimitSettings
from extraction.opening.object_store import Fetched, ObjectError
from extraction.opening.pace import NO_PACE, Pace

SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
_PUNCH_HOLE = 0x02 | 0x01  # the size stays
_library = ctypes.CDLL(None, use_errno=True)


class StreamedObject:
    """Stays ahead of the parser, which sees the memory grow until it is sealed against growing.

    `fetch` returns a number of bytes from a position on, of the version that the first request returned.
    """

    def __init__(
        self,
        descriptor: int,
        ready: int,
        size: int,
        fetch: Callable[[int, int], Fetched],
        limits: LimitSettings,
        pace: Pace = NO_PACE,
    ) -> None:
        self._descriptor = descriptor
        self._ready = ready
        self._end = min(size, limits.streamed_bytes)
        self._fetch = fetch
        self._limits = limits
        self._pace = pace
        self._windows = 0
        self._over = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="follow")
        self.fault = ""
        if ready < limits.window_bytes:
            self._thread.submit(self._go_on, 0)

    def release_window(self) -> None:
        """The parser has read a window and never returns to it: frees its memory and fetches another one."""
        self._windows += 1
        self._thread.submit(self._go_on, self._windows * self._limits.window_bytes)

    def close(self) -> None:
        self._over = True
        self._thread.shutdown(wait=True, cancel_futures=True)
        os.close(self._descriptor)

    def _go_on(self, read: int) -> None:
        if self.fault or self._over:
            return
        if read:
            _library.fallocate(self._descriptor, _PUNCH_HOLE, ctypes.c_long(0), ctypes.c_long(read))
        try:
            self._fetch_more()
        except ObjectError as error:
            self.fault = str(error)
        if self.fault or self._ready >= self._end:
            fcntl.fcntl(self._descriptor, fcntl.F_ADD_SEALS, SEALS)

    def _fetch_more(self) -> None:
        wanted = min(self._limits.window_bytes, self._end - self._ready)
        if wanted <= 0:
            return
        end, tries = self._ready + wanted, 2  # a connection that broke in the middle is worth a second try
        while self._ready < end:
            tries -= 1
            try:
                self._write(self._fetch(self._ready, end - self._ready))
            except ObjectError as error:
                if not tries or not error.is_passing:
                    raise

    def _write(self, fetched: Fetched) -> None:
        deadline = time.monotonic() + self._limits.file_seconds
        before = self._ready
        for chunk in fetched.chunks:
            self._ready += write_at(self._descriptor, chunk, self._ready)
            deadline += self._pace.took(len(chunk))
            if self._over or time.monotonic() > deadline:
                raise ObjectError(f"time limit ({self._limits.file_seconds:g} s) while it was fetched")
        if self._ready == before:
            raise ObjectError("the store cannot be reached (broken off)")


def write_at(descriptor: int, chunk: bytes, position: int) -> int:
    left = memoryview(chunk)
    while left:
        written = os.pwrite(descriptor, left, position)
        left, position = left[written:], position + written
    return len(chunk)
