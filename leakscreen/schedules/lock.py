"""A state folder -> a lock held by one process at a time, released when it and its children have ended."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from core.errors import OutputError


class HeldError(OutputError):
    """Another process holds the lock."""


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[int]:
    """Yields the descriptor; children inherit it, so an orphaned scan keeps the lock until it ends."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be used for the scheduler's state: {error.strerror}; name another with --state"
        ) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip() or "unknown"
            raise HeldError(
                f"{folder}: `leakscreen schedule` is already running here (process {holder}), or a scan that it "
                "started does"
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)
