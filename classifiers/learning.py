"""How often concepts occur in records, in general health text and in everyday text -> what each of them weighs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifiers.matcher import Ints
from classifiers.vectors import Floats


@dataclass(frozen=True, slots=True)
class Frequencies:
    """For each concept the number of documents of one kind that hold it, and the number of documents."""

    documents: Floats
    total: int

    @property
    def share(self) -> Floats:
        shares: Floats = (self.documents + 0.5) / (self.total + 1.0)
        return shares


@dataclass(frozen=True, slots=True)
class Learning:
    """How weights are learned; see the model card for what each choice was worth."""

    general: float = 0.85  # how far general health text, rather than everyday text, decides what marks a record
    cap: float = 5.0  # no single term, however telling, decides alone
    rare: float = 3.0  # documents of evidence after which a term's own figure outweighs that of its category


def learn_weights(records: Frequencies, general: Frequencies, everyday: Frequencies, category: Ints, learning: Learning) -> Floats:
    """Log-odds of records against the other two; a concept that is as frequent in everyday text weighs nothing."""
    seen = records.documents + general.documents + everyday.documents
    own = _odds(records, general, everyday, learning)
    rare = seen <= learning.rare
    trust = seen / (seen + learning.rare)
    # A hardly ever seen term is worth what all the rare terms of its category are worth together.
    shared = _odds(_summed(records, category, rare), _summed(general, category, rare), _summed(everyday, category, rare), learning)[
        category
    ]
    weights: Floats = np.clip(trust * own + (1 - trust) * shared, 0.0, learning.cap)
    return weights


def _odds(records: Frequencies, general: Frequencies, everyday: Frequencies, learning: Learning) -> Floats:
    against_everyday = np.log(records.share / everyday.share)
    if not general.total:
        return against_everyday
    mixed = learning.general * np.log(records.share / general.share) + (1 - learning.general) * against_everyday
    odds: Floats = np.minimum(against_everyday, mixed)
    return odds


def _summed(kind: Frequencies, category: Ints, chosen: NDArray[np.bool_]) -> Frequencies:
    together = np.bincount(category[chosen], weights=kind.documents[chosen], minlength=int(category.max()) + 1)
    return Frequencies(together.astype(np.float64), kind.total)
