"""Sparse or dense vectors -> Euclidean distances between them, and means of the smallest ones.

A scan searches with these, so this module must not import scikit-learn, which takes seconds and 100 MB to load.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifiers.vectors import Floats

Matrix = Any  # an array or a scipy sparse array


def euclidean(documents: Matrix, prototypes: Matrix) -> Floats:
    """The distance of every document to every prototype, computed with one matrix product."""
    product = documents @ prototypes.T
    product = product.toarray() if sparse.issparse(product) else np.asarray(product)
    square = squares(documents)[:, None] + squares(prototypes)[None, :] - 2.0 * product
    distances: Floats = np.sqrt(np.maximum(square, 0.0))
    return distances


def squares(rows: Matrix) -> Floats:
    """The squared length of each row."""
    squared = rows.multiply(rows) if sparse.issparse(rows) else rows * rows
    return np.asarray(squared.sum(axis=1)).ravel()


def mean_of_nearest(distances: Floats, k: int) -> Floats:
    """The mean of the k smallest values of each row."""
    k = min(k, distances.shape[1])
    means: Floats = np.sort(np.partition(distances, k - 1, axis=1)[:, :k], axis=1).mean(axis=1)
    return means


def distances_by_class(distances: Floats, classes: NDArray[np.int64], count: int, k: int) -> Floats:
    """Distances to prototypes, which are sorted by class -> the mean distance to the k nearest ones of each class."""
    by_class = np.full((len(distances), count), np.inf)
    bounds = np.searchsorted(classes, np.arange(count + 1))
    for number, (low, high) in enumerate(pairwise(bounds)):
        if high > low:
            by_class[:, number] = mean_of_nearest(distances[:, low:high], k)
    return by_class


def leave_one_out(prototypes: Matrix, k: int) -> Floats:
    """The mean distance of each prototype to its k nearest others; infinite where there is only one."""
    count = prototypes.shape[0]
    means = np.full(count, np.inf)
    if count < 2:
        return means
    for low in range(0, count, 1000):
        distances = euclidean(prototypes[low : low + 1000], prototypes)
        distances[np.arange(len(distances)), np.arange(low, low + len(distances))] = np.inf
        means[low : low + 1000] = mean_of_nearest(distances, min(k, count - 1))
    return means
