"""The address of a server -> user and password, from a file that only its owner may read, or from the environment."""

import os
import stat
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from core.errors import SourceError
from core.settings import SourceSettings

PASSWORD_IN_ENV = "LEAKSCREEN_SOURCE_PASSWORD"  # noqa: S105 - a name, not a password
DEFAULT_FILE = "~/.config/leakscreen/credentials.toml"
_KEYS = {"user", "password", "key_file"}
_MOST_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Credentials:
    user: str = ""
    password: str = field(default="", repr=False)
    key_file: str = ""  # a private key, for SFTP


def split_user(server: str) -> tuple[str, str]:
    """`user@host:port` -> the user, if any, and the host with its port."""
    user, at, host = server.rpartition("@")
    return (unquote(user), host) if at else ("", server)


def split_port(host: str, port: int) -> tuple[str, int]:
    name, colon, given = host.rpartition(":")
    return (name.strip("[]"), int(given)) if colon and given.isdigit() else (host.strip("[]"), port)


def credentials_for(place: str, settings: SourceSettings) -> Credentials:
    """`place` is a store such as `smb://alice@server/share`. The longest entry of the file that it begins with counts.

    An entry may leave out the user or name one, and may leave out the names after the server.
    """
    scheme, _, rest = place.partition("://")
    server, _, below = rest.partition("/")
    user, host = split_user(server)
    found: dict[str, str] = {}
    for entry, values in sorted(_entries(settings).items(), key=lambda item: len(item[0])):
        entry_scheme, _, entry_rest = entry.partition("://")
        entry_server, _, entry_below = entry_rest.rstrip("/").partition("/")
        entry_user, entry_host = split_user(entry_server)
        named = values.get("user", entry_user)
        if (entry_scheme, entry_host) != (scheme, host) or (user and named and named != user):
            continue
        if entry_below and not f"{below}/".startswith(f"{entry_below}/"):
            continue
        found = {**values, "user": user or named}
    password = found.get("password") or os.environ.get(PASSWORD_IN_ENV, "")
    return Credentials(found.get("user") or user, password, found.get("key_file", ""))


def _entries(settings: SourceSettings) -> dict[str, dict[str, str]]:
    path = Path(settings.credentials_file or DEFAULT_FILE).expanduser()
    if not settings.credentials_file and not path.exists():
        return {}
    try:
        with path.open("rb") as opened:
            status = os.fstat(opened.fileno())
            content = opened.read(_MOST_BYTES)
    except OSError as error:
        raise SourceError(f"{path}: the credentials file cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
        raise SourceError(f"{path}: others may read the credentials file; run `chmod 600 {path}`")
    try:
        entries = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):  # whose message may quote a password
        raise SourceError(f"{path}: the credentials file is not TOML; docs/sources.md shows its form") from None
    for name, values in entries.items():
        if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
            raise SourceError(f'{path}: write each server as a table ["scheme://server"] with user and password')
        if unknown := values.keys() - _KEYS:
            raise SourceError(f"{path}: [{name!r}] has the unknown key {min(unknown)}; known are {', '.join(_KEYS)}")
    return entries
