"""A number of bytes -> a lower limit for the address space of this process while a greedy parser runs."""

import contextlib
import mmap
import resource
from collections.abc import Iterator

_STEPS = 12


@contextlib.contextmanager
def limited_to(extra: int) -> Iterator[None]:
    """Lets the process grow by `extra` bytes; without a limit to lower, as outside the sandbox, nothing changes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        yield
        return
    lowered = min(soft, soft - _room(soft) + extra)
    resource.setrlimit(resource.RLIMIT_AS, (lowered, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _room(limit: int) -> int:
    """How much can still be mapped, by bisection: the sandbox cannot read the files under /proc that say it."""
    low, high = 0, limit
    for _ in range(_STEPS):
        middle = (low + high) // 2
        try:
            mmap.mmap(-1, middle, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ).close()
            low = middle
        except (OSError, ValueError):
            high = middle
    return low
