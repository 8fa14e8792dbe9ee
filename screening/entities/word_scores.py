"""Words of a vocabulary -> the score that each adds to every label at its place and its neighbours'."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from screening.entities.attributes import OFFSETS
from screening.entities.hashes import attribute_hashes
from screening.entities.letters import letter_hashes
from screening.entities.vocabulary import Vocabulary
from screening.entities.weights import Weights

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class WordScores:
    """Grows with the words that are asked for; words of another vocabulary mean a new start."""

    def __init__(self, weights: Weights) -> None:
        self._rows = dict(zip(weights.hashes.tolist(), range(len(weights.hashes)), strict=True))
        self._dense = _dense(weights)
        self._vocabulary: Vocabulary | None = None

    def of(self, words: Ints, vocabulary: Vocabulary) -> Floats:
        """By number of the word, then offset x label; right for these words, and others met before."""
        if vocabulary is not self._vocabulary:
            self._vocabulary = vocabulary
            self._scores = np.zeros((1024, self._dense.shape[1]), dtype=np.float32)
            self._weighed = np.zeros(1024, dtype=bool)
            self._rows_of_form: dict[tuple[str, ...], list[int]] = {}
        size = len(vocabulary)
        if size > len(self._weighed):
            more = size * 3 // 2 - len(self._weighed)
            self._scores = np.concatenate((self._scores, np.zeros((more, self._dense.shape[1]), dtype=np.float32)))
            self._weighed = np.concatenate((self._weighed, np.zeros(more, dtype=bool)))
        asked = np.zeros(size, dtype=bool)
        asked[words] = True
        fresh = np.flatnonzero(asked & ~self._weighed[:size])
        if len(fresh):
            self._weigh(fresh, vocabulary)
        return self._scores

    def _weigh(self, words: Ints, vocabulary: Vocabulary) -> None:
        """One product over the weights of all attributes of all new words."""
        rows: list[int] = []
        bounds = [0]
        for number in words.tolist():
            form, own = vocabulary.attributes(number)
            if form:
                of_form = self._rows_of_form.get(form)
                if of_form is None:
                    of_form = self._rows_of_form[form] = self._rows_of(attribute_hashes(form))
                rows += of_form
                rows += self._rows_of(letter_hashes(own))
            else:
                rows += self._rows_of(attribute_hashes(own))
            bounds.append(len(rows))
        picked = np.ones(len(rows), dtype=np.float32), np.array(rows, dtype=np.int32), np.array(bounds, dtype=np.int32)
        self._scores[words] = sparse.csr_array(picked, shape=(len(words), len(self._dense))) @ self._dense
        self._weighed[words] = True

    def _rows_of(self, hashes: list[int]) -> list[int]:
        return [row for row in map(self._rows.get, hashes) if row is not None]


def _dense(weights: Weights) -> Floats:
    """The weights of each attribute as a row."""
    dense = np.zeros((len(weights.hashes), len(OFFSETS) * len(weights.labels)), dtype=np.float32)
    dense[np.repeat(np.arange(len(dense)), np.diff(weights.bounds)), weights.cells] = weights.values
    return dense
