"""Environment or a private file -> a secret that this service shows to others."""

import os
from collections.abc import Mapping
from pathlib import Path

from core.errors import SettingsError

_OTHERS = 0o077


def given_secret(name: str, file: str, setting: str, environ: Mapping[str, str] = os.environ) -> str:
    """Empty where neither is given; a file that others can read is refused."""
    if environ.get(name):
        return environ[name]
    if not file:
        return ""
    try:
        path = Path(file)
        if path.stat().st_mode & _OTHERS:
            raise SettingsError(f"{setting}: others can read {file}; take their permission away with `chmod 600`")
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise SettingsError(f"{setting}: {file} cannot be read; give a file, or set {name}") from None
