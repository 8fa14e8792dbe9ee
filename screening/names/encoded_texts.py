"""Texts -> several of them as one run of bytes, one for each character, so that arrays look at all of them at once."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

BEYOND = ord("?")  # stands for whatever Latin-1 does not have
_TOGETHER = 200_000  # characters
_BETWEEN = "\n"  # what is looked for never reaches over the end of a line
_BEFORE, _BEHIND = 2, 4  # further ends of lines, so that every place has neighbours


class Encoded(NamedTuple):
    signs: bytes
    borders: Ints  # where each text begins

    def parted(self, places: Ints) -> Iterator[Ints]:
        """Of each text its own places, counted from where it begins; they come in order."""
        bounds = [*np.searchsorted(places, self.borders).tolist(), len(places)]
        for number, border in enumerate(self.borders.tolist()):
            yield places[bounds[number] : bounds[number + 1]] - border


def encoded_together(texts: Sequence[str]) -> Iterator[Encoded]:
    together: list[str] = []
    size = 0
    for text in texts:
        if together and size + len(text) > _TOGETHER:
            yield _encoded(together)
            together, size = [], 0
        together.append(text)
        size += len(text)
    if together:
        yield _encoded(together)


def _encoded(texts: Sequence[str]) -> Encoded:
    joined = f"{_BETWEEN * _BEFORE}{_BETWEEN.join(texts)}{_BETWEEN * _BEHIND}"
    sizes = np.array([len(text) + len(_BETWEEN) for text in texts])
    return Encoded(joined.encode("latin-1", "replace"), np.cumsum(sizes) - sizes + _BEFORE)
