"""Probabilities of labels -> runs of words of one kind, with a score that reads 0.5 at the kind's operating point."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from screening.entities.weights import OUTSIDE

PERSON = "PER"
UNMASKED = "_N"  # ends the labels of what needs no mask
_SURE = 1 - 1e-6


class Run(NamedTuple):  # made by the thousand
    """Words `first` to `last`, the last one not included."""

    first: int
    last: int
    kind: str
    score: float


class Scorer:
    """The labels of a model and the probability at which each kind is to be reported -> runs."""

    def __init__(self, labels: Sequence[str], points: Mapping[str, Mapping[str, float]]) -> None:
        self.kinds = tuple(label for label in labels if label != OUTSIDE and not label.endswith(UNMASKED))
        self._columns = np.array([labels.index(kind) for kind in self.kinds])
        self._exponents = {
            legal: np.array(
                [_exponent(points[name].get(kind, points[name]["any"])) for kind in self.kinds], dtype=np.float32
            )
            for legal, name in ((False, "any"), (True, "legal"))
        }

    def scores(self, chances: NDArray[np.float32], *, legal: bool) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The likeliest kind of every word, and its score.

        If kinds are masked alike, as in legal texts, it does not matter which of them a word is: they add up.
        """
        masked = chances.T[self._columns]
        highest = masked.max(axis=0)
        kinds = np.full(len(highest), len(masked) - 1, dtype=np.int64)
        for kind in reversed(range(len(masked) - 1)):  # the first of them; half the time of `argmax`
            kinds[masked[kind] == highest] = kind
        chance = masked.sum(axis=0) if legal else highest
        return kinds, np.power(np.minimum(chance, _SURE), self._exponents[legal][kinds])


def runs_of(
    kinds: NDArray[np.int64],
    scores: NDArray[np.float32],
    threshold: float,
    is_word: NDArray[np.bool_],
    names: Sequence[str],
) -> list[Run]:
    """Neighbouring words of one kind; `names` has the name of each kind number."""
    taken = scores >= threshold
    if not taken.any():
        return []
    marks = np.where(taken, kinds, -1)
    changes = np.flatnonzero(np.diff(marks)) + 1
    bounds = np.concatenate(([0], changes, [len(marks)]))
    begun = marks[bounds[:-1]] >= 0
    first, last = _trimmed(bounds[:-1][begun], bounds[1:][begun], is_word)
    sums = np.concatenate(([0.0], np.cumsum(scores, dtype=np.float64)))
    means = (sums[last] - sums[first]) / (last - first)
    return list(map(Run, first.tolist(), last.tolist(), map(names.__getitem__, marks[first].tolist()), means.tolist()))


def _trimmed(
    first: NDArray[np.int64], last: NDArray[np.int64], is_word: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Runs without the marks and white space at their ends; those of nothing else are left out."""
    words = np.flatnonzero(is_word)
    low, high = np.searchsorted(words, first), np.searchsorted(words, last)
    some = high > low
    return words[low[some]], words[high[some] - 1] + 1


def _exponent(point: float) -> float:
    return math.log(0.5) / math.log(point)
