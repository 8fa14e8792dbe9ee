"""Decisions about mails on hold -> what Postfix is asked to do with each: release, return or delete it."""

import os
import re
import subprocess
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from core.errors import OutputError
from core.settings.gate import GateSettings

_TIME = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"mail:(\d{8}T\d{6}Z)/(\w+)")
_ARRIVAL = re.compile(rb"T.(\d{9,11}) ")  # a record of the envelope, within the first bytes of a queue file
_ENVELOPE = 4_096


class Deed(StrEnum):
    """With the option of postsuper that does it."""

    RELEASE = "-H"
    RETURN = "-f"  # to its sender, as undeliverable
    DELETE = "-d"


ON_PHI = {"return": Deed.RETURN, "delete": Deed.DELETE}


def name_of(queue_id: str, judged: datetime) -> str:
    return f"mail:{judged:{_TIME}}/{queue_id}"


def queue_id_of(uri: str, path: bytes) -> str | None:
    """The id of a mail that is still on hold; None where it is gone, or where a later mail has its id."""
    named = _NAME.fullmatch(uri)
    if named is None:
        return None
    judged = datetime.strptime(named[1], _TIME).replace(tzinfo=UTC)
    try:
        with open(path, "rb") as file:
            arrival = _ARRIVAL.search(file.read(_ENVELOPE))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OutputError(f"{os.fsdecode(path)}: cannot be read: {error.strerror}; run this command as root") from None
    return named[2] if arrival is not None and int(arrival[1]) <= judged.timestamp() + 1 else None


def ask_postfix(deed: Deed, queue_id: str, settings: GateSettings) -> None:
    where = ["-c", settings.postfix_config] if settings.postfix_config else []
    command = [_program("postsuper"), *where, deed.value, queue_id, "hold"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OutputError(f"postsuper refused: {done.stderr.strip()}; run this command as root")


def _program(name: str) -> str:
    """Administration programs are seldom on the path of a timer."""
    return next((path for folder in ("/usr/sbin", "/sbin") if Path(path := f"{folder}/{name}").exists()), name)
