"""Heads of the audit log <-> files beside the database and elsewhere, so that a log that was cut short shows."""

import os
from collections.abc import Iterator
from pathlib import Path

from django.db import connection

from core.errors import ReviewError
from core.log import WARNING, log_event
from core.settings import ReviewSettings
from review.audit import Head, current_head
from review.service.database import default_file

_SUFFIX = ".audit-heads"


def known_heads(review: ReviewSettings) -> list[Head]:
    return [head for path in _files(review) for head in _heads_in(path)]


def keep_head(review: ReviewSettings) -> None:
    """Adds the present head to each file, unless it is its last; beside the database a fault is only a warning."""
    head = current_head()
    if not head.number:
        return
    for path in _files(review):
        heads = _heads_in(path)
        if heads and heads[-1] == head:
            continue
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
            with os.fdopen(descriptor, "a", encoding="ascii") as file:
                file.write(f"{head.number} {head.hash}\n")
        except OSError as error:
            words = f"{path}: cannot write the head of the audit log: {error.strerror}"
            if str(path) == review.audit_anchor:
                raise ReviewError(words) from None
            log_event("audit.anchor", f"warning: {words}", level=WARNING)


def _files(review: ReviewSettings) -> Iterator[Path]:
    """Beside the database always; a file on another machine, where it is named, is what its owner cannot change."""
    if connection.vendor == "sqlite":
        yield Path(f"{connection.settings_dict['NAME']}{_SUFFIX}")
    else:
        yield default_file().with_name(f"{connection.settings_dict['NAME']}{_SUFFIX}")
    if review.audit_anchor:
        yield Path(review.audit_anchor)


def _heads_in(path: Path) -> list[Head]:
    if not path.exists():
        return []
    try:
        lines = [line.split() for line in path.read_text(encoding="ascii").splitlines() if line.strip()]
        return [Head(int(number), digest) for number, digest in lines]
    except (OSError, ValueError):
        raise ReviewError(f"{path}: not a file of audit heads; each line must hold a number and a hash") from None
