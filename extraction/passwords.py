"""A file with one password a line -> the passwords that locked files are tried with; they are kept nowhere else."""

import os
import stat
from pathlib import Path

from core.errors import SettingsError

MOST_BYTES = 100_000


def read_passwords(file: str) -> tuple[str, ...]:
    """Refuses a file that others may read."""
    if not file:
        return ()
    path = Path(file).expanduser()
    try:
        with path.open("rb") as opened:
            status = os.fstat(opened.fileno())
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise SettingsError(f"{path}: the passwords file cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode):
        raise SettingsError(f"{path}: the passwords file is not a regular file")
    if status.st_mode & 0o077:
        raise SettingsError(f"{path}: others may read the passwords file; run `chmod 600 {path}`")
    if len(content) > MOST_BYTES:
        raise SettingsError(f"{path}: the passwords file is larger than {MOST_BYTES:,} bytes")
    try:
        lines = content.decode().splitlines()
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: the passwords file is not UTF-8") from None
    return tuple(dict.fromkeys(line for line in lines if line))
