"""Bytes as they come -> a file, or standard output, that has all of them or none."""

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from core.errors import OutputError


@contextlib.contextmanager
def whole(out: Path | None) -> Iterator[BinaryIO]:
    """A file gets its name, and standard output its first byte, only after everything was written."""
    if out is None:
        with tempfile.TemporaryFile() as kept:
            yield kept
            kept.seek(0)
            shutil.copyfileobj(kept, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return
    temporary = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, out)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {(error.strerror or type(error).__name__).lower()}") from None
