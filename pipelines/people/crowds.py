"""Entries of whom hardly more than a name is known -> how many others have that name, and how alike they are.

Links lead to a few neighbours, but a common name may be any of thousands: none of them likely, and all together so.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipelines.people.entries import BIRTH, NUMBERS, Codes, Entries
from pipelines.people.weights import Weigher

# By what entries share with those of their name: the part of the first name that they have.
PART_OF_NAME: dict[tuple[str, ...], str] = {
    ("surname", "given"): "given",
    ("surname", "given_initial"): "given_initial",
}


class Crowd(NamedTuple):
    """Entries with neither birth nor number."""

    entry: Codes
    alike: Codes  # entries of the same name, with this one
    weight: NDArray[np.float32]  # what the name says for being of one person with any of them, in log2 of the odds

    @classmethod
    def empty(cls) -> "Crowd":
        return cls(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))

    def where(self, chosen: NDArray[np.bool_]) -> "Crowd":
        return Crowd(self.entry[chosen], self.alike[chosen], self.weight[chosen])


def crowd_in(
    entries: Entries, weigher: Weigher, names: tuple[str, ...], order: Codes, group: NDArray[np.uint64]
) -> Crowd:
    """Of the blocks of a blocking by these names; an initial counts where it is all that is written."""
    part = PART_OF_NAME.get(names)
    if part is None or not len(order):
        return Crowd.empty()
    starts = np.flatnonzero(np.concatenate(([True], group[1:] != group[:-1])))
    sizes = np.diff(np.append(starts, len(group)))
    alike = np.repeat(sizes, sizes).astype(np.int32)
    unknown = np.ones(len(order), bool)
    for name in (BIRTH[0], *NUMBERS, *(("given",) if part != "given" else ())):
        unknown &= entries.first(name)[order] == 0
    rows = order[unknown]
    return Crowd(rows, alike[unknown], weigher.weights_of_name(part, rows))


def joined(crowds: list[Crowd]) -> Crowd:
    entry, alike, weight = zip(Crowd.empty(), *crowds, strict=True)
    return Crowd(np.concatenate(entry), np.concatenate(alike), np.concatenate(weight))


def standing(labels: Codes, crowd: Crowd) -> Codes:
    """By person: how many entries it has, those of whom more than a name is known coming before all others."""
    sizes = np.bincount(labels)
    only_named = np.bincount(labels[crowd.entry], minlength=len(sizes))
    places: Codes = (sizes + np.where(sizes > only_named, len(labels) + 1, 0)).astype(np.int32)
    return places


def odds_in_crowd(labels: Codes, crowd: Crowd, a_person: float) -> NDArray[np.float64]:
    """By person of whom only a name is known: the odds that it is any of the others of that name; 0 for all others.

    With so many entries a person, and fewer people the more entries, one entry in the square of that is the only one
    of its person.
    """
    sizes = np.bincount(labels)
    own = labels[crowd.entry]
    others = np.maximum(crowd.alike - sizes[own], 0)
    odds = np.full(len(sizes), np.inf)
    np.minimum.at(odds, own, others * 2.0 ** crowd.weight.astype(np.float64) * (a_person**2 - 1))
    only_named = (sizes > 0) & (np.bincount(own, minlength=len(sizes)) == sizes)
    return np.where(only_named, odds, 0.0)
