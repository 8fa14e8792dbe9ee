"""Term matches -> sparse vectors of length one: a column per term, a column per category, and one for everyday words."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifiers.matcher import Ints, Matches

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shape:
    """How much counts what; learned or chosen in training and kept in the model file."""

    repeat: float  # a term found n times weighs 1 + repeat * ln n
    category: float  # what a category weighs against the terms in it
    few_terms: float  # everyday mass that every document has: few terms keep far from every prototype
    everyday: float  # everyday mass of each token: medical words thinly spread keep far too


@dataclass(frozen=True, slots=True)
class Weights:
    """For each vocabulary term its concept, for each concept its weight and category."""

    concept_of_term: Ints
    weight: Floats
    category: Ints
    categories: int

    @property
    def columns(self) -> int:
        return len(self.weight) + self.categories + 1


def concept_counts(matches: Matches, weights: Weights) -> sparse.csr_array:
    """Documents by concepts: how often each was found."""
    shape = (len(matches.lengths), len(weights.weight))
    ones = np.ones(len(matches.term))
    return sparse.coo_array((ones, (matches.document, weights.concept_of_term[matches.term])), shape=shape).tocsr()


def weighted_terms(counts: sparse.csr_array, weights: Weights, shape: Shape) -> sparse.csr_array:
    """The learned tf-idf: what each found concept weighs in its document; weightless ones are gone."""
    weighted = counts.copy()
    weighted.data = (1.0 + shape.repeat * np.log(weighted.data)) * weights.weight[weighted.indices]
    weighted.eliminate_zeros()
    return weighted


def unit_vectors(weighted: sparse.csr_array, lengths: Ints, weights: Weights, shape: Shape, *, prototype: bool) -> sparse.csr_array:
    """Rows of length one; prototypes have no everyday mass, so that all of a document's counts as distance from them."""
    in_category = sparse.csr_array(
        (np.ones(len(weights.category)), (np.arange(len(weights.category)), weights.category)),
        shape=(len(weights.category), weights.categories),
    )
    by_category = (weighted @ in_category).tocsr()
    by_category.data = shape.category * np.sqrt(by_category.data)
    everyday = np.zeros(len(lengths)) if prototype else np.sqrt(shape.few_terms**2 + shape.everyday**2 * lengths)
    stacked = sparse.hstack([weighted, by_category, sparse.csr_array(everyday[:, None])], format="csr")
    norms = np.sqrt(np.asarray(stacked.multiply(stacked).sum(axis=1)).ravel())
    per_value = np.repeat(np.where(norms > 0, norms, 1.0), np.diff(stacked.indptr))
    # scikit-learn takes 32-bit indices alone
    parts = (stacked.data / per_value, stacked.indices.astype(np.int32), stacked.indptr.astype(np.int32))
    return sparse.csr_array(parts, shape=stacked.shape)


def densest_windows(matches: Matches, weights: Weights, size: int) -> Matches:
    """Of each document longer than a window the stretch in which the matched terms weigh most; nothing of shorter ones.

    Windows begin at a matched term, as the densest one always can.
    """
    weight = weights.weight[weights.concept_of_term[matches.term]]
    bounds = np.searchsorted(matches.document, np.arange(len(matches.lengths) + 1))
    keep = np.zeros(len(matches.term), dtype=bool)
    for document in np.flatnonzero(matches.lengths > size):
        low, high = bounds[document], bounds[document + 1]
        if low == high:
            continue
        position = matches.position[low:high]
        total = np.concatenate(([0.0], np.cumsum(weight[low:high])))
        end = np.searchsorted(position, position + size)
        best = int(np.argmax(total[end] - total[:-1]))
        keep[low + best : low + end[best]] = True
    lengths = np.minimum(matches.lengths, size)
    return Matches(matches.document[keep], matches.position[keep], matches.term[keep], lengths)
