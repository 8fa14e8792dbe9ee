"""Weights and a text -> the probability of every label at every word; scores of words are kept, so that a word is weighed once."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from screening.entities.attributes import OFFSETS
from screening.entities.lattice import marginals
from screening.entities.reading import REACH, Reading, Vocabulary, read
from screening.entities.weights import OUTSIDE, Weights, attribute_hash, unpacked
from screening.entities.words import CLASSES

SHIPPED_MODEL = resources.files("screening") / "data" / "names.npz"
SHIPPED_LEGAL_MODEL = resources.files("screening") / "data" / "legal.npz"
_MOST_WORDS = 200_000  # words remembered; their scores take some 80 MB then

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


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

    @property
    def gazetteer(self) -> Mapping[str, int]:
        return self._weights.gazetteer

    def read(self, text: str, *, everywhere: bool = False) -> tuple[Reading, Ints, Floats]:
        """The words of a text, the places to decide on, and the score of every label there before neighbouring labels are weighed.

        Sentences in which nothing could be a name are left out, unless `everywhere` asks for them.
        """
        with self._lock:
            if len(self._vocabulary) > _MOST_WORDS:
                self._forget()
            reading = read(text, self._vocabulary)
            if len(self._vocabulary) > self._weighed:
                self._weigh_new_words()
            if everywhere or reading.legal:
                places = np.arange(len(reading))
            else:
                places = np.flatnonzero(np.repeat(reading.needy, reading.sentence_lengths))
            scores = self._triples.take(reading.triples[places], axis=0)
            scores += self._moods.take(reading.moods[places], axis=0)
            scores += self._trusts.take(reading.trusts[places], axis=0)
            scores += self._cues.take(reading.cues[places], axis=0)
            for number, offset in enumerate(OFFSETS):
                scores += self._scores[number].take(reading.words[places + (REACH + offset)], axis=0)
        return reading, places, scores

    def probabilities(self, text: str, *, everywhere: bool = False) -> tuple[Reading, Floats]:
        """The probability of every label at every word; where nothing was to decide, there is no entity."""
        reading, places, scores = self.read(text, everywhere=everywhere)
        chances = np.zeros((len(reading), len(self.labels)), dtype=np.float32)
        chances[:, self._outside] = 1
        if len(places):
            decided = everywhere or reading.legal
            lengths = reading.sentence_lengths if decided else reading.sentence_lengths[reading.needy]
            chances[places] = marginals(scores, self._transitions, np.cumsum(lengths) - lengths, lengths)
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


@cache
def shipped_legal_model() -> EntityModel:
    """For legal texts alone; its lists are those of the other model."""
    weights = unpacked(SHIPPED_LEGAL_MODEL.read_bytes(), "the model of legal texts")
    return EntityModel(replace(weights, gazetteer=shipped_model().gazetteer))
