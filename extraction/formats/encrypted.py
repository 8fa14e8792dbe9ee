"""OpenPGP, CMS, age, OpenSSL or a vault -> the status encrypted, by name."""

from collections.abc import Iterator

from core.records import Status
from extraction.content import Content
from extraction.format import Piece, StoppedError
from extraction.identify.encrypted import AGE, CMS, OPENSSL, PGP, VAULT, encrypted_media_type
from extraction.limits.budget import Budget

_REASONS = {
    PGP: "encrypted by OpenPGP",
    CMS: "encrypted by S/MIME",
    AGE: "encrypted by age",
    OPENSSL: "encrypted by OpenSSL",
    VAULT: "encrypted vault",
    "application/x-keepass-encrypted": "encrypted password store",
}
MEDIA_TYPES = frozenset(_REASONS)
IS_ARCHIVE = False


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    yield from ()
    raise StoppedError(Status.ENCRYPTED, _REASONS[encrypted_media_type(content.data)])
