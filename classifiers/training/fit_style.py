"""Labelled passages -> weights of hashed words, and scores of the same passages by weights that never saw them."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifiers.style import COLUMNS, style_scores, word_columns
from classifiers.vectors import Floats
from classifiers.word_ids import Ints

_FOLDS = 5
_ALIKE = 25  # characters by which drafts of one template are known: they stay in one fold


@dataclass(frozen=True, slots=True)
class Learned:
    weights: Floats
    intercept: float
    scores: Floats  # of the training passages, each by a model of the other folds


def fit_style(texts: Sequence[str], personal: NDArray[np.bool_], weights: Floats, penalty: float) -> Learned:
    matrix = _matrix(texts)

    def fit(rows: Ints) -> tuple[Floats, float]:
        return _fit(matrix[rows], personal[rows], weights[rows], penalty)

    def score(rows: Ints, learned: Floats, intercept: float) -> Floats:
        return style_scores([texts[row] for row in rows.tolist()], learned, intercept)

    learned, intercept = fit(np.arange(len(texts)))
    scores = scores_out_of_fold(texts, personal, fit, score)
    return Learned(learned.astype(np.float32).astype(np.float64), intercept, scores)


def scores_out_of_fold(
    texts: Sequence[str],
    personal: NDArray[np.bool_],
    fit: Callable[[Ints], tuple[Floats, float]],
    score: Callable[[Ints, Floats, float], Floats],
) -> Floats:
    """The score of each passage by a model that was fitted to the rows of the other folds; 0 where none can be."""
    fold = np.array([zlib.crc32(text[:_ALIKE].encode()) % _FOLDS for text in texts])
    scores = np.zeros(len(texts))
    for number in range(_FOLDS):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        if len(inside) and len(set(personal[outside].tolist())) == 2:
            scores[inside] = score(inside, *fit(outside))
    return scores


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
