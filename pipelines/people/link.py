"""Entries -> which of them are of one person: surely, as likely as not, and possibly.

Pairs are looked for among entries that share something (a block): a number, a name, a date of birth. In each block an
entry is compared with the few that come next in an order which puts likely pairs side by side, so the work grows with
the entries and not with their square.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pipelines.people.entries import BIRTH, CONTACTS, NUMBERS, Codes, Entries
from pipelines.people.weights import Thresholds, Weigher, read_thresholds

_ROUNDS = 2
_MOST_ODDS = 20.0
_NEXT = 6  # neighbours in a block that an entry is compared with
_AT_ONCE = 500_000  # pairs
# What entries of a block share, and by what a block is sorted.
_BLOCKS = (
    (("surname", "given"), "birth"),
    (("birth", "given_sound"), "surname_sound"),
    (("birth", "surname_sound"), "given_sound"),
    (("surname_sound", "given_sound"), "birth_day"),
    (("surname", "given_initial"), "birth"),
    (("surname_tail", "given", "birth_year"), "birth_day"),
)


class Linked(NamedTuple):
    """For each entry the number of its person, under three opinions; and how likely each is one more person.

    Somebody of whom only a common name is known may be any of several: nobody can say which, but hardly one more.
    """

    sure: Codes
    same: Codes
    possible: Codes
    own: NDArray[np.float32]  # by entry: the likelihood that its person of `same` is no other of them


class _Links(NamedTuple):
    left: Codes
    right: Codes
    weight: NDArray[np.float32]


def link(entries: Entries) -> Linked:
    thresholds = read_thresholds()
    links = _links(entries, thresholds)
    shift = _prior(entries, links, thresholds.same)
    sure, same, possible = (_clusters(entries, links, least - shift) for least in thresholds)
    return Linked(sure, same, possible, _own(same, links, shift)[same])


def expected(linked: Linked, wanted: NDArray[np.bool_] | None = None) -> int:
    """How many different people there are among the entries, or among those that are wanted."""
    rows = np.arange(len(linked.same)) if wanted is None else np.flatnonzero(wanted)
    _, first = np.unique(linked.same[rows], return_index=True)
    return round(float(linked.own[rows[first]].sum()))


def _own(labels: Codes, links: _Links, shift: float) -> NDArray[np.float32]:
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
    odds = np.bincount(small[best], 2.0 ** np.minimum(weight[best], _MOST_ODDS), minlength=len(size))
    return (1 / (1 + odds)).astype(np.float32)


def _prior(entries: Entries, links: _Links, least: float) -> float:
    """How many others an entry has of its person, in log2: weights say one, and the links themselves know better."""
    shift = 0.0
    for _ in range(_ROUNDS if len(entries) else 0):
        people = len(np.unique(_clusters(entries, links, least - shift)))
        shift = math.log2(max(1.0, len(entries) / people - 1))
    return shift


def _links(entries: Entries, thresholds: Thresholds) -> _Links:
    """Every pair that is at least possible, but for those whose entries sure links join already."""
    weigher = Weigher(entries)
    sure: list[_Links] = []
    weaker: list[_Links] = []
    joined = np.arange(len(entries), dtype=np.int32)
    for order, group in _blocks(entries):
        for nearest in (True, False):  # those right beside each other join most, and leave little to weigh
            fresh: list[_Links] = []
            for left, right in _neighbours(order, group, range(1, 2) if nearest else range(2, _NEXT + 1)):
                apart = joined[left] != joined[right]
                left, right = left[apart], right[apart]
                weight = weigher.weights(left, right)
                is_sure = weight >= thresholds.sure
                possible = (weight >= thresholds.possible) & ~is_sure
                fresh.append(_Links(left[is_sure], right[is_sure], weight[is_sure]))
                weaker.append(_Links(left[possible], right[possible], weight[possible]))
            joined = _joined(joined, fresh)
            sure.append(_together(fresh))
        weaker = [_apart(_together(weaker), joined)]
    return _together([*sure, *weaker])


def _apart(links: _Links, joined: Codes) -> _Links:
    kept = joined[links.left] != joined[links.right]
    return _Links(links.left[kept], links.right[kept], links.weight[kept])


def _together(links: list[_Links]) -> _Links:
    if not links:
        return _Links(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
    left, right, weight = zip(*links, strict=True)
    return _Links(np.concatenate(left), np.concatenate(right), np.concatenate(weight))


def _joined(labels: Codes, links: list[_Links]) -> Codes:
    left, right, _ = _together(links)
    return labels if not len(left) else _components(len(labels), labels[left], labels[right])[labels]


def _components(size: int, left: Codes, right: Codes) -> Codes:
    graph = coo_array((np.ones(len(left), bool), (left, right)), shape=(size, size))
    labels: Codes = connected_components(graph, directed=False)[1].astype(np.int32)
    return labels


def _blocks(entries: Entries) -> Iterator[tuple[Codes, NDArray[np.int64]]]:
    """For each way of blocking: entries in the order of their blocks, and the block of each."""
    for name in (*NUMBERS, *CONTACTS):
        slots = entries.columns[name].codes
        rows = np.concatenate([np.flatnonzero(codes).astype(np.int32) for codes in slots])
        keys = np.concatenate([codes[codes > 0] for codes in slots]).astype(np.int64)
        yield _ordered(rows, keys, entries.first("given_initial")[rows])
    for names, sorted_by in _BLOCKS:
        known = np.logical_and.reduce([entries.first(name) > 0 for name in names])
        rows = np.flatnonzero(known).astype(np.int32)
        keys = np.zeros(len(rows), np.int64)
        for name in names:  # numbers of entries are below 2^31, and a clash of two blocks only costs a comparison
            keys = keys * 2_654_435_761 + entries.first(name)[rows]
        yield _ordered(rows, keys, entries.first(sorted_by)[rows])


def _ordered(rows: Codes, keys: NDArray[np.int64], second: Codes) -> tuple[Codes, NDArray[np.int64]]:
    order = np.argsort(second, kind="stable")
    order = order[np.argsort(keys[order], kind="stable")]
    return rows[order], keys[order]


def _neighbours(order: Codes, group: NDArray[np.int64], distances: range) -> Iterator[tuple[Codes, Codes]]:
    for distance in distances:
        for start in range(0, len(order) - distance, _AT_ONCE):
            end = min(start + _AT_ONCE, len(order) - distance)
            same = group[start:end] == group[start + distance : end + distance]
            if same.any():
                yield order[start:end][same], order[start + distance : end + distance][same]


def _clusters(entries: Entries, links: _Links, least: float) -> Codes:
    """Linked entries are one person, unless that puts two dates of birth into one: then the weakest links go."""
    kept = links.weight >= least
    left, right, weight = links.left[kept], links.right[kept], links.weight[kept]
    labels = _components(len(entries), left, right) if len(left) else np.arange(len(entries), dtype=np.int32)
    torn = _with_two_births(entries, labels)
    if not torn.any():
        return labels
    inside = np.flatnonzero(torn[labels[left]])
    inside = inside[np.argsort(-weight[inside], kind="stable")]
    return _resolved(entries, labels, torn, left[inside], right[inside])


def _with_two_births(entries: Entries, labels: Codes) -> NDArray[np.bool_]:
    """By label, whether its entries have births of which neither year nor day agree."""
    torn = np.zeros(int(labels.max()) + 1 if len(labels) else 0, bool)
    for name in BIRTH[1:]:
        codes = entries.first(name)
        known = np.flatnonzero(codes)
        pairs = np.unique(labels[known].astype(np.int64) << 32 | codes[known])
        several = np.bincount((pairs >> 32).astype(np.int64), minlength=len(torn)) > 1
        torn = several if name == BIRTH[1] else torn & several
    return torn


def _resolved(entries: Entries, labels: Codes, torn: NDArray[np.bool_], left: Codes, right: Codes) -> Codes:
    """Joins entries of torn clusters anew, the strongest links first, as long as the births allow it."""
    year, day = entries.first("birth_year"), entries.first("birth_day")
    members = np.flatnonzero(torn[labels]).tolist()
    parent = {entry: entry for entry in members}
    births = {entry: {(int(year[entry]), int(day[entry]))} - {(0, 0)} for entry in members}

    def root(entry: int) -> int:
        while parent[entry] != entry:
            parent[entry] = parent[parent[entry]]
            entry = parent[entry]
        return entry

    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        first, second = root(one), root(other)
        if first != second and _agree(births[first], births[second]):
            parent[second] = first
            births[first] |= births[second]
    labels = labels.copy()
    names: dict[int, int] = {}
    fresh = int(labels.max()) + 1
    for entry in members:
        labels[entry] = fresh + names.setdefault(root(entry), len(names))
    return labels


def _agree(first: set[tuple[int, int]], second: set[tuple[int, int]]) -> bool:
    return all(year == other_year or day == other_day for year, day in first for other_year, other_day in second)
