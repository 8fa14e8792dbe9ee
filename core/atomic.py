"""Bytes -> a file, or standard output, that has all of them or none: a temporary name, fsync, and a rename."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from core.errors import OutputError

PRIVATE = 0o600  # what leakscreen writes names files and people: it is for its owner alone


@contextlib.contextmanager
def atomic_file(path: str | Path, mode: int = PRIVATE) -> Iterator[BinaryIO]:
    """A file that gets its name when everything is written and on the disk; if that fails, nothing is left of it.

    The temporary name is random: two processes that write the same file do not write into each other's.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.urandom(16).hex()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def write_atomically(path: str | Path, content: bytes | memoryview, mode: int = PRIVATE) -> None:
    with atomic_file(path, mode) as file:
        file.write(content)


@contextlib.contextmanager
def whole_output(out: Path | None) -> Iterator[BinaryIO]:
    """A file, or without one standard output, which gets its first byte only after everything was written."""
    if out is None:
        import shutil  # these two cost time at the start of every scan
        import tempfile

        with tempfile.TemporaryFile() as kept:
            yield kept
            kept.seek(0)
            shutil.copyfileobj(kept, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return
    try:
        with atomic_file(out) as file:
            yield file
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {(error.strerror or type(error).__name__).lower()}") from None
