"""Labelled texts -> weights: every place described, and a conditional random field fitted to the labels."""

import random
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from screening.entities.attributes import described
from screening.entities.reading import surroundings
from screening.entities.runs import PERSON
from screening.entities.vocabulary import Vocabulary, split
from screening.entities.weights import OUTSIDE, Weights, collected
from screening.entities.words import describe, has_small_letters
from screening.training.labelled import Labelled

_HIDDEN = 0.15  # share of names that are hidden from the lists, so that the model learns from context too


def labels_of(each: Labelled, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[str]:
    """The label of every word: of the mark that covers it, if any."""
    labels = [OUTSIDE] * len(starts)
    for mark in sorted(each.marked, key=lambda mark: mark.start - mark.end):
        low, high = np.searchsorted(ends, mark.start, side="right"), np.searchsorted(starts, mark.end, side="left")
        for place in range(int(low), int(high)):
            if labels[place] == OUTSIDE:
                labels[place] = mark.label
    return labels


class Describer:
    """Labelled texts -> attributes and labels of their sentences."""

    def __init__(self, gazetteer: Mapping[str, int], seed: int, *, in_english: bool = True) -> None:
        self._in_english = in_english
        self.vocabulary = Vocabulary(gazetteer)
        self._gazetteer = gazetteer
        self._chance = random.Random(seed)  # noqa: S311 - training, no secret
        self._hidden: dict[int, int] = {}

    def sentences(self, each: Labelled) -> Iterable[tuple[list[list[str]], list[str]]]:
        pieces = split([each.text], self.vocabulary)
        labels = labels_of(each, pieces.starts, pieces.ends)
        words = self._with_hidden_names(each.text, pieces.words, pieces.starts, pieces.ends, labels)
        reading = surroundings(replace(pieces, words=words), self.vocabulary, in_english=self._in_english)
        places = list(described(reading))
        for start, length in zip(reading.sentence_starts.tolist(), reading.sentence_lengths.tolist(), strict=True):
            yield places[start : start + length], labels[start : start + length]

    def _with_hidden_names(
        self, text: str, words: NDArray[np.int64], starts: NDArray[np.int64], ends: NDArray[np.int64], labels: list[str]
    ) -> NDArray[np.int64]:
        names = sorted({int(word) for word, label in zip(words, labels, strict=True) if label == PERSON})
        chosen = {word for word in names if self._chance.random() < _HIDDEN}
        if not chosen:
            return words
        words = words.copy()
        for place, label in enumerate(labels):
            word = int(words[place])
            if label == PERSON and word in chosen and text[starts[place]].isalpha():
                if word not in self._hidden:
                    self._hidden[word] = self._hide(text[starts[place] : ends[place]])
                words[place] = self._hidden[word]
        return words

    def _hide(self, name: str) -> int:
        small = self._hide(name.lower()) if has_small_letters(name) else None
        return self.vocabulary.append(name, describe(name, self._gazetteer, hidden=True), small)


def fit(
    texts: Iterable[Labelled],
    gazetteer: Mapping[str, int],
    options: Mapping[str, Any],
    about: Mapping[str, Any],
    seed: int = 7,
    *,
    in_english: bool = True,
    related: Sequence[tuple[Iterable[Labelled], Mapping[str, int]]] = (),
) -> Weights:
    """`related` are texts of other languages, each read with the lists of its own."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=dict(options), verbose=False)
    for part, lists in ((texts, gazetteer), *related):
        describer = Describer(lists, seed, in_english=in_english)
        for labelled in part:
            for attributes, labels in describer.sentences(labelled):
                trainer.append(attributes, labels)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "names.crfsuite")
        trainer.train(path)
        return from_crfsuite(path, gazetteer, about)


def from_crfsuite(path: str, gazetteer: Mapping[str, int], about: Mapping[str, Any]) -> Weights:
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    info = tagger.info()
    labels = tuple(sorted(tagger.labels()))
    tagger.close()
    return collected(labels, info.state_features, info.transitions, gazetteer, about)
