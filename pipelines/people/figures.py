"""Linked entries -> how many people are affected: in all, by source, folder, file, characteristic and jurisdiction."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipelines.people.entries import Entries
from pipelines.people.link import Linked
from pipelines.people.weights import read_shares
from screening.ruleset.definitions import Characteristic

_MOST_SOURCES = 20  # of which pairs are compared


def figures_of(
    entries: Entries,
    linked: Linked,
    characteristics: Sequence[Characteristic],
    listed: int = 20,
    groups: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """What `leakscreen people --json` prints; `listed` bounds the lists of folders, files and people.

    With `groups` of files, by uri, also how many people are in the files of each.
    """
    people = _People(entries, linked)
    files = entries.files
    folder, source = files.folder[entries.file], files.source[entries.file]
    return {
        "rows": len(entries),
        "files": len(files.row),
        "people": interval_of(linked),
        "with_health": people.count(np.flatnonzero(people.any_of(entries.health))),
        "known": people.count(np.flatnonzero(people.any_of(entries.known))),
        "by_source": _named(files.sources, people.by(source, len(files.sources)), len(files.sources)),
        "by_folder": _named(files.folders, people.by(folder, len(files.folders)), listed),
        "by_file": [
            {"uri": files.uri(number), "people": count}
            for number, count in _largest(people.by(entries.file, len(files.row)), listed)
        ],
        "by_characteristic": _by_characteristic(people, characteristics),
        "by_jurisdiction": _by_jurisdiction(entries, people),
        "most_exposed": _most_exposed(entries, people, characteristics, listed),
        "overlap": _overlap(entries, people, source),
        **({} if groups is None else {"by_group": _by_group(entries, people, groups)}),
    }


def interval_of(linked: Linked) -> dict[str, int]:
    """The estimate, and within what it lies: at most the links that are sure, at least the people who are well known.

    A file hardly names somebody twice in two ways, so those of the longest list are surely distinct, but for a share.
    """
    _, first = np.unique(linked.same, return_index=True)
    own, least = linked.own[first].astype(float), linked.least[first].astype(float)
    shares = read_shares()["least"]
    chance = shares["deviations"] * float(np.sqrt((least * (1 - least)).sum()))
    at_least = max(float(least.sum()) - chance, shares["one_file"] * linked.one_file)
    count, most = round(float(own.sum())), len(np.unique(linked.sure))
    return {"count": count, "surely_distinct": min(count, math.floor(at_least)), "at_most": max(count, most)}


class _People:
    """Of each person of the estimate: how likely it is one more, and which entries it has."""

    def __init__(self, entries: Entries, linked: Linked) -> None:
        _, self.first, self.label = np.unique(linked.same, return_index=True, return_inverse=True)
        self.own = linked.own[self.first]
        self.size = len(self.first)
        self.bits = np.zeros(self.size, np.uint64)
        np.bitwise_or.at(self.bits, self.label, entries.bits)

    def count(self, people: NDArray[np.int64]) -> int:
        return round(float(self.own[people].sum()))

    def any_of(self, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.bincount(self.label[flags], minlength=self.size) > 0

    def by(self, group: NDArray[Any], groups: int) -> NDArray[np.int64]:
        """For each group how many people have an entry in it."""
        pairs = self.pairs(group)
        return np.round(np.bincount(pairs >> 32, self.own[pairs & 0xFFFFFFFF], groups)).astype(np.int64)

    def pairs(self, group: NDArray[Any]) -> NDArray[np.int64]:
        """Group and person, each pair once, as one number."""
        return np.unique(group.astype(np.int64) << 32 | self.label)


def _largest(counts: NDArray[np.int64], listed: int) -> list[tuple[int, int]]:
    order = np.argsort(-counts, kind="stable")[:listed]
    return [(int(number), int(counts[number])) for number in order if counts[number]]


def _named(names: Sequence[str], counts: NDArray[np.int64], listed: int) -> dict[str, int]:
    return {names[number]: count for number, count in _largest(counts, listed)}


def _by_characteristic(people: _People, characteristics: Sequence[Characteristic]) -> dict[str, int]:
    counts = {
        each.id: people.count(np.flatnonzero(people.bits & np.uint64(each.value)))
        for each in characteristics
        if each.group != "none"
    }
    return {name: count for name, count in sorted(counts.items(), key=lambda one: -one[1]) if count}


def _by_jurisdiction(entries: Entries, people: _People) -> dict[str, int]:
    """Each person is of the place that most of their entries show."""
    shown = np.flatnonzero(entries.country)
    pairs, counts = np.unique(people.label[shown].astype(np.int64) << 32 | entries.country[shown], return_counts=True)
    order = np.lexsort((-counts, pairs >> 32))
    person, place = pairs[order] >> 32, pairs[order] & 0xFFFFFFFF
    first = np.ones(len(person), bool)
    first[1:] = person[1:] != person[:-1]
    sums = np.bincount(place[first], people.own[person[first]], len(entries.countries))
    sums[0] = people.own.sum() - sums[1:].sum()
    found = {name or "unknown": round(float(count)) for name, count in zip(entries.countries, sums, strict=True)}
    return {name: count for name, count in sorted(found.items(), key=lambda one: -one[1]) if count}


def _by_group(entries: Entries, people: _People, groups: Mapping[str, Sequence[str]]) -> dict[str, int]:
    of_files = [groups.get(uri, ()) for uri in entries.files.uris()]
    names = dict.fromkeys(name for of_file in of_files for name in of_file)
    inside = {name: np.fromiter((name in of_file for of_file in of_files), bool, len(of_files)) for name in names}
    return {name: people.count(np.flatnonzero(people.any_of(chosen[entries.file]))) for name, chosen in inside.items()}


def _most_exposed(
    entries: Entries, people: _People, characteristics: Sequence[Characteristic], listed: int
) -> list[dict[str, Any]]:
    """By how many characteristics are known, then by how many files know them; where the first of them is."""
    kinds = [each for each in characteristics if each.group != "none"]
    known = np.zeros(people.size, np.int64)
    for each in kinds:
        known += (people.bits & np.uint64(each.value)) > 0
    files = np.bincount(people.pairs(entries.file) & 0xFFFFFFFF, minlength=people.size)
    has_health = people.any_of(entries.health)
    order = np.lexsort((-files, -known, ~has_health))[:listed]
    return [
        {
            "first_in": entries.files.uri(int(entries.file[people.first[person]])),
            "files": int(files[person]),
            "health": bool(has_health[person]),
            "characteristics": [each.id for each in kinds if int(people.bits[person]) & each.value],
        }
        for person in order.tolist()
    ]


def _overlap(entries: Entries, people: _People, source: NDArray[np.int32]) -> list[dict[str, Any]]:
    names = entries.files.sources[:_MOST_SOURCES]
    if len(names) < 2:
        return []
    members = [people.any_of(source == number) for number in range(len(names))]
    return [
        {"sources": [names[one], names[other]], "people": people.count(np.flatnonzero(members[one] & members[other]))}
        for one, other in combinations(range(len(names)), 2)
    ]
