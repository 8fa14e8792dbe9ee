"""The bytes of a file of carried records -> the same records under another scan's id, without decoding one of them.

Such a file has one row group and holds the id, its first column, once: at the start, neither compressed nor in the
statistics.
"""

import hashlib

from pipelines.results.seal import BLANK, place_of_seal

_BEGINNING = 128  # bytes within which the id stands


def place_of(content: bytes | memoryview, scan_id: str) -> int | None:
    """Where the id stands, or None where it does not stand there and nowhere else."""
    encoded_id = scan_id.encode("ascii")
    at = bytes(content[:_BEGINNING]).find(len(encoded_id).to_bytes(4, "little") + encoded_id)
    if at < 0 or bytes(content).count(encoded_id) != 1:
        return None
    return at + 4


def with_scan_id(content: bytes, old: str, new: str) -> bytes | None:
    at = place_of(content, old)
    if at is None or len(old) != len(new):
        return None
    return b"".join((content[:at], new.encode("ascii"), content[at + len(old) :]))


class RecordsFingerprint:
    """One hash for the files of carried records of a scan, which is the same for every scan that carries them on."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._whole = True

    def add(self, content: bytes | memoryview, scan_id: str) -> None:
        at = place_of(content, scan_id)
        if at is None:
            self._whole = False
            return
        self._digest.update(len(content).to_bytes(8, "big"))
        self._digest.update(content[:at])
        seal = place_of_seal(content)
        if seal is None:
            self._digest.update(content[at + len(scan_id) :])
        else:  # it differs from scan to scan
            self._digest.update(content[at + len(scan_id) : seal])
            self._digest.update(content[seal + len(BLANK) :])

    @property
    def sha256(self) -> str | None:
        """None where a file cannot be carried on by its bytes."""
        return self._digest.hexdigest() if self._whole else None
