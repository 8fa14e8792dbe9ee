"""Places of words in encoded text -> a number for each word, looked up for all of them at once."""

import secrets
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from screening.entities.tokens import LONGEST_WORD
from screening.entities.western_tokens import ENCODING

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

_BYTES = 8  # of a half of a key
_LONGEST = 2 * _BYTES  # letters of a word; longer ones are few, and are looked up one by one
_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(_BYTES + 1)], dtype=np.uint64)
_WIDTH = 64
# Odd, and others in each process, so that nobody can write a text whose words all meet at one place.
_FACTORS = secrets.randbits(_WIDTH) | 1, secrets.randbits(_WIDTH) | 1
_FIRST_BITS = 12
_UNKNOWN = -1


class WordTable:
    """A hash table whose keys are the letters themselves, in two halves; at most half of its places are taken."""

    def __init__(self) -> None:
        self._long: dict[bytes, int] = {}
        self._empty(_FIRST_BITS)

    def _empty(self, bits: int) -> None:
        self._bits = bits
        self._one, self._two = (np.zeros(1 << bits, dtype=np.uint64) for _ in range(2))
        self._number = np.full(1 << bits, _UNKNOWN, dtype=np.int64)
        self._taken = 0

    def numbers(self, text: bytes, starts: Ints, ends: Ints, number_of: Callable[[str], int]) -> Ints:
        """`number_of` is asked once about each word that is new."""
        one, two = _keys(text, starts, ends)
        numbers = self._found(one, two)
        for place in np.flatnonzero(ends - starts > _LONGEST).tolist():
            word = text[starts[place] : ends[place]]
            number = self._long.get(word)
            if number is None:
                number = number_of(word.decode(ENCODING))
                if len(word) <= LONGEST_WORD:  # longer ones hardly recur, and would take any amount of memory
                    self._long[word] = number
            numbers[place] = number
        unknown = np.flatnonzero(numbers == _UNKNOWN)
        if len(unknown):
            numbers[unknown] = self._added(one[unknown], two[unknown], text, starts[unknown], ends[unknown], number_of)
        return numbers

    def _added(
        self, one: Keys, two: Keys, text: bytes, starts: Ints, ends: Ints, number_of: Callable[[str], int]
    ) -> list[int]:
        fresh: dict[tuple[int, int], int] = {}
        keys = list(zip(one.tolist(), two.tolist(), strict=True))
        for key, start, end in zip(keys, starts.tolist(), ends.tolist(), strict=True):
            if key not in fresh:
                fresh[key] = number_of(text[start:end].decode(ENCODING))
        halves = np.array(list(fresh), dtype=np.uint64)
        self._add(halves[:, 0], halves[:, 1], np.array(list(fresh.values()), dtype=np.int64))
        return [fresh[key] for key in keys]

    def _found(self, one: Keys, two: Keys) -> Ints:
        places = _slots(one, two, self._bits)
        numbers = self._number[places]
        left = np.flatnonzero(((self._one[places] != one) | (self._two[places] != two)) & (numbers != _UNKNOWN))
        while len(left):  # another word is there: the next place
            places[left] = (places[left] + 1) & ((1 << self._bits) - 1)
            at = places[left]
            numbers[left] = self._number[at]
            other = (self._one[at] != one[left]) | (self._two[at] != two[left])
            left = left[other & (numbers[left] != _UNKNOWN)]
        return numbers

    def _add(self, one: Keys, two: Keys, numbers: Ints) -> None:
        """Keys that are not in the table yet, each once."""
        if 2 * (self._taken + len(one)) > len(self._number):
            taken = self._number != _UNKNOWN
            before = self._one[taken], self._two[taken], self._number[taken]
            self._empty((2 * (self._taken + len(one))).bit_length())
            self._add(*before)
        places = _slots(one, two, self._bits)
        left = np.arange(len(one))
        while len(left):  # each place takes one word, and the others go on to the next
            free = left[self._number[places[left]] == _UNKNOWN]
            chosen = free[np.unique(places[free], return_index=True)[1]]
            at = places[chosen]
            self._one[at], self._two[at], self._number[at] = one[chosen], two[chosen], numbers[chosen]
            left = np.setdiff1d(left, chosen, assume_unique=True)
            places[left] = (places[left] + 1) & ((1 << self._bits) - 1)
        self._taken += len(one)


def _keys(text: bytes, starts: Ints, ends: Ints) -> tuple[Keys, Keys]:
    """The letters of each word as two numbers; a word that is shorter has zeros behind it."""
    padded = text + bytes(_LONGEST)
    at_each: Keys = np.ndarray((len(padded) - _BYTES + 1,), dtype="<u8", buffer=padded, strides=(1,))
    sizes = ends - starts
    one = at_each[starts] & _MASKS[np.minimum(sizes, _BYTES)]
    two = np.zeros(len(starts), dtype=np.uint64)
    longer = np.flatnonzero(sizes > _BYTES)
    two[longer] = at_each[starts[longer] + _BYTES] & _MASKS[np.minimum(sizes[longer] - _BYTES, _BYTES)]
    return one, two


def _slots(one: Keys, two: Keys, bits: int) -> Ints:
    mixed = one * np.uint64(_FACTORS[0]) ^ two * np.uint64(_FACTORS[1])
    return (mixed >> np.uint64(_WIDTH - bits)).astype(np.int64)
