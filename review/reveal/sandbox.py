"""Reveals, one after the other -> one sandbox that starts with the first and ends soon after the last."""

import atexit
import contextlib
import threading
from collections.abc import Iterator

from core.settings import LimitSettings, OcrSettings, Settings
from extraction.sandbox import Sandbox

IDLE_SECONDS = 300.0
MOST_WAITING = 2  # reveals: each holds one of the threads that answer requests
_Kind = tuple[LimitSettings, OcrSettings, bool, str]


class BusyError(Exception):
    """Enough reveals are waiting already."""


class SandboxOnCall:
    """Starting a sandbox takes seconds, forking a child from it milliseconds; so it stays, with a new child a file."""

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._turn = threading.Lock()
        self._places = threading.BoundedSemaphore(1 + MOST_WAITING)
        self._sandbox: Sandbox | None = None
        self._kind: _Kind | None = None
        self._closing: threading.Timer | None = None

    @contextlib.contextmanager
    def borrowed(self, settings: Settings, *, waits: bool = True) -> Iterator[Sandbox]:
        """For one request at a time; a few others wait, and beyond them nobody."""
        if not self._places.acquire(blocking=False):
            raise BusyError
        try:
            with self._taken(settings, waits) as sandbox:
                yield sandbox
        finally:
            self._places.release()

    @contextlib.contextmanager
    def _taken(self, settings: Settings, waits: bool) -> Iterator[Sandbox]:
        kind = (
            settings.limits,
            settings.ocr,
            settings.privacy.sandbox == "require",
            settings.extraction.passwords_file,
        )
        if not self._turn.acquire(blocking=waits):
            raise BusyError
        try:
            if self._closing is not None:
                self._closing.cancel()
            sandbox = self._ready(kind)
            try:
                yield sandbox
            finally:
                sandbox.rest()
                self._closing = threading.Timer(self._idle_seconds, self.close)
                self._closing.daemon = True
                self._closing.start()
        finally:
            self._turn.release()

    def _ready(self, kind: _Kind) -> Sandbox:
        if self._sandbox is None or self._kind != kind:
            self._end()
            limits, ocr, require, passwords_file = kind
            self._sandbox = Sandbox(limits, ocr=ocr, require=require, passwords_file=passwords_file)
            self._kind = kind
        return self._sandbox

    def close(self) -> None:
        with self._turn:
            self._end()

    @property
    def is_open(self) -> bool:
        return self._sandbox is not None

    def _end(self) -> None:
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.close()


_on_call = SandboxOnCall()
atexit.register(_on_call.close)


def borrowed_sandbox(settings: Settings) -> contextlib.AbstractContextManager[Sandbox]:
    return _on_call.borrowed(settings)


def idle_sandbox(settings: Settings) -> contextlib.AbstractContextManager[Sandbox]:
    """For what nobody waits for: a reveal goes before it."""
    return _on_call.borrowed(settings, waits=False)
