"""The setting review.database -> Django's description of a SQLite file or a PostgreSQL database."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from core.errors import SettingsError

_SQLITE_START = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON"
_WAIT_SECONDS = 60
_KEEP_SECONDS = 300
_CONNECT_SECONDS = 10
_FORMS = "sqlite:///path or postgresql://user@host/name"


def database(url: str, environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """An entry for Django's DATABASES; refuses a password in the address, because manifests contain the settings."""
    if not url:
        return _sqlite(default_file(environ))
    parts = urlsplit(url)
    if parts.password is not None:
        raise SettingsError("review.database: must not contain a password; use PGPASSWORD or ~/.pgpass")
    if parts.scheme == "sqlite" and parts.path not in ("", "/"):
        return _sqlite(Path("/" + unquote(parts.path).lstrip("/")))
    if parts.scheme in ("postgresql", "postgres") and len(parts.path) > 1:
        return _postgresql(
            parts.hostname or "", parts.port, unquote(parts.username or ""), unquote(parts.path[1:]), parts.query
        )
    raise SettingsError(f"review.database: {url!r} is not of the form {_FORMS}")


def default_file(environ: Mapping[str, str] = os.environ) -> Path:
    data = environ.get("XDG_DATA_HOME", "")
    folder = Path(data) if Path(data).is_absolute() else Path(environ.get("HOME") or Path.home()) / ".local" / "share"
    return folder / "leakscreen" / "review.sqlite3"


def _sqlite(path: Path) -> dict[str, Any]:
    """Every transaction waits for its turn and takes the write lock at its start, so that none fails half-way."""
    options = {"timeout": _WAIT_SECONDS, "transaction_mode": "IMMEDIATE", "init_command": _SQLITE_START}
    return {
        "ENGINE": "review.service.sqlite_turns",
        "NAME": str(path),
        "OPTIONS": options,
        "CONN_MAX_AGE": _KEEP_SECONDS,
    }


def _postgresql(host: str, port: int | None, user: str, name: str, query: str) -> dict[str, Any]:
    options = {"connect_timeout": str(_CONNECT_SECONDS), **dict(parse_qsl(query))}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": user,
        "HOST": options.pop("host", host),
        "PORT": str(port or options.pop("port", "")),
        "OPTIONS": options,
        "CONN_MAX_AGE": _KEEP_SECONDS,
        "CONN_HEALTH_CHECKS": True,
    }
