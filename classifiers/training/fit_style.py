"""Labelled passages -> weights of hashed words, and scores of the same passages by weights that never saw them."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifiers.style import COLUMNS, style_scores, word_columns
from classifiers.vectors import Floats
from classifiers.word_ids import Ints

FOLDS = 5
_ALIKE = 25  # characters by which drafts of one template are known: they stay in one fold


@dataclass(frozen=True, slots=True)
class Learned:
    weights: Floats
    intercept: float
    scores: Floats  # of the training passages, each by a model of the other folds


def fit_style(texts: Sequence[str], personal: NDArray[np.bool_], weights: Floats, penalty: float) -> Learned:
    matrix = _matrix(texts)
    fold = folds_of(texts)
    scores = np.zeros(len(texts))
    for number in range(FOLDS):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        if len(inside) and len(set(personal[outside].tolist())) == 2:
            learned, intercept = _fit(matrix[outside], personal[outside], weights[outside], penalty)
            scores[inside] = style_scores([texts[place] for place in inside.tolist()], learned, intercept)
    learned, intercept = _fit(matrix, personal, weights, penalty)
    return Learned(learned.astype(np.float32).astype(np.float64), intercept, scores)


def folds_of(texts: Sequence[str]) -> Ints:
    """The number of the fold that each passage is in."""
    return np.array([zlib.crc32(text[:_ALIKE].encode()) % FOLDS for text in texts], dtype=np.int64)


def _fit(
    matrix: sparse.csr_array, personal: NDArray[np.bool_], weights: Floats, penalty: float
) -> tuple[Floats, float]:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=penalty, max_iter=300, solver="liblinear", random_state=0)
    model.fit(matrix, personal, sample_weight=weights)
    return np.asarray(model.coef_[0]), float(model.intercept_[0])


def _matrix(texts: Sequence[str]) -> sparse.csr_array:
    columns = [word_columns(text) for text in texts]
    ends = np.cumsum([0, *(len(some) for some in columns)])
    values = np.concatenate([np.full(len(some), 1.0 / np.sqrt(max(1, len(some)))) for some in columns])
    indices, bounds = np.concatenate(columns).astype(np.int32), ends.astype(np.int32)
    return sparse.csr_array((values, indices, bounds), shape=(len(texts), COLUMNS))
