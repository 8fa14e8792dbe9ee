"""Weights and a text -> the probability of every label at every word; scores of words are kept, so that a word is weighed once."""

import threading
from collections.abc import Mapping
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from screening.entities.attributes import OFFSETS
from screening.entities.lattice import marginals
from screening.entities.reading import REACH, Reading, Vocabulary, read
from screening.entities.weights import OUTSIDE, Weights, attribute_hash, unpacked
from screening.entities.words import (
    CAP_BOTH,
    CAP_FIRST,
    CAP_LAST,
    CAP_PLACE,
    CAP_UNKNOWN,
    CLASSES,
    DIGITS_2,
    DIGITS_4,
    DIGITS_MORE,
    HAS_CAPITAL,
    LETTERS,
    UPPER_NAME,
    UPPER_OTHER,
)

SHIPPED_MODEL = resources.files("screening") / "data" / "names.npz"
_MOST_WORDS = 200_000  # words remembered; their scores take some 80 MB then
_FIGURES = np.isin(np.arange(CLASSES), [DIGITS_2, DIGITS_4, DIGITS_MORE])
_TELLING = np.isin(np.arange(CLASSES), [CAP_BOTH, CAP_FIRST, CAP_LAST, CAP_PLACE, CAP_UNKNOWN, UPPER_NAME, UPPER_OTHER])

Floats = NDArray[np.float32]


class EntityModel:
    """Holds words and scores, never texts; may be used by several threads."""

    def __init__(self, weights: Weights) -> None:
        self.labels = weights.labels
        self.about = weights.about
        self.sha256 = weights.sha256
        self._weights = weights
        self._rows = dict(zip(weights.hashes.tolist(), range(len(weights.hashes)), strict=True))
        self._transitions = weights.transitions
        self._counts = np.diff(weights.bounds)
        self._triples, self._moods, self._trusts, self._cues = _summed(weights)
        self._outside = weights.labels.index(OUTSIDE)
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._vocabulary = Vocabulary(self._weights.gazetteer)
        self._scores = np.zeros((len(OFFSETS), 1024, len(self.labels)), dtype=np.float32)
        self._weighed = 0

    def read(self, text: str) -> tuple[Reading, Floats]:
        """The words of the text, and the score of every label at each of them before neighbouring labels are weighed."""
        with self._lock:
            if len(self._vocabulary) > _MOST_WORDS:
                self._forget()
            reading = read(text, self._vocabulary)
            if len(self._vocabulary) > self._weighed:
                self._weigh_new_words()
            count = len(reading)
            scores = self._triples[reading.triples]
            scores += self._moods[reading.moods]
            scores += self._trusts[reading.trusts]
            scores += self._cues[reading.cues]
            for place, offset in enumerate(OFFSETS):
                scores += self._scores[place][reading.words[REACH + offset : REACH + offset + count]]
        return reading, scores

    @property
    def gazetteer(self) -> Mapping[str, int]:
        return self._weights.gazetteer

    def is_word(self, reading: Reading) -> NDArray[np.bool_]:
        """Letters and figures, not marks and white space."""
        groups, flags, _, _ = self._vocabulary.arrays
        own = reading.words[REACH:-REACH]
        letters: NDArray[np.bool_] = flags[own] & LETTERS != 0
        return letters | _FIGURES[groups[own]]

    def is_name_like(self, reading: Reading) -> NDArray[np.bool_]:
        """Words with a capital that are no common words, and long numbers."""
        groups, flags, _, _ = self._vocabulary.arrays
        own = reading.words[REACH:-REACH]
        capital: NDArray[np.bool_] = flags[own] & HAS_CAPITAL != 0
        return (capital & _TELLING[groups[own]]) | np.equal(groups[own], DIGITS_MORE)

    def probabilities(self, text: str, *, everywhere: bool = False) -> tuple[Reading, Floats]:
        """Sentences in which nothing could be a name are not decided on, unless `everywhere` asks for it: they hold none."""
        reading, scores = self.read(text)
        if not len(reading):
            return reading, scores
        if everywhere or reading.legal:
            return reading, marginals(scores, self._transitions, reading.sentence_starts, reading.sentence_lengths)
        starts, lengths = reading.sentence_starts[reading.needy], reading.sentence_lengths[reading.needy]
        chances = np.zeros_like(scores)
        chances[:, self._outside] = 1
        if len(starts):
            marginals(scores, self._transitions, starts, lengths, into=chances)
        return reading, chances

    def _weigh_new_words(self) -> None:
        """One sum over the weights of all attributes of all new words."""
        size = len(self._vocabulary)
        new = self._vocabulary.described[self._weighed :]
        rows: list[int] = []
        owners: list[int] = []
        look_up = self._rows.get
        for owner, word in enumerate(new):
            for attribute in word.attributes:
                row = look_up(attribute_hash(attribute))
                if row is not None:
                    rows.append(row)
                    owners.append(owner)
        width = len(OFFSETS) * len(self.labels)
        picked = np.array(rows, dtype=np.int64)
        starts, counts = self._weights.bounds[:-1][picked], self._counts[picked]
        entries = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(starts, counts)
        cells = self._weights.cells[entries] + np.repeat(np.array(owners, dtype=np.int64), counts) * width
        sums = np.bincount(cells, weights=self._weights.values[entries], minlength=len(new) * width)
        if size > self._scores.shape[1]:
            room = np.zeros((len(OFFSETS), size, len(self.labels)), dtype=np.float32)
            self._scores = np.concatenate((self._scores, room), axis=1)
        self._scores[:, self._weighed : size] = sums.reshape(len(new), len(OFFSETS), len(self.labels)).transpose(1, 0, 2)
        self._weighed = size


def _summed(weights: Weights) -> tuple[Floats, Floats, Floats, Floats]:
    tables = weights.tables
    triple = np.arange(CLASSES**3)
    triples = tables["triple"] + tables["left"][triple // CLASSES] + tables["right"][triple % CLASSES**2]
    moods = tables["mood"] + np.repeat(tables["mood_alone"], CLASSES, axis=0)
    cues = tables["cue"] + np.repeat(tables["cue_alone"], CLASSES, axis=0)
    return triples, moods, tables["trust"], cues


@cache
def shipped_model() -> EntityModel:
    return EntityModel(unpacked(SHIPPED_MODEL.read_bytes()))
