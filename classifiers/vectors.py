"""Term matches -> sparse unit vectors with columns for concepts, kinds of terms, families of kinds, and other words."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifiers.matcher import Matches
from classifiers.vocabulary import CATEGORIES, CLINICAL, MEDICAL, PERSONAL
from classifiers.word_ids import Ints

Floats = NDArray[np.float64]
_FAMILIES = np.array(
    [[kind in family for family in (MEDICAL, CLINICAL, PERSONAL)] for kind in CATEGORIES], dtype=np.float64
)
EXTRA_COLUMNS = len(CATEGORIES) + _FAMILIES.shape[1] + 1


@dataclass(frozen=True, slots=True)
class Shape:
    """The weight of each kind of column; chosen in training and kept in the model file."""

    concept: float = 1.5  # a concept against its kind
    kind: float = 1.5
    medical: float = 2.5  # all medical terms together: how much health
    clinical: float = 2.5  # the kinds of which records are made
    personal: float = 1.0  # all cues of a single person together: whose health
    other: float = 0.5  # all words that are no term
    few: float = 5.0  # other words that every document is given: a handful of terms stays far from every prototype


@dataclass(frozen=True, slots=True)
class Weights:
    """For each vocabulary term its concept, for each concept its learned weight (0 to 1) and its kind."""

    concept_of_term: Ints
    weight: Floats
    kind: Ints

    @property
    def columns(self) -> int:
        return len(self.weight) + int(EXTRA_COLUMNS)

    @property
    def medical(self) -> NDArray[np.bool_]:
        return self.kind < len(MEDICAL)


def concept_counts(matches: Matches, weights: Weights) -> sparse.csr_array:
    """Documents by concepts: how often each was found."""
    shape = (len(matches.lengths), len(weights.weight))
    ones = np.ones(len(matches.term))
    counts = sparse.coo_array((ones, (matches.document, weights.concept_of_term[matches.term])), shape=shape).tocsr()
    counts.sum_duplicates()
    return counts


def concept_shares(counts: sparse.csr_array, lengths: Ints, weights: Weights, shape: Shape) -> sparse.csr_array:
    """What part of its document each concept makes up, damped by its learned weight."""
    words = np.repeat(lengths + shape.few, np.diff(counts.indptr))
    return sparse.csr_array(
        (counts.data * weights.weight[counts.indices] / words, counts.indices, counts.indptr), shape=counts.shape
    )


def unit_vectors(shares: sparse.csr_array, weights: Weights, shape: Shape) -> sparse.csr_array:
    """Square roots of shares, weighted, as unit vectors: their Euclidean distance is the Hellinger distance."""
    documents, kinds = shares.shape[0], len(CATEGORIES)
    row = np.repeat(np.arange(documents), np.diff(shares.indptr))
    cell = row * kinds + weights.kind[shares.indices]
    by_kind = np.bincount(cell, weights=shares.data, minlength=documents * kinds).reshape(documents, kinds)
    other = np.clip(1.0 - by_kind.sum(axis=1), 0.0, 1.0)
    dense = np.sqrt(np.column_stack((by_kind, by_kind @ _FAMILIES, other)))
    dense *= np.array([shape.kind] * kinds + [shape.medical, shape.clinical, shape.personal, shape.other])
    kept = np.flatnonzero(weights.medical[shares.indices] & (shares.data > 0))
    row, concepts = row[kept], shape.concept * np.sqrt(shares.data[kept])
    norm = np.sqrt((dense**2).sum(axis=1) + np.bincount(row, weights=concepts**2, minlength=documents))
    ends = np.searchsorted(row, np.arange(documents + 1))
    left = sparse.csr_array((concepts / norm[row], shares.indices[kept], ends), shape=shares.shape)
    stacked = sparse.hstack([left, sparse.csr_array(dense / norm[:, None])], format="csr")
    stacked.indices, stacked.indptr = stacked.indices.astype(np.int32), stacked.indptr.astype(np.int32)
    return stacked


def densest_windows(matches: Matches, weights: Weights, size: int) -> Matches:
    """Of each document longer than a window the stretch in which the medical terms weigh most; nothing of shorter ones.

    Windows begin at a matched term, as the densest one always can.
    """
    concept = weights.concept_of_term[matches.term]
    weight = weights.weight[concept] * weights.medical[concept]
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
