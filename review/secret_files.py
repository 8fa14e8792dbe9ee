"""Environment or a private file -> a secret that this service presents to another one."""

import os
from collections.abc import Mapping
from pathlib import Path

from core.errors import SettingsError

_OTHERS = 0o077


def read_secret(name: str, file: str, setting: str, environ: Mapping[str, str] = os.environ) -> str:
    """Empty where neither is set; refuses a file that others can read."""
    if environ.get(name):
        return environ[name]
    if not file:
        return ""
    try:
        path = Path(file)
        if path.stat().st_mode & _OTHERS:
            raise SettingsError(f"{setting}: others can read {file}; remove their permission with `chmod 600`")
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise SettingsError(f"{setting}: {file} cannot be read; name a readable file, or set {name}") from None
