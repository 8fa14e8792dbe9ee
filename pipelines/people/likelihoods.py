"""People of an estimate, and the weaker links between them -> how likely each is one more, at best and at least."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipelines.people.crowds import Crowd, odds_in_crowd
from pipelines.people.entries import NUMBERS, Codes, Entries
from pipelines.people.weights import read_shares

Likelihoods = NDArray[np.float32]
_MOST_ODDS = 20.0


class Links(NamedTuple):
    """Pairs of entries that may be of one person, and how much speaks for it, in log2 of the odds."""

    left: Codes
    right: Codes
    weight: NDArray[np.float32]

    def where(self, chosen: NDArray[np.bool_]) -> "Links":
        return Links(self.left[chosen], self.right[chosen], self.weight[chosen])


class Between(NamedTuple):
    """Links between people, each counted for the lower of the two; weights as the prior shifts them."""

    small: Codes
    large: Codes
    weight: NDArray[np.float32]


class Likely(NamedTuple):
    own: Likelihoods  # by entry: that its person is no other of them
    least: Likelihoods  # the same, if links were far likelier than they seem, and of those alone who are well known
    listed: tuple[Codes, Codes]  # files, and how many people each lists with a name or a number


def between(labels: Codes, links: Links, shift: float, standing: Codes) -> Between:
    left, right = labels[links.left], labels[links.right]
    apart = left != right
    left, right, weight = left[apart], right[apart], links.weight[apart] + np.float32(shift)
    swap = (standing[left] > standing[right]) | ((standing[left] == standing[right]) & (left > right))
    return Between(np.where(swap, right, left), np.where(swap, left, right), weight)


def likelihoods(entries: Entries, labels: Codes, weaker: Between, crowd: Crowd, a_person: float) -> Likely:
    """How likely people are one more.

    At least, whoever has half a name, or neither birth nor number, may be anybody: names are mistyped and change.
    """
    doubt = read_shares()["least"]["doubt"]
    is_named = _any(labels, entries.first("surname")) & _any(labels, entries.first("given_initial"))
    odds = np.maximum(_odds(len(is_named), weaker), odds_in_crowd(labels, crowd, a_person))
    has_number = np.logical_or.reduce([_any(labels, entries.first(name)) for name in NUMBERS])
    is_known = is_named & (has_number | _any(labels, entries.first("birth")))
    own = (1 / (1 + odds)).astype(np.float32)
    least = np.where(is_known, 1 / (1 + doubt * odds), 0).astype(np.float32)
    return Likely(own[labels], least[labels], _in_files(entries, labels, is_named | has_number))


def _odds(people: int, weaker: Between) -> NDArray[np.float64]:
    """By person: weak links lead to several others, and their odds add up."""
    small, large, weight = weaker
    order = np.lexsort((-weight, large, small))
    first = np.ones(len(order), bool)
    first[1:] = (small[order][1:] != small[order][:-1]) | (large[order][1:] != large[order][:-1])
    best = order[first]
    odds: NDArray[np.float64] = np.zeros(people)
    np.add.at(odds, small[best], 2.0 ** np.minimum(weight[best], _MOST_ODDS))
    return odds


def _any(labels: Codes, codes: Codes) -> NDArray[np.bool_]:
    """By person, whether any of the entries has the part."""
    found = np.zeros(int(labels.max()) + 1 if len(labels) else 0, bool)
    found[labels[codes > 0]] = True
    return found


def _in_files(entries: Entries, labels: Codes, counts: NDArray[np.bool_]) -> tuple[Codes, Codes]:
    wanted = counts[labels]
    pairs = np.unique(entries.file[wanted].astype(np.int64) << 32 | labels[wanted])
    files, people = np.unique(pairs >> 32, return_counts=True)
    return files.astype(np.int32), people.astype(np.int32)
