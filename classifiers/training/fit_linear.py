"""Labelled passages -> a linear model of features and wording together, and scores of passages that it did not see."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifiers.style import COLUMNS, word_columns
from classifiers.vectors import Floats

_FOLDS = 5
_ALIKE = 25  # characters by which drafts of one template are known: they stay in one fold
_FEATURES, _WORDING = 0.3, 3.0  # how large both are beside each other, which decides how freely each is weighed


@dataclass(frozen=True, slots=True)
class Linear:
    features: Floats
    words: Floats
    intercept: float


@dataclass(frozen=True, slots=True)
class Learned:
    model: Linear
    wording: Floats  # scores of the training passages, each by a model of the other folds: of the wording alone,
    scores: Floats  # and of both


def fit_linear(
    vectors: Floats, texts: Sequence[str], personal: NDArray[np.bool_], weights: Floats, penalty: float
) -> Learned:
    """Features and words are weighed together: what one says already, the other need not say again."""
    words = _matrix(texts)
    fold = np.array([zlib.crc32(text[:_ALIKE].encode()) % _FOLDS for text in texts])
    wording, scores = np.zeros(len(texts)), np.zeros(len(texts))
    for number in range(_FOLDS):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        if len(inside) and len(set(personal[outside].tolist())) == 2:
            model = _fit(vectors[outside], words[outside], personal[outside], weights[outside], penalty)
            wording[inside] = words[inside] @ model.words
            scores[inside] = vectors[inside] @ model.features + wording[inside] + model.intercept
    return Learned(_fit(vectors, words, personal, weights, penalty), wording, scores)


def _fit(
    vectors: Floats, words: sparse.csr_array, personal: NDArray[np.bool_], weights: Floats, penalty: float
) -> Linear:
    from sklearn.linear_model import LogisticRegression

    both = sparse.hstack([sparse.csr_array(vectors * _FEATURES), words * _WORDING], format="csr")
    model = LogisticRegression(C=penalty, max_iter=400, solver="liblinear", random_state=0)
    model.fit(both, personal, sample_weight=weights)
    columns = vectors.shape[1]
    learned = np.asarray(model.coef_[0])
    in_words: Floats = (learned[columns:] * _WORDING).astype(np.float32).astype(np.float64)  # as the file keeps them
    return Linear(learned[:columns] * _FEATURES, in_words, float(model.intercept_[0]))


def _matrix(texts: Sequence[str]) -> sparse.csr_array:
    columns = [word_columns(text) for text in texts]
    ends = np.cumsum([0, *(len(some) for some in columns)])
    values = np.concatenate([np.full(len(some), 1.0 / np.sqrt(max(1, len(some)))) for some in columns])
    indices, bounds = np.concatenate(columns).astype(np.int32), ends.astype(np.int32)
    return sparse.csr_array((values, indices, bounds), shape=(len(texts), COLUMNS))
