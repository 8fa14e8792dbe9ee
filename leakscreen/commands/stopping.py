"""SIGTERM -> an orderly end: what is finished is kept, what is not is not, and the exit code says so."""

import signal
from types import FrameType

STOPPED = 128 + signal.SIGTERM


class StoppedError(BaseException):
    """Somebody asked this process to end. No KeyboardInterrupt, which the command line would take for its own."""


class _Asked:
    to_stop = False


def end_on_sigterm() -> None:
    signal.signal(signal.SIGTERM, _stop)


def was_stopped() -> bool:
    """Whatever a library made of the exception on its way up."""
    return _Asked.to_stop


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not disturb the tidying up
    _Asked.to_stop = True
    raise StoppedError
