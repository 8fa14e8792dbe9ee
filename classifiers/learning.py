"""How often concepts occur in records, in general health text and in everyday text -> what each of them weighs."""

from dataclasses import dataclass

import numpy as np

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
    against_everyday = np.log(records.share / everyday.share)
    against_general = np.log(records.share / general.share)
    own = np.minimum(against_everyday, learning.general * against_general + (1 - learning.general) * against_everyday)
    seen = records.documents + general.documents + everyday.documents
    shared = _category_odds(records, general, everyday, seen, category, learning)
    trust = seen / (seen + learning.rare)
    weights: Floats = np.clip(trust * own + (1 - trust) * shared[category], 0.0, learning.cap)
    return weights


def _category_odds(
    records: Frequencies, general: Frequencies, everyday: Frequencies, seen: Floats, category: Ints, learning: Learning
) -> Floats:
    """What a hardly ever seen term of a category is worth: the log-odds of all its rare terms taken together."""
    rare = seen <= learning.rare
    size = int(category.max()) + 1
    shares = []
    for kind in (records, general, everyday):
        together = np.bincount(category[rare], weights=kind.documents[rare], minlength=size)
        shares.append((together + 0.5) / (kind.total + 1.0))
    against_everyday, against_general = np.log(shares[0] / shares[2]), np.log(shares[0] / shares[1])
    odds: Floats = np.minimum(against_everyday, learning.general * against_general + (1 - learning.general) * against_everyday)
    return odds
