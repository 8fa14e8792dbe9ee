"""A buffer of lower-case words -> where each stands and its number, by arithmetic over all of them at once."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Ids = NDArray[np.int32]
Hashes = NDArray[np.uint64]

GAP = b" "
UNKNOWN = 0
_BYTES = 8  # of a word that are taken at once
_KEPT = np.array([(1 << 8 * count) - 1 for count in range(_BYTES + 1)], dtype=np.uint64)  # masks of the first bytes
_SPREAD = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class Words:
    """In the order of the buffer: where each word begins and ends, and its number."""

    start: Ints
    end: Ints
    number: Ids


class WordIds:
    """A hash table in arrays.

    No two words of the table share a hash, which is checked when it is built. Any other word shares one of them with a
    probability of about 2**-48.
    """

    def __init__(self, numbers: Mapping[bytes, int]) -> None:
        self._longest = max(map(len, numbers), default=0)
        bits = max(4, (4 * len(numbers)).bit_length())
        self._shift, self._slots = 64 - bits, (1 << bits) - 1
        self._keys = np.zeros(1 << bits, dtype=np.uint64)
        self._numbers = np.full(1 << bits, UNKNOWN, dtype=np.int32)
        self._fill(self._hashed(*_placed(GAP.join(numbers))), np.fromiter(numbers.values(), np.int32, len(numbers)))

    def _fill(self, hashes: Hashes, numbers: Ids) -> None:
        if len(np.unique(hashes)) != len(numbers):
            raise ValueError("two words share a hash, or one of them holds a gap")
        slot = self._slot(hashes)
        while len(hashes):
            free = np.flatnonzero(self._numbers[slot] == UNKNOWN)
            placed = free[np.unique(slot[free], return_index=True)[1]]
            self._keys[slot[placed]], self._numbers[slot[placed]] = hashes[placed], numbers[placed]
            left = np.delete(np.arange(len(hashes)), placed)
            hashes, numbers, slot = hashes[left], numbers[left], (slot[left] + 1) & self._slots

    def find(self, raw: bytes) -> Words:
        """The words between blanks, in order."""
        padded, start, end = _placed(raw)
        number = self._looked_up(self._hashed(padded, start, end))
        number[end - start > self._longest] = UNKNOWN
        return Words(start, end, number)

    def _hashed(self, padded: bytes, start: Ints, end: Ints) -> Hashes:
        """Mixes the bytes of each word, eight at a time, into one number.

        Words have no zero bytes, so the padding of the last eight makes no two of them equal.
        """
        at_each_byte = np.ndarray((len(padded) - _BYTES + 1,), dtype="<u8", buffer=padded, strides=(1,))
        length = end - start
        hashes: Hashes = (at_each_byte[start] & _KEPT[np.minimum(length, _BYTES)]) * np.uint64(_SPREAD)
        for taken in range(_BYTES, self._longest, _BYTES):
            longer = np.flatnonzero(length > taken)
            more = at_each_byte[start[longer] + taken] & _KEPT[np.minimum(length[longer] - taken, _BYTES)]
            hashes[longer] = (hashes[longer] ^ (hashes[longer] >> np.uint64(29)) ^ more) * np.uint64(_SPREAD)
        return hashes

    def _looked_up(self, hashes: Hashes) -> Ids:
        slot = self._slot(hashes)
        number = self._numbers[slot]
        pending = np.flatnonzero((self._keys[slot] != hashes) & (number != UNKNOWN))
        slot = slot[pending]
        while len(pending):
            slot = (slot + 1) & self._slots
            number[pending] = self._numbers[slot]
            again = (self._keys[slot] != hashes[pending]) & (number[pending] != UNKNOWN)
            pending, slot = pending[again], slot[again]
        return number

    def _slot(self, hashes: Hashes) -> Ints:
        return (hashes >> np.uint64(self._shift)).view(np.int64)


def _placed(raw: bytes) -> tuple[bytes, Ints, Ints]:
    """The buffer with room behind it, and where its words begin and end."""
    padded = b"".join((raw, GAP * _BYTES))
    gaps = np.frombuffer(padded, dtype=np.uint8) == GAP[0]
    edges = np.flatnonzero(gaps[1:] != gaps[:-1]) + 1
    if not gaps[0]:
        edges = np.concatenate((np.zeros(1, np.int64), edges))
    return padded, edges[::2], edges[1::2]
