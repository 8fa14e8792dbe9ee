"""Hashes of pictures -> what was read of them, kept so that only who has the same picture can open it."""

import hashlib

MOST_KEPT = 10_000
LONGEST = 2_000  # bytes: a letterhead has fewer; whole pages come again too seldom
_HALF = 32  # bytes of a hash


class SealedTexts:
    """A parser reads files of many owners. One half of a hash of 64 bytes finds a text, the other half opens it."""

    def __init__(self) -> None:
        self._sealed: dict[bytes, bytes] = {}

    def get(self, digest: bytes) -> str | None:
        sealed = self._sealed.get(digest[:_HALF])
        return None if sealed is None else _mixed(sealed, digest[_HALF:]).decode("utf-8", "surrogatepass")

    def put(self, digest: bytes, text: str) -> None:
        data = text.encode("utf-8", "surrogatepass")
        if len(self._sealed) < MOST_KEPT and len(data) <= LONGEST:
            self._sealed[digest[:_HALF]] = _mixed(data, digest[_HALF:])


def _mixed(data: bytes, key: bytes) -> bytes:
    """A key belongs to one picture and so to one text: it is never used for a second one."""
    stream = hashlib.shake_256(key).digest(len(data))
    return bytes(one ^ other for one, other in zip(data, stream, strict=True))
