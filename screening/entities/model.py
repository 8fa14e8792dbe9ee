"""Weights and texts -> the probability of every label at every word; word scores are cached."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from screening.entities.attributes import OFFSETS
from screening.entities.lattice import marginals, packed
from screening.entities.reading import MOODS, TRUSTS, Reading, read
from screening.entities.vocabulary import Vocabulary
from screening.entities.weights import OUTSIDE, Weights, unpacked
from screening.entities.word_scores import WordScores
from screening.entities.words import CLASSES, CUES

SHIPPED_MODEL = resources.files("screening") / "data" / "names.npz"
SHIPPED_LEGAL_MODEL = resources.files("screening") / "data" / "legal.npz"
_ENGLISH = "en"  # and any language that has no model of its own
_OF_LANGUAGES = {name: resources.files("screening") / "data" / f"names_{name}.npz" for name in ("es", "fr")}
_MOST_WORDS = 100_000  # words remembered; they and their scores take some 50 MB then, in each worker

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class EntityModel:
    """Holds words and scores, never texts; may be used by several threads."""

    def __init__(self, weights: Weights) -> None:
        self.labels = weights.labels
        self.about = weights.about
        self.sha256 = weights.sha256
        self.language: str = weights.about.get("language", _ENGLISH)
        self._weights = weights
        self._transitions = weights.transitions
        self._triples = _of_triples(weights)
        self._context = _of_moods_trusts_and_cues(weights)
        self._word_scores = WordScores(weights)
        self._lock = threading.Lock()
        self._vocabulary = Vocabulary(weights.gazetteer)

    @property
    def gazetteer(self) -> Mapping[str, int]:
        return self._weights.gazetteer

    def read(self, texts: Sequence[str]) -> Reading:
        with self._lock:
            if len(self._vocabulary) > _MOST_WORDS:
                self._vocabulary = Vocabulary(self._weights.gazetteer)
            return read(texts, self._vocabulary, in_english=self.language == _ENGLISH)

    def probabilities(self, text: str, *, everywhere: bool = False) -> tuple[Reading, Floats]:
        """The probability of every label at every word of a text.

        Sentences in which nothing could be a name have none, unless `everywhere` asks about them too.
        """
        reading = self.read([text])
        chances = np.zeros((len(reading), len(self.labels)), dtype=np.float32)
        chances[:, self.labels.index(OUTSIDE)] = 1
        sentences = np.ones_like(reading.needy) if everywhere or reading.legal[0] else reading.needy
        places, decided = self.decided(reading, sentences)
        chances[places] = decided
        return reading, chances

    def decided(self, reading: Reading, sentences: NDArray[np.bool_]) -> tuple[Ints, Floats]:
        """The places of these sentences, in any order, and each label's probability; another model may read them."""
        order = packed(reading.sentence_starts[sentences], reading.sentence_lengths[sentences])
        if not len(order.places):
            return order.places, np.zeros((0, len(self.labels)), dtype=np.float32)
        return order.places, marginals(self._scores(reading, order.places), self._transitions, order.offsets)

    def _scores(self, reading: Reading, places: Ints) -> Floats:
        """The score of every label at each place before neighbouring labels are weighed."""
        with self._lock:
            of_words = self._word_scores.of(_words_around(reading.words, places), reading.vocabulary)
        table = of_words.reshape(-1, len(self.labels))
        rows = reading.words * len(OFFSETS)
        scores: Floats = table.take(rows.take(places), axis=0)
        for at in range(1, len(OFFSETS)):  # a neighbour after the other: faster than a product with a sparse matrix
            scores += table.take(rows.take(places + at) + at, axis=0)
        scores += self._triples.take(reading.triples[places], axis=0)
        context = reading.moods[places] // CLASSES * TRUSTS + reading.trusts[places] // CLASSES
        scores += self._context.take(context * (CUES * CLASSES) + reading.cues[places], axis=0)
        return scores


def _words_around(words: Ints, places: Ints) -> Ints:
    """The words of these places and their neighbours; `words` has edges before and after."""
    first = np.zeros(len(words), dtype=bool)
    first[places] = True
    around = first.copy()
    for at in range(1, len(OFFSETS)):
        around[at:] |= first[:-at]
    return words[around]


def _of_triples(weights: Weights) -> Floats:
    tables = weights.tables
    triple = np.arange(CLASSES**3)
    return tables["triple"] + tables["left"][triple // CLASSES] + tables["right"][triple % CLASSES**2]


def _of_moods_trusts_and_cues(weights: Weights) -> Floats:
    """All that sentence and document say about a word of each class, in one table."""
    tables = weights.tables
    labels = len(weights.labels)
    moods = (tables["mood"] + np.repeat(tables["mood_alone"], CLASSES, axis=0)).reshape(MOODS, 1, 1, CLASSES, labels)
    cues = (tables["cue"] + np.repeat(tables["cue_alone"], CLASSES, axis=0)).reshape(1, 1, CUES, CLASSES, labels)
    return (moods + tables["trust"].reshape(1, TRUSTS, 1, CLASSES, labels) + cues).reshape(-1, labels)


@cache
def shipped_model() -> EntityModel:
    return EntityModel(unpacked(SHIPPED_MODEL.read_bytes()))


@cache
def shipped_legal_model() -> EntityModel:
    """For legal texts alone; its lists are those of the other model."""
    weights = unpacked(SHIPPED_LEGAL_MODEL.read_bytes(), "the model of legal texts")
    return EntityModel(replace(weights, gazetteer=shipped_model().gazetteer))


@cache
def shipped_model_of(language: str) -> EntityModel | None:
    """The model of a language that has one of its own; loaded when the first text of that language comes."""
    path = _OF_LANGUAGES.get(language)
    return EntityModel(unpacked(path.read_bytes(), f"the model of names in {language}")) if path else None
