"""Term vectors of a batch -> their distance to every prototype, exactly, by one sparse product."""

import numpy as np
from scipy import sparse

from classifiers.distances import squares
from classifiers.vectors import Floats

_ROWS = 64  # documents of one product: more would not stay in the processor's cache

_NOISE = 1e-12  # smaller squared distances are rounding errors of zero


class PrototypeSearch:
    """Prototypes, sparse, times documents, dense in the columns that any prototype has.

    That way the inner loop runs over the documents of a batch, which takes a third of the time of a product of two
    sparse matrices. A product of dense matrices would start threads, which cost more than they save here.
    """

    def __init__(self, prototypes: sparse.csr_array) -> None:
        columns, places = np.unique(prototypes.indices, return_inverse=True)
        self._unused = len(columns)
        self._place = np.full(prototypes.shape[1], self._unused, dtype=np.int64)
        self._place[columns] = np.arange(len(columns))
        parts = (prototypes.data, places.astype(np.int32), prototypes.indptr.astype(np.int32))
        self._prototypes = sparse.csr_array(parts, shape=(prototypes.shape[0], self._unused + 1))
        self._squares = 1.0 + squares(prototypes)

    def distances(self, vectors: sparse.csr_array) -> Floats:
        """Euclidean distances of vectors of length one, a row each."""
        distances = np.empty((vectors.shape[0], self._prototypes.shape[0]))
        for low in range(0, vectors.shape[0], _ROWS):
            bounds = vectors.indptr[low : low + _ROWS + 1]
            some = slice(bounds[0], bounds[-1])
            documents = np.zeros((self._unused + 1, len(bounds) - 1))
            row = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
            documents[self._place[vectors.indices[some]], row] = vectors.data[some]
            distances[low : low + _ROWS] = (self._prototypes @ documents).T
        distances *= -2.0
        distances += self._squares
        distances[distances < _NOISE] = 0.0
        return np.sqrt(distances, out=distances)
