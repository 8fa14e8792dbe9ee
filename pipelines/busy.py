"""The documents of a worker's unit -> a byte in shared memory that changes with each of them, and is 0 between units.

By it the launcher tells a worker that hangs from one that has nothing to do.
"""

import mmap
from collections.abc import Iterator
from typing import TypeVar

Item = TypeVar("Item")
_IDLE = 0
_MOST = 255
_signs: mmap.mmap | None = None
_own = -1


def shared(workers: int) -> mmap.mmap:
    """One byte a worker; made before the workers are forked."""
    global _signs
    _signs = mmap.mmap(-1, workers)
    return _signs


def belongs_to(worker: int) -> None:
    """Called in the worker, once."""
    global _own
    _own = worker


def beating(items: Iterator[Item]) -> Iterator[Item]:
    """The same items; a sign of life before the first and with each of them. Only forked workers give any."""
    beat()
    for item in items:
        beat()
        yield item


def idle() -> None:
    if _signs is not None and _own >= 0:
        _signs[_own] = _IDLE


def beat() -> None:
    """A sign of life from whatever a worker waits for."""
    if _signs is not None and _own >= 0:
        _signs[_own] = _signs[_own] % _MOST + 1
