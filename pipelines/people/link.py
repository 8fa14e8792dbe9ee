"""Entries -> which of them are of one person, surely and as likely as not, and how likely each person is one more.

Pairs are looked for among entries that share something (a block): a number, a name, a date of birth. In each block an
entry is compared with the few that come next in an order which puts likely pairs side by side, so the work grows with
the entries and not with their square.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipelines.people.crowds import Crowd, crowd_in, joined, standing
from pipelines.people.entries import BIRTH, CONTACTS, NUMBERS, Codes, Entries
from pipelines.people.likelihoods import Likely, Links, between, likelihoods
from pipelines.people.weights import Thresholds, Weigher, read_thresholds

ROUNDS = 2
_NEXT = 6  # neighbours in a block that an entry is compared with
_AT_ONCE = 500_000  # pairs
_MIXING = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no key is lost
_SECOND = np.uint64((1 << 24) - 1)  # bits by which a block is sorted
# What entries of a block share, and by what a block is sorted.
BLOCKINGS: tuple[tuple[tuple[str, ...], str], ...] = (
    *(((name,), "given_initial") for name in (*NUMBERS, *CONTACTS)),
    (("surname", "given"), "birth"),
    (("birth", "given_sound"), "surname_sound"),
    (("birth", "surname_sound"), "given_sound"),
    (("surname_sound", "given_sound"), "birth_day"),
    (("surname", "given_initial"), "birth"),
    (("surname_tail", "given", "birth_year"), "birth_day"),
)


class Linked(NamedTuple):
    """For each entry the number of its person, under two opinions; and how likely each is one more person.

    Somebody of whom only a common name is known may be any of several: nobody can say which, but hardly one more.
    """

    sure: Codes
    same: Codes
    likely: Likely


def link(entries: Entries) -> Linked:
    thresholds = read_thresholds()
    links, crowd = _links(entries, thresholds)
    shift = _prior(entries, links, thresholds.same)
    sure, same = (clusters(entries, links, least - shift) for least in (thresholds.sure, thresholds.same))
    weaker = between(same, links, shift, standing(same, crowd))
    return Linked(sure, same, likelihoods(entries, same, weaker, crowd, entries_a_person(len(entries), same)))


def _prior(entries: Entries, links: Links, least: float) -> float:
    """How many others an entry has of its person, in log2: weights say one, and the links themselves know better."""
    shift = 0.0
    for _ in range(ROUNDS if len(entries) else 0):
        shift = shift_for(len(entries), clusters(entries, links, least - shift))
    return shift


def shift_for(entries: int, labels: Codes) -> float:
    return math.log2(max(1.0, entries_a_person(entries, labels) - 1))


def entries_a_person(entries: int, labels: Codes) -> float:
    return entries / max(1, len(np.unique(labels)))


def _links(entries: Entries, thresholds: Thresholds) -> tuple[Links, Crowd]:
    """Every pair that is at least possible, but for those whose entries sure links join already; and who has a name."""
    weigher = Weigher(entries)
    sure: list[Links] = []
    weaker: list[Links] = []
    crowds: list[Crowd] = []
    labels = np.arange(len(entries), dtype=np.int32)
    for blocking, (names, _) in enumerate(BLOCKINGS):
        order, group = blocks(entries, blocking)
        crowds.append(crowd_in(entries, weigher, names, order, group))
        for stage in candidates(order, group):
            fresh, possible, labels = stage_links(weigher, stage, labels, thresholds)
            sure.append(fresh)
            weaker.append(possible)
        weaker = [apart(together(weaker), labels)]
    return together([*sure, *weaker]), joined(crowds)


def stage_links(
    weigher: Weigher, stage: Iterator[tuple[Codes, Codes]], joined: Codes, thresholds: Thresholds
) -> tuple[Links, Links, Codes]:
    """Sure and weaker links of entries that are not joined yet, and what the sure ones join."""
    fresh: list[Links] = []
    weaker: list[Links] = []
    for left, right in stage:
        is_apart = joined[left] != joined[right]
        left, right = left[is_apart], right[is_apart]
        links = Links(left, right, weigher.weights(left, right))
        is_sure = links.weight >= thresholds.sure
        fresh.append(links.where(is_sure))
        weaker.append(links.where((links.weight >= thresholds.possible) & ~is_sure))
    sure = together(fresh)
    return sure, together(weaker), join(joined, sure)


def candidates(order: Codes, group: NDArray[np.uint64]) -> Iterator[Iterator[tuple[Codes, Codes]]]:
    """Pairs of one blocking in two stages: those right beside each other join most, and leave little to weigh."""
    for distances in (range(1, 2), range(2, _NEXT + 1)):
        yield _neighbours(order, group, distances)


def apart(links: Links, joined: Codes) -> Links:
    kept = joined[links.left] != joined[links.right]
    return Links(links.left[kept], links.right[kept], links.weight[kept])


def together(links: list[Links]) -> Links:
    if not links:
        return Links(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
    left, right, weight = zip(*links, strict=True)
    return Links(np.concatenate(left), np.concatenate(right), np.concatenate(weight))


def join(labels: Codes, links: Links) -> Codes:
    left, right, _ = links
    return labels if not len(left) else components(len(labels), labels[left], labels[right])[labels]


def components(size: int, left: Codes, right: Codes) -> Codes:
    """The smallest entry that each is linked to, over any number of links.

    Each round hangs every root that has a link below the smallest that it is linked to, so few rounds are needed.
    """
    labels = np.arange(size, dtype=np.int32)
    while len(left):
        first, second = labels[left], labels[right]
        apart = first != second
        left, right, first, second = left[apart], right[apart], first[apart], second[apart]
        np.minimum.at(labels, np.maximum(first, second), np.minimum(first, second))
        while not np.array_equal(labels, shorter := labels[labels]):
            labels = shorter
    return labels


def blocks(entries: Entries, blocking: int, kept: Sequence[NDArray[np.bool_]] = ()) -> tuple[Codes, NDArray[np.uint64]]:
    """Entries in the order of their blocks, and the block of each; of a value's slots those in `kept`, or all."""
    names, sorted_by = BLOCKINGS[blocking]
    if len(names) == 1:
        slots = entries.columns[names[0]].codes
        chosen = [codes > 0 for codes in slots]
        chosen = [here & wanted for here, wanted in zip(chosen, kept, strict=False)] if kept else chosen
        rows = np.concatenate([np.flatnonzero(here).astype(np.int32) for here in chosen])
        keys = np.concatenate([codes[here] for codes, here in zip(slots, chosen, strict=True)]).astype(np.uint64)
    else:
        known = np.logical_and.reduce([entries.first(name) > 0 for name in names])
        rows = np.flatnonzero(known).astype(np.int32)
        keys = np.zeros(len(rows), np.uint64)
        for name in names:
            keys *= _MIXING
            keys += entries.first(name)[rows].astype(np.uint64)
    return _ordered(rows, keys, entries.first(sorted_by))


def _ordered(rows: Codes, keys: NDArray[np.uint64], second: Codes) -> tuple[Codes, NDArray[np.uint64]]:
    """One number holds the block and the order in it; that two blocks have the same only costs a comparison."""
    keys *= _MIXING
    keys &= ~_SECOND
    keys |= second[rows].astype(np.uint64) & _SECOND
    order = np.argsort(keys, kind="stable").astype(np.int32)
    rows, keys = rows[order], keys[order]
    keys &= ~_SECOND
    return rows, keys


def _neighbours(order: Codes, group: NDArray[np.uint64], distances: range) -> Iterator[tuple[Codes, Codes]]:
    for distance in distances:
        for start in range(0, len(order) - distance, _AT_ONCE):
            end = min(start + _AT_ONCE, len(order) - distance)
            same = group[start:end] == group[start + distance : end + distance]
            if same.any():
                first, second = order[start:end][same], order[start + distance : end + distance][same]
                yield np.minimum(first, second), np.maximum(first, second)


def clusters(entries: Entries, links: Links, least: float) -> Codes:
    """Linked entries are one person, unless that puts two dates of birth into one: then the weakest links go.

    By entry, the smallest entry of its person.
    """
    kept = links.weight >= least
    left, right, weight = links.left[kept], links.right[kept], links.weight[kept]
    labels = components(len(entries), left, right) if len(left) else np.arange(len(entries), dtype=np.int32)
    torn = _with_two_births(entries, labels)
    if not torn.any():
        return labels
    inside = np.flatnonzero(torn[labels[left]])
    inside = inside[np.lexsort((right[inside], left[inside], -weight[inside]))]
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
    for entry in members:
        labels[entry] = names.setdefault(root(entry), entry)
    return labels


def _agree(first: set[tuple[int, int]], second: set[tuple[int, int]]) -> bool:
    return all(year == other_year or day == other_day for year, day in first for other_year, other_day in second)
