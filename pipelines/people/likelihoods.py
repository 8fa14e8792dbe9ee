"""People of an estimate, and the weaker links between them -> how likely each is one more, at best and at least."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipelines.people.entries import NUMBERS, Codes, Entries
from pipelines.people.weights import read_shares

Likelihoods = NDArray[np.float32]
_MOST_ODDS = 20.0


class Links(NamedTuple):
    """Pairs of entries that may be of one person, and how much speaks for it, in log2 of the odds."""

    left: Codes
    right: Codes
    weight: NDArray[np.float32]


def likelihoods(entries: Entries, labels: Codes, links: Links, shift: float) -> tuple[Likelihoods, Likelihoods, int]:
    """By entry, how likely its person is one more: as it seems, and at least; and the most that one file lists.

    At least, whoever has half a name, or neither birth nor number, may be anybody: names are mistyped and change.
    """
    doubt = read_shares()["least"]["doubt"]
    odds = _odds(labels, links, shift)
    is_named = _any(labels, entries.first("surname")) & _any(labels, entries.first("given_initial"))
    has_number = np.logical_or.reduce([_any(labels, entries.first(name)) for name in NUMBERS])
    is_known = is_named & (has_number | _any(labels, entries.first("birth")))
    own = (1 / (1 + odds)).astype(np.float32)
    least = np.where(is_known, 1 / (1 + doubt * odds), 0).astype(np.float32)
    return own[labels], least[labels], _in_one_file(entries, labels, is_named | has_number)


def _odds(labels: Codes, links: Links, shift: float) -> NDArray[np.float64]:
    """By person: weak links lead to several others, and their odds add up; each counts for the smaller of the two."""
    size = np.bincount(labels)
    left, right = labels[links.left], labels[links.right]
    between = left != right
    left, right, weight = left[between], right[between], links.weight[between] + shift
    swap = (size[left] > size[right]) | ((size[left] == size[right]) & (left > right))
    small, large = np.where(swap, right, left), np.where(swap, left, right)
    pair = small.astype(np.int64) << 32 | large
    order = np.lexsort((-weight, pair))
    first = np.ones(len(order), bool)
    first[1:] = pair[order][1:] != pair[order][:-1]
    best = order[first]
    odds: NDArray[np.float64] = np.zeros(len(size))
    np.add.at(odds, small[best], 2.0 ** np.minimum(weight[best], _MOST_ODDS))
    return odds


def _any(labels: Codes, codes: Codes) -> NDArray[np.bool_]:
    """By person, whether any of the entries has the part."""
    found = np.zeros(int(labels.max()) + 1 if len(labels) else 0, bool)
    found[labels[codes > 0]] = True
    return found


def _in_one_file(entries: Entries, labels: Codes, counts: NDArray[np.bool_]) -> int:
    wanted = counts[labels]
    if not wanted.any():
        return 0
    pairs = np.unique(entries.file[wanted].astype(np.int64) << 32 | labels[wanted])
    return int(np.bincount(pairs >> 32).max())
