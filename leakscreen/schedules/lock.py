"""A state folder -> a lock on it that one process has at a time, and that ends with the process and its children."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from core.errors import OutputError


class HeldError(OutputError):
    """Somebody else has the lock."""


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[int]:
    """Yields the descriptor, which children inherit, so that an orphaned scan keeps the lock until it is gone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be used for the scheduler's state: {error.strerror}; give another by --state"
        ) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip() or "unknown"
            raise HeldError(
                f"{folder}: `leakscreen schedule` already runs here (process {holder}), or a scan that it started does"
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)
