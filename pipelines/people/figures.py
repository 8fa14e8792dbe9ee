"""Linked entries -> how many people are affected: in all, by source, folder, file, characteristic and jurisdiction.

What is counted of some people and of others adds up, so it can be counted part by part.
"""

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipelines.people.entries import Codes, Entries
from pipelines.people.likelihoods import Likely
from pipelines.people.link import Linked
from pipelines.people.weights import read_shares
from screening.ruleset.definitions import Characteristic

_MOST_SOURCES = 20  # of which pairs are compared
_DIGITS = 6  # behind which sums differ by the order in which they were added up
Total = tuple[str, ...]  # what is counted, such as source and its name
Totals = defaultdict[Total, float]


class Exposed(NamedTuple):
    """Somebody of whom much is known; those with health, most characteristics and most files come first."""

    without_health: bool
    fewer_kinds: int  # negative
    fewer_files: int  # negative
    person: int  # the smallest entry
    file: int  # where that is
    bits: int


@dataclass(slots=True)
class Sums:
    """What adds up over people."""

    totals: Totals = field(default_factory=lambda: defaultdict(float))
    in_files: tuple[Codes, NDArray[np.float64]] = (np.empty(0, np.int32), np.empty(0))  # files, and people in each
    listed: tuple[Codes, Codes] = (np.empty(0, np.int32), np.empty(0, np.int32))
    exposed: list[Exposed] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Listing:
    """How much is listed, and of what."""

    characteristics: Sequence[Characteristic]
    listed: int
    sources: Sequence[str]
    groups: Mapping[str, Sequence[str]] | None = None  # of files, by uri

    @property
    def kinds(self) -> list[Characteristic]:
        return [each for each in self.characteristics if each.group != "none"]


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
    listing = Listing(characteristics, listed, entries.files.sources, groups)
    sums = sums_of(entries, linked.same, linked.likely, listing)
    sums.totals["sure",] = len(np.unique(linked.sure))
    largest, longest = largest_files(*sums.in_files, listed), most(sums.listed[1])
    return as_figures(sums, largest, longest, listing, len(entries.files.row), entries.files.uri)


def sums_of(entries: Entries, labels: Codes, likely: Likely, listing: Listing) -> Sums:
    """Of people all of whose entries are here."""
    people = _People(entries, labels, likely)
    files = entries.files
    folder, source = files.folder[entries.file], files.source[entries.file]
    own, least = people.own.astype(float), likely.least[people.first].astype(float)
    totals: Totals = defaultdict(float)
    totals["rows",] = len(entries)
    totals["people",], totals["least",] = float(own.sum()), float(least.sum())
    totals["variance",] = float((least * (1 - least)).sum())
    totals["with_health",] = people.count(people.any_of(entries.health))
    totals["known",] = people.count(people.any_of(entries.known))
    for name, group, names in (("folder", folder, files.folders), ("source", source, files.sources)):
        for number, count in enumerate(people.by(group, len(names)).tolist()):
            totals[name, names[number]] += count
    for each in listing.kinds:
        totals["characteristic", each.id] = people.count((people.bits & np.uint64(each.value)) > 0)
    totals.update(_by_jurisdiction(entries, people))
    members = [people.any_of(source == files.sources.index(name)) if name in files.sources else None
        for name in listing.sources[:_MOST_SOURCES]]  # fmt: skip
    for one, other in combinations(range(len(members)), 2):
        both = members[one], members[other]
        if both[0] is not None and both[1] is not None:
            totals["overlap", str(one), str(other)] = people.count(both[0] & both[1])
    if listing.groups is not None:
        totals.update(_by_group(entries, people, listing.groups))
    in_files = people.by(entries.file, len(files.row))
    inside = np.flatnonzero(in_files).astype(np.int32)
    exposed = _most_exposed(entries, people, listing)
    return Sums(totals, (inside, in_files[inside]), likely.listed, exposed)


def largest_files(files: Codes, people: NDArray[np.float64], listed: int) -> list[tuple[int, int]]:
    """Files and how many people are in each, those with most first."""
    counts = np.round(people).astype(np.int64)
    order = np.lexsort((files, -counts))[:listed]
    return [(int(files[number]), int(counts[number])) for number in order if counts[number]]


def most(counts: NDArray[Any]) -> int:
    return int(counts.max()) if len(counts) else 0


def as_figures(
    sums: Sums,
    largest: Sequence[tuple[int, int]],
    longest: int,
    listing: Listing,
    files: int,
    uri: Callable[[int], str],
) -> dict[str, Any]:
    totals = sums.totals
    return {
        "rows": int(totals["rows",]),
        "files": files,
        "people": interval(totals, longest),
        "with_health": round(totals["with_health",]),
        "known": round(totals["known",]),
        "by_source": _named(totals, "source"),
        "by_folder": _named(totals, "folder", listing.listed),
        "by_file": [{"uri": uri(number), "people": count} for number, count in largest],
        "by_characteristic": _named(totals, "characteristic"),
        "by_jurisdiction": _named(totals, "jurisdiction"),
        "most_exposed": [
            {
                "first_in": uri(one.file),
                "files": -one.fewer_files,
                "health": not one.without_health,
                "characteristics": [each.id for each in listing.kinds if one.bits & each.value],
            }
            for one in heapq.nsmallest(listing.listed, sums.exposed)
        ],
        "overlap": [
            {
                "sources": [listing.sources[one], listing.sources[other]],
                "people": round(totals["overlap", str(one), str(other)]),
            }
            for one, other in combinations(range(min(len(listing.sources), _MOST_SOURCES)), 2)
        ],
        **({} if listing.groups is None else {"by_group": _named(totals, "group")}),
    }


def interval_of(linked: Linked) -> dict[str, int]:
    _, first = np.unique(linked.same, return_index=True)
    own, least = (part[first].astype(float) for part in (linked.likely.own, linked.likely.least))
    totals: Totals = defaultdict(float)
    totals["people",], totals["least",] = float(own.sum()), float(least.sum())
    totals["variance",] = float((least * (1 - least)).sum())
    totals["sure",] = len(np.unique(linked.sure))
    return interval(totals, most(linked.likely.listed[1]))


def brief_figures(entries: Entries, linked: Linked) -> dict[str, int]:
    """The interval, and how many of the people have health information and are in the organisation's own list."""
    people = _People(entries, linked.same, linked.likely)
    counts = {name: people.any_of(flags) for name, flags in (("with_health", entries.health), ("known", entries.known))}
    return {**interval_of(linked), **{name: round(people.count(chosen)) for name, chosen in counts.items()}}


def interval(totals: Mapping[Total, float], longest: int) -> dict[str, int]:
    """The estimate, and within what it lies: at most the links that are sure, at least the people who are well known.

    A file hardly names somebody twice in two ways, so those of the longest list are surely distinct, but for a share.
    """
    shares = read_shares()["least"]
    at_least = totals["least",] - shares["deviations"] * math.sqrt(totals["variance",])
    at_least = max(at_least, shares["one_file"] * longest)
    count = round(totals["people",])
    surely = math.floor(round(at_least, _DIGITS))
    return {"count": count, "surely_distinct": min(count, surely), "at_most": max(count, int(totals["sure",]))}


class _People:
    """Of each person of the estimate: how likely it is one more, and which entries it has."""

    def __init__(self, entries: Entries, labels: Codes, likely: Likely) -> None:
        _, self.first, self.label = np.unique(labels, return_index=True, return_inverse=True)
        self.own = likely.own[self.first]
        self.size = len(self.first)
        self.bits = np.zeros(self.size, np.uint64)
        np.bitwise_or.at(self.bits, self.label, entries.bits)

    def count(self, chosen: NDArray[np.bool_]) -> float:
        return float(self.own[chosen].astype(float).sum())

    def any_of(self, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.bincount(self.label[flags], minlength=self.size) > 0

    def by(self, group: NDArray[Any], groups: int) -> NDArray[np.float64]:
        """For each group how many people have an entry in it."""
        pairs = self.pairs(group)
        sums: NDArray[np.float64] = np.bincount(pairs >> 32, self.own[pairs & 0xFFFFFFFF], groups).astype(np.float64)
        return sums

    def pairs(self, group: NDArray[Any]) -> NDArray[np.int64]:
        """Group and person, each pair once, as one number."""
        return np.unique(group.astype(np.int64) << 32 | self.label)


def _named(totals: Mapping[Total, float], name: str, listed: int | None = None) -> dict[str, int]:
    counts: Iterable[tuple[str, int]] = ((key[1], round(count)) for key, count in totals.items() if key[0] == name)
    return dict(sorted((one for one in counts if one[1]), key=lambda one: (-one[1], one[0]))[:listed])


def _by_jurisdiction(entries: Entries, people: _People) -> dict[Total, float]:
    """Each person is of the place that most of their entries show, or of the first by name of several."""
    names = sorted(range(len(entries.countries)), key=lambda number: entries.countries[number])
    rank = np.empty(len(names), np.int64)
    rank[names] = np.arange(len(names))
    shown = np.flatnonzero(entries.country)
    pairs, counts = np.unique(
        people.label[shown].astype(np.int64) << 32 | rank[entries.country[shown]], return_counts=True
    )
    order = np.lexsort((pairs, -counts, pairs >> 32))
    person, place = pairs[order] >> 32, pairs[order] & 0xFFFFFFFF
    first = np.ones(len(person), bool)
    first[1:] = person[1:] != person[:-1]
    sums = np.bincount(place[first], people.own[person[first]], len(names))
    sums[rank[0]] = people.own.astype(float).sum() - sums.sum()
    return {("jurisdiction", entries.countries[names[at]] or "unknown"): count for at, count in enumerate(sums)}


def _by_group(entries: Entries, people: _People, groups: Mapping[str, Sequence[str]]) -> dict[Total, float]:
    of_files = [groups.get(uri, ()) for uri in entries.files.uris()]
    names = dict.fromkeys(name for of_file in of_files for name in of_file)
    inside = {name: np.fromiter((name in of_file for of_file in of_files), bool, len(of_files)) for name in names}
    return {("group", name): people.count(people.any_of(chosen[entries.file])) for name, chosen in inside.items()}


def _most_exposed(entries: Entries, people: _People, listing: Listing) -> list[Exposed]:
    """By how many characteristics are known, then by how many files know them; where the first of them is."""
    known = np.zeros(people.size, np.int64)
    for each in listing.kinds:
        known += (people.bits & np.uint64(each.value)) > 0
    files = np.bincount(people.pairs(entries.file) & 0xFFFFFFFF, minlength=people.size)
    has_health = people.any_of(entries.health)
    order = np.lexsort((-files, -known, ~has_health))[: listing.listed]
    return [
        Exposed(
            not has_health[person],
            -int(known[person]),
            -int(files[person]),
            int(people.first[person]),
            int(entries.file[people.first[person]]),
            int(people.bits[person]),
        )
        for person in order.tolist()
    ]
