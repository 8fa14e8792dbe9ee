"""Encrypted Office document -> the document itself if Office would open it unasked, else the status encrypted."""

import contextlib
import io
from collections.abc import Iterator
from typing import Any

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.formats.xls import DEFAULT_PASSWORD
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.media_types import ENCRYPTED_OFFICE
from extraction.readers.ole.embedded import file_member
from extraction.readers.ole.encryption import agile_key

MEDIA_TYPES = frozenset({ENCRYPTED_OFFICE})
IS_ARCHIVE = True

MOST_SPINS = 1_000_000
_MSOFFCRYPTO = LazyModule("msoffcrypto")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield file_member("content", _opened(content, (DEFAULT_PASSWORD, *budget.passwords)), budget)


def _opened(content: Content, passwords: tuple[str, ...]) -> bytes:
    for password in passwords:
        out = io.BytesIO()
        with contextlib.suppress(Exception):
            locked = _MSOFFCRYPTO.load().OfficeFile(content.file())
            _load_key(locked, password)
            locked.decrypt(out)
            return out.getvalue()
    raise StoppedError(Status.ENCRYPTED, "password-protected Office document")


def _load_key(locked: Any, password: str) -> None:
    """A hostile file may demand four billion rounds of hashing."""
    if locked.type != "agile":
        locked.load_key(password=password, verify_password=True)
        return
    if int(locked.info["spinValue"]) > MOST_SPINS:
        raise ValueError
    key = agile_key(locked.info, password)
    if key is None:
        raise ValueError
    locked.load_key(secret_key=key)
