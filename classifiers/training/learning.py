"""How often concepts occur in sets of health text and of everyday text -> what each of them weighs, from 0 to 1."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classifiers.vectors import Floats


@dataclass(frozen=True, slots=True)
class Frequencies:
    """For each concept the number of documents of one set that hold it, and the number of documents."""

    documents: Floats
    total: int
    health: bool

    @property
    def share(self) -> Floats:
        shares: Floats = (self.documents + 0.02) / (self.total + 1.0)
        return shares


@dataclass(frozen=True, slots=True)
class Learning:
    """How weights are learned."""

    telling: float = 20.0  # times as frequent in health text as in everyday text: the full weight
    prior: float = 0.7  # weight of a dictionary term that no text holds
    strength: float = 2.0  # documents of evidence after which a term's own figure outweighs the prior
    small: float = 200.0  # documents of a set that counts half as much as a very large one


def learn_weights(sets: Sequence[Frequencies], learning: Learning) -> Floats:
    """An inverse document frequency that knows what everyday text is: a word that is as frequent there weighs nothing.

    Large sets count nearly the same, so that no single collection decides what health is. Small ones count less: a
    single novel that mentions malaria must not make it an everyday word.
    """
    health = _mean_share([one for one in sets if one.health], learning.small)
    everyday = _mean_share([one for one in sets if not one.health], learning.small)
    own = np.clip(np.log(health / everyday) / np.log(learning.telling), 0.0, 1.0)
    seen = np.sum([one.documents for one in sets], axis=0)
    trust = seen / (seen + learning.strength)
    weights: Floats = trust * own + (1.0 - trust) * learning.prior
    # A rare drug is in few texts of any kind; where everyday text never has it, the dictionary is to be believed.
    never = np.sum([one.documents for one in sets if not one.health], axis=0) == 0
    return np.where(never, np.maximum(weights, learning.prior), weights)


def _mean_share(sets: Sequence[Frequencies], small: float) -> Floats:
    weights = [one.total / (one.total + small) for one in sets]
    mean: Floats = np.average([one.share for one in sets], axis=0, weights=weights)
    return mean
