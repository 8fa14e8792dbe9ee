"""Source, content and path -> stable ids, and risk, access and distance -> a place in the order of work."""

import hashlib

from core.access import EVERYONE
from core.records import Risk
from review.models.referral import ID_CHARACTERS

_RISKS = {Risk.HIGH: 0, Risk.MEDIUM: 1, Risk.LOW: 2, Risk.NONE: 3}
_STEP = 10**12
_DISTANCE_DIGITS = 10**9


def referral_id(source: str, sha256: str | None, uri: str, kind: str) -> str:
    """One for each content of a source; a file whose content was never hashed has one of its own."""
    return _name(kind, source, "content" if sha256 else "uri", sha256 or uri)


def path_id(referral: str, uri: str) -> str:
    return _name("path", referral, uri)


def place_of(source: str, uri: str) -> str:
    return _name("place", source, uri)


def rank_of(risk: str, distance: float | None, access: str | None = None) -> int:
    """By risk, then what everyone may read before the rest, then by health distance; files without one come last."""
    half = _STEP // 2
    begin = _RISKS[Risk(risk)] * _STEP + (0 if (access or "").startswith(EVERYONE) else half)
    return begin + (half - 1 if distance is None else min(half - 2, int(max(0.0, distance) * _DISTANCE_DIGITS)))


def ranks_of(risk: str) -> tuple[int, int]:
    """The ranks of one risk: from the first number up to, but without, the second."""
    step = _RISKS[Risk(risk)]
    return step * _STEP, (step + 1) * _STEP


def _name(*parts: str) -> str:
    joined = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:ID_CHARACTERS]
