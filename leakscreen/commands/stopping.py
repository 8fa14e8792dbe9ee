"""SIGTERM -> an orderly end: finished work is kept, and the exit code shows that the process was stopped."""

import signal
from types import FrameType

STOPPED = 128 + signal.SIGTERM


class StoppedError(BaseException):
    """SIGTERM arrived. Not a KeyboardInterrupt, because typer would catch that."""


class _Asked:
    to_stop = False


def end_on_sigterm() -> None:
    signal.signal(signal.SIGTERM, _stop)


def was_stopped() -> bool:
    """True even if a library replaced the exception on its way up."""
    return _Asked.to_stop


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not interrupt the clean-up
    _Asked.to_stop = True
    raise StoppedError
