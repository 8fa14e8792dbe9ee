"""A process that handles content -> one whose memory no core dump holds and no process of its user can read."""

import ctypes
import resource

_PR_SET_DUMPABLE = 4


def forbid_dumps() -> None:
    """The limit alone is not enough: where the kernel pipes core dumps to a program, it does not count."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:  # a program that is started does not inherit this, so each one calls it
        prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
