"""Office document under a password -> the status that says so."""

from collections.abc import Iterator

from core.records import Segment, Status
from extraction.budget import Budget
from extraction.content import Content
from extraction.directories import ENCRYPTED_OFFICE
from extraction.format import Member, StoppedError

MEDIA_TYPES = frozenset({ENCRYPTED_OFFICE})
IS_ARCHIVE = False


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    raise StoppedError(Status.ENCRYPTED, "password-protected Office document")
    yield
