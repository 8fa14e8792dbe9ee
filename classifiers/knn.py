"""Vectors of examples -> nearest-prototype estimators for scikit-learn: one class with a threshold, or several."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, OutlierMixin
from sklearn.cluster import MiniBatchKMeans
from sklearn.random_projection import SparseRandomProjection
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from classifiers.distances import Matrix, euclidean, leave_one_out, mean_of_nearest
from classifiers.vectors import Floats

_CONDENSE_BATCH = 2048
_MANY_ROWS = 2000
_PROJECTED = 128  # columns of the projection


def condense(vectors: Matrix, count: int, seed: int = 0) -> NDArray[np.int64]:
    """Row numbers of real examples, one near the centre of each of `count` clusters; all rows if there are no more.

    Many rows are clustered in a random projection: it keeps distances within a few per cent and takes seconds, not
    hours.
    """
    if vectors.shape[0] <= count:
        return np.arange(vectors.shape[0])
    if vectors.shape[0] > _MANY_ROWS and vectors.shape[1] > _PROJECTED:
        projection = SparseRandomProjection(_PROJECTED, dense_output=True, random_state=seed)
        vectors = projection.fit_transform(vectors).astype(np.float32)
    clusters = MiniBatchKMeans(
        n_clusters=count, batch_size=_CONDENSE_BATCH, n_init=1, max_iter=10, init="random", random_state=seed
    )
    centres = clusters.fit(vectors).cluster_centers_
    nearest = np.full(count, -1, dtype=np.int64)
    closest = np.full(count, np.inf)
    for low in range(0, vectors.shape[0], _CONDENSE_BATCH):
        distances = euclidean(vectors[low : low + _CONDENSE_BATCH], centres)
        best = distances.argmin(axis=0)
        nearer = distances[best, np.arange(count)] < closest
        closest[nearer] = distances[best, np.arange(count)][nearer]
        nearest[nearer] = low + best[nearer]
    return np.unique(nearest[nearest >= 0])


class OneClassKNN(OutlierMixin, BaseEstimator):  # type: ignore[misc]
    """Inliers (+1) are as near to their k nearest prototypes as prototypes are to each other; the rest is -1."""

    def __init__(
        self, n_neighbors: int = 5, accepted: float = 0.98, max_prototypes: int = 1000, random_state: int = 0
    ) -> None:
        self.n_neighbors = n_neighbors
        self.accepted = accepted
        self.max_prototypes = max_prototypes
        self.random_state = random_state

    def fit(self, X: Matrix, y: Any = None) -> Self:  # noqa: N803
        """Keeps prototypes of the examples and learns the threshold from them alone."""
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, ensure_min_samples=2)  # noqa: N806
        self.prototypes_ = X[condense(X, self.max_prototypes, self.random_state)]
        self.threshold_ = float(np.quantile(leave_one_out(self.prototypes_, self.n_neighbors), self.accepted))
        self.offset_ = -self.threshold_
        return self

    def score_samples(self, X: Matrix) -> Floats:  # noqa: N803
        """The mean distance to the k nearest prototypes, as a negative number: the higher, the nearer."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)  # noqa: N806
        return -mean_of_nearest(euclidean(X, self.prototypes_), self.n_neighbors)

    def decision_function(self, X: Matrix) -> Floats:  # noqa: N803
        """How far within the threshold; negative beyond it."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Matrix) -> NDArray[np.int64]:  # noqa: N803
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class PrototypeKNN(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The class with the smallest mean distance to its k nearest prototypes.

    Each class is condensed by itself, so that a rare one keeps its prototypes.
    """

    def __init__(self, n_neighbors: int = 5, max_prototypes: int = 1000, random_state: int = 0) -> None:
        self.n_neighbors = n_neighbors
        self.max_prototypes = max_prototypes
        self.random_state = random_state

    def fit(self, X: Matrix, y: Any) -> Self:  # noqa: N803
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)  # noqa: N806
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        self.prototypes_ = []
        for label in self.classes_:
            members = X[np.flatnonzero(y == label)]
            self.prototypes_.append(members[condense(members, self.max_prototypes, self.random_state)])
        return self

    def distances(self, X: Matrix) -> Floats:  # noqa: N803
        """Rows by classes: the mean distance to the k nearest prototypes of each class."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)  # noqa: N806
        return np.column_stack(
            [mean_of_nearest(euclidean(X, members), self.n_neighbors) for members in self.prototypes_]
        )

    def decision_function(self, X: Matrix) -> Floats:  # noqa: N803
        """With two classes, how much nearer the second is; with more, the negative distance to each."""
        distances = self.distances(X)
        if len(self.classes_) == 2:
            return distances[:, 0] - distances[:, 1]
        return -distances

    def predict(self, X: Matrix) -> NDArray[Any]:  # noqa: N803
        nearest = self.distances(X).argmin(axis=1)
        labels: NDArray[Any] = self.classes_[nearest]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
