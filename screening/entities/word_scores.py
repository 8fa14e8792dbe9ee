"""Words of a vocabulary -> the score of every label that each adds at its own place and at its neighbours', weighed once."""

import numpy as np
from numpy.typing import NDArray

from screening.entities.attributes import OFFSETS
from screening.entities.vocabulary import Vocabulary
from screening.entities.weights import Weights, attribute_hash

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class WordScores:
    """Grows with the words that are asked for; words of another vocabulary mean a new start."""

    def __init__(self, weights: Weights) -> None:
        self._rows = dict(zip(weights.hashes.tolist(), range(1, len(weights.hashes) + 1), strict=True))
        self._dense = _dense(weights)
        self._labels = len(weights.labels)
        self._vocabulary: Vocabulary | None = None

    def of(self, words: Ints, vocabulary: Vocabulary) -> Floats:
        """By offset, number of the word and label; right for these words, and others met before."""
        if vocabulary is not self._vocabulary:
            self._vocabulary = vocabulary
            self._scores = np.zeros((len(OFFSETS), 1024, self._labels), dtype=np.float32)
            self._weighed = np.zeros(1024, dtype=bool)
        size = len(vocabulary)
        if size > len(self._weighed):
            self._scores = np.concatenate((self._scores, np.zeros((len(OFFSETS), size, self._labels), dtype=np.float32)), axis=1)
            self._weighed = np.concatenate((self._weighed, np.zeros(size, dtype=bool)))
        fresh = ~self._weighed[words]
        if fresh.any():
            self._weigh(np.unique(words[fresh]), vocabulary)
        return self._scores

    def _weigh(self, words: Ints, vocabulary: Vocabulary) -> None:
        """One sum over the weights of all attributes of all new words."""
        rows: list[int] = []
        bounds = [0]
        look_up = self._rows.get
        for number in words.tolist():
            rows.append(0)
            rows += [look_up(attribute_hash(attribute), 0) for attribute in vocabulary.described[number].attributes]
            bounds.append(len(rows))
        sums = np.add.reduceat(self._dense.take(rows, axis=0), bounds[:-1], axis=0)
        self._scores[:, words] = sums.reshape(len(words), len(OFFSETS), self._labels).transpose(1, 0, 2)
        self._weighed[words] = True


def _dense(weights: Weights) -> Floats:
    """The weights of an attribute as a row; the first row is that of attributes without any."""
    dense = np.zeros((len(weights.hashes) + 1, len(OFFSETS) * len(weights.labels)), dtype=np.float32)
    dense[np.repeat(np.arange(1, len(dense)), np.diff(weights.bounds)), weights.cells] = weights.values
    return dense
