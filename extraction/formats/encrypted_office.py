"""Office document under a password -> the document within where Office itself would open it unasked, else the status that says so."""

import io
from collections.abc import Iterator

import msoffcrypto

from core.records import Segment, Status
from extraction.budget import Budget
from extraction.content import Content
from extraction.directories import ENCRYPTED_OFFICE
from extraction.format import Member, StoppedError
from extraction.formats.xls import DEFAULT_PASSWORD
from extraction.ole_objects import file_member

MEDIA_TYPES = frozenset({ENCRYPTED_OFFICE})
IS_ARCHIVE = True

MOST_SPINS = 1_000_000


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield file_member("content", _opened(content), budget)


def _opened(content: Content) -> bytes:
    out = io.BytesIO()
    try:
        locked = msoffcrypto.OfficeFile(content.file())
        if _spins(locked) > MOST_SPINS:
            raise ValueError
        locked.load_key(password=DEFAULT_PASSWORD, verify_password=True)
        locked.decrypt(out)
    except Exception:
        raise StoppedError(Status.ENCRYPTED, "password-protected Office document") from None
    return out.getvalue()


def _spins(locked: object) -> int:
    """How often the key is hashed: a hostile file may ask for four thousand million rounds."""
    info = getattr(locked, "info", None)
    return int(info.get("spinValue", 0)) if isinstance(info, dict) else 0
