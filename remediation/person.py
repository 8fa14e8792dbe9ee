"""This process -> the name of the person who started it, as the system knows it."""

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

_LOGIN = Path("/proc/self/loginuid")
_NOBODY = 2**32 - 1


def person(environ: Mapping[str, str] = os.environ) -> str:
    """Who logged in, whatever account they use now; without a log-in on record, who called sudo, else this user."""
    for number in (_login(), environ.get("SUDO_UID", ""), str(os.getuid())):
        if number.isdigit():
            try:
                return pwd.getpwuid(int(number)).pw_name
            except KeyError:
                return number
    raise AssertionError("a process has a user")


def _login() -> str:
    try:
        number = _LOGIN.read_text(encoding="ascii").strip()
    except OSError:
        return ""
    return number if number.isdigit() and int(number) != _NOBODY else ""
