"""Batches of people rows, and links between them -> the same by parts, so that no worker ever holds all of it.

What is here are the steps of in_beam.py, as functions of arrays. They call those that link in one process.
"""

import io
import pickle
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipelines import storage
from pipelines.people.entries import (
    COLUMNS,
    NUMBERS,
    Coded,
    Codes,
    Entries,
    Files,
    Hashes,
    Unit,
    hashes_of,
    people_file,
    read_facts,
)
from pipelines.people.figures import Listing, Sums, sums_of
from pipelines.people.likelihoods import Between, Links, between, likelihoods
from pipelines.people.link import (
    BLOCKINGS,
    apart,
    blocks,
    candidates,
    clusters,
    components,
    join,
    stage_links,
    together,
)
from pipelines.people.weights import Weigher, read_thresholds

_PRESENT = ("surname", "given_initial", "birth", *NUMBERS)  # what likelihoods ask of a person
_BIRTH = ("birth_year", "birth_day")
_MIXING = np.uint64(0x9E3779B97F4A7C15)


class Batch(NamedTuple):
    """Files of people that one worker reads at once; and how many entries and files come before them."""

    number: int
    units: tuple[Unit, ...]
    which: str
    entries: int = 0
    files: int = 0


class Size(NamedTuple):
    number: int  # of the batch
    entries: int
    files: int
    sources: list[str]


class Rows(NamedTuple):
    """Entries by number; of each column its slots: hashes, and how many entries have each."""

    numbers: Codes
    columns: dict[str, list[tuple[Hashes, Codes]]]


class Packed(NamedTuple):
    """Rows as they cross a shuffle: most slots are empty and most counts are small."""

    size: int
    content: bytes

    @classmethod
    def of(cls, rows: Rows) -> "Packed":
        plain = pickle.dumps(rows, protocol=5)
        return cls(len(plain), pa.compress(plain, "lz4", asbytes=True))

    def rows(self) -> Rows:
        rows: Rows = pickle.loads(pa.decompress(self.content, self.size, "lz4"))  # noqa: S301 - made by this count
        return rows


class Staged(NamedTuple):
    """Links, and in which stage of the search each was found."""

    links: Links
    stage: NDArray[np.int8]


def batches_of(units: Sequence[Unit], which: str, rows: int) -> list[Batch]:
    """Neighbours, until they have about so many rows."""
    found: list[list[Unit]] = []
    left = 0
    for scan, name in units:
        with people_file(storage.join(scan.people, name)) as file:
            here = file.metadata.num_rows
        if left < here or not found:
            found.append([])
            left = rows
        found[-1].append((scan, name))
        left -= here
    return [Batch(number, tuple(batch), which) for number, batch in enumerate(found)]


def size_of(batch: Batch) -> Size:
    entries, _ = read_facts(batch.units, batch.which)
    return Size(batch.number, len(entries), len(entries.files.row), entries.files.sources)


# How many entries have a value.


def _hashes_in(batch: Batch, columns: Sequence[str] = COLUMNS) -> dict[str, list[Hashes]]:
    entries, chosen = read_facts(batch.units, batch.which)
    return {column: hashes_of(chosen, column, len(entries)) for column in columns}


def _values(slots: Sequence[Hashes]) -> tuple[Hashes, NDArray[np.int64]]:
    """Those that there are, in order, and how often."""
    hashes = np.concatenate(slots)
    return np.unique(hashes[hashes > 0], return_counts=True)


def values_in(batch: Batch, parts: int) -> Iterator[tuple[tuple[str, int], tuple[int, Hashes, Codes]]]:
    for column, slots in _hashes_in(batch).items():
        values, counts = _values(slots)
        for part, here in _by_part(values, parts):
            yield (column, part), (batch.number, values[here], counts[here].astype(np.int32))


def add_up(
    group: tuple[tuple[str, int], Iterable[tuple[int, Hashes, Codes]]],
) -> Iterator[tuple[int, tuple[str, int, Codes]]]:
    """To each batch that has values of this part: how many entries of all have them."""
    (column, part), given = group
    counted = list(given)
    values, at = np.unique(np.concatenate([values for _, values, _ in counted]), return_inverse=True)
    totals = np.bincount(at, np.concatenate([counts for *_, counts in counted]), len(values)).astype(np.int32)
    for number, own, _ in counted:
        yield number, (column, part, totals[np.searchsorted(values, own)])


# Links.


def rows_by_block(
    group: tuple[int, Any], parts: int, batches: Sequence[Batch]
) -> Iterator[tuple[tuple[int, int], Packed]]:
    """A batch's entries, read once more, to every part in which they have a block."""
    number, totals = group
    batch, of_values = batches[number], {(column, part): counts for column, part, counts in totals}
    hashes = _hashes_in(batch)
    counted = {column: _with_counts(slots, of_values, column, parts) for column, slots in hashes.items()}
    for blocking, (names, _) in enumerate(BLOCKINGS):
        slots = hashes[names[0]] if len(names) == 1 else [_mixed([hashes[name][0] for name in names])]
        inside = [dict(_by_part(keys, parts)) for keys in slots]
        for part in sorted({part for of_slot in inside for part in of_slot}):
            here = np.unique(np.concatenate([of_slot[part] for of_slot in inside if part in of_slot]))
            columns = {
                column: [(values[here], counts[here]) for values, counts in slots] for column, slots in counted.items()
            }
            yield (blocking, part), Packed.of(Rows((here + batch.entries).astype(np.int32), columns))


def _with_counts(
    slots: Sequence[Hashes], totals: dict[tuple[str, int], Codes], column: str, parts: int
) -> list[tuple[Hashes, Codes]]:
    values, _ = _values(slots)
    counts = np.zeros(len(values) + 1, np.int32)
    for part, here in _by_part(values, parts):
        counts[here] = totals[column, part]
    return [(slot, counts[np.where(slot > 0, np.searchsorted(values, slot), len(values))]) for slot in slots]


def _mixed(columns: Sequence[Hashes]) -> Hashes:
    """One key of several hashes, 0 where any is missing."""
    mixed = np.zeros(len(columns[0]), np.uint64)
    for hashes in columns:
        mixed = mixed * _MIXING + hashes
    return np.where(np.logical_and.reduce([hashes > 0 for hashes in columns]), mixed | np.uint64(1), np.uint64(0))


def _by_part(keys: Hashes, parts: int) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Places of keys other than 0, for each part that has any."""
    part = _part_of(keys, parts)
    for number in np.unique(part[keys > 0]).tolist():
        yield number, np.flatnonzero((part == number) & (keys > 0))


def _part_of(keys: Hashes, parts: int) -> NDArray[np.int64]:
    return (keys >> np.uint64(8)).astype(np.int64) % parts


def links_in(group: tuple[tuple[int, int], Iterable[Packed]], parts: int, size: int) -> Staged:
    """Of one part of a blocking; a pair that sure links of an earlier stage join is not looked at."""
    (blocking, part), chunks = group
    rows = _together([chunk.rows() for chunk in chunks])
    entries = Entries(file=np.zeros(len(rows.numbers), np.int32))
    entries.columns = {column: _coded(slots) for column, slots in rows.columns.items()}
    names = BLOCKINGS[blocking][0]
    kept = [_part_of(values, parts) == part for values, _ in rows.columns[names[0]]] if len(names) == 1 else []
    weigher, thresholds = Weigher(entries, size), read_thresholds()
    joined = np.arange(len(entries), dtype=np.int32)
    found: list[Links] = []
    stages: list[NDArray[np.int8]] = []
    for number, stage in enumerate(candidates(*blocks(entries, blocking, kept))):
        sure, weaker, joined = stage_links(weigher, stage, joined, thresholds)
        found += sure, weaker
        stages += [np.full(len(links.left), 2 * blocking + number, np.int8) for links in (sure, weaker)]
    links = together(found)
    return Staged(Links(rows.numbers[links.left], rows.numbers[links.right], links.weight), np.concatenate(stages))


def _together(chunks: Iterable[Rows]) -> Rows:
    """In the order of entries."""
    ordered = sorted(chunks, key=lambda chunk: int(chunk.numbers[0]))
    columns = {
        column: [
            (
                np.concatenate([chunk.columns[column][slot][0] for chunk in ordered]),
                np.concatenate([chunk.columns[column][slot][1] for chunk in ordered]),
            )
            for slot in range(len(ordered[0].columns[column]))
        ]
        for column in ordered[0].columns
    }
    return Rows(np.concatenate([chunk.numbers for chunk in ordered]), columns)


def _coded(slots: Sequence[tuple[Hashes, Codes]]) -> Coded:
    """As all entries have them: numbers in the order of hashes, and how many of all entries have each."""
    _, first, codes = np.unique(
        np.concatenate([np.zeros(1, np.uint64), *(values for values, _ in slots)]),
        return_index=True,
        return_inverse=True,
    )
    counts = np.concatenate([np.zeros(1, np.int32), *(counts for _, counts in slots)])[first]
    size = len(slots[0][0])
    return Coded(
        [codes[1 + slot * size : 1 + (slot + 1) * size].astype(np.int32) for slot in range(len(slots))], counts
    )


# Files of links and of labels between two pipelines. They hold numbers of entries and nothing of anybody.


def save(uri: str, **arrays: NDArray[Any]) -> str:
    sink = io.BytesIO()
    np.savez(sink, allow_pickle=False, **arrays)
    storage.write_whole(uri, sink.getbuffer())
    return uri


def load(uri: str) -> dict[str, NDArray[Any]]:
    with np.load(io.BytesIO(storage.read_whole(uri)), allow_pickle=False) as kept:
        return {name: kept[name] for name in kept.files}


def save_links(uri: str, staged: Staged) -> str:
    return save(uri, left=staged.links.left, right=staged.links.right, weight=staged.links.weight, stage=staged.stage)


def load_links(uri: str) -> Staged:
    kept = load(uri)
    return Staged(Links(kept["left"], kept["right"], kept["weight"]), kept["stage"])


@lru_cache(maxsize=2)
def load_labels(uri: str) -> Codes:
    return load(uri)["labels"]


# Connected entries.


def stars(left: Codes, right: Codes) -> tuple[Codes, Codes]:
    """The same connections with fewer links: from each entry to the smallest that it is connected with."""
    entries, at = np.unique(np.concatenate([left, right]), return_inverse=True)
    places: Codes = at.astype(np.int32)
    roots = components(len(entries), places[: len(left)], places[len(left) :])
    below = roots != np.arange(len(entries))
    return entries[below], entries[roots[below]]


def stars_of(uri: str, least: float) -> tuple[Codes, Codes]:
    links = load_links(uri).links
    strong = links.weight >= least
    return stars(links.left[strong], links.right[strong])


def labels_of(found: tuple[Codes, Codes], size: int) -> Codes:
    labels = np.arange(size, dtype=np.int32)
    labels[found[0]] = found[1]
    return labels


def links_by_component(uri: str, labels: Codes, parts: int) -> tuple[Staged, list[tuple[int, Staged]]]:
    """Links between components, and those inside by parts."""
    links, stage = load_links(uri)
    label, other = labels[links.left], labels[links.right]
    inside = label == other
    found = []
    for part in np.unique(label[inside] % parts).tolist():
        here = inside & (label % parts == part)
        found.append((int(part), Staged(links.where(here), stage[here])))
    return Staged(links.where(~inside), stage[~inside]), found


class Births(NamedTuple):
    numbers: Codes
    year: Hashes
    day: Hashes


def births_by_component(batch: Batch, labels: Codes, parts: int) -> Iterator[tuple[int, Births]]:
    year, day = (slots[0] for slots in _hashes_in(batch, _BIRTH).values())
    numbers = np.arange(batch.entries, batch.entries + len(year), dtype=np.int32)
    label = labels[numbers]
    connected = _sizes(labels)[label] > 1
    for part in np.unique(label[connected] % parts).tolist():
        here = connected & (label % parts == part)
        yield int(part), Births(numbers[here], year[here], day[here])


def _sizes(labels: Codes) -> NDArray[np.int64]:
    return np.bincount(labels)


def clusters_in(
    staged: Sequence[Staged], births: Sequence[Births], thresholds: Sequence[float], *, prune: bool
) -> tuple[Codes, list[Codes], Staged]:
    """Of whole components: their entries, the person of each under every threshold, and the links that are needed."""
    numbers = np.sort(np.concatenate([chunk.numbers for chunk in births]))
    order = np.argsort(np.concatenate([chunk.numbers for chunk in births]))
    entries = Entries(file=np.zeros(len(numbers), np.int32))
    for name, hashes in zip(_BIRTH, ([one.year for one in births], [one.day for one in births]), strict=True):
        values = np.concatenate(hashes)[order]
        entries.columns[name] = _coded([(values, np.ones(len(values), np.int32))])
    links = together([chunk.links for chunk in staged])
    stage = np.concatenate([chunk.stage for chunk in staged])
    here = Links(
        np.searchsorted(numbers, links.left).astype(np.int32),
        np.searchsorted(numbers, links.right).astype(np.int32),
        links.weight,
    )
    if prune:
        here, stage = _pruned(len(numbers), here, stage)
    labels = [numbers[clusters(entries, here, least)] for least in thresholds]
    return numbers, labels, Staged(Links(numbers[here.left], numbers[here.right], here.weight), stage)


def _pruned(size: int, links: Links, stage: NDArray[np.int8]) -> tuple[Links, NDArray[np.int8]]:
    """Without the links that those of earlier stages make needless: as if stages had come one after the other."""
    sure = links.weight >= read_thresholds().sure
    joined = np.arange(size, dtype=np.int32)
    kept = np.zeros(len(stage), bool)
    for number in np.unique(stage[sure]).tolist():
        here = sure & (stage == number)
        here[here] = joined[links.left[here]] != joined[links.right[here]]
        joined = join(joined, links.where(here))
        kept |= here
    kept |= ~sure & (joined[links.left] != joined[links.right])
    return links.where(kept), stage[kept]


# Figures.


class Persons(NamedTuple):
    """Entries of whole people, with what is counted of them."""

    numbers: Codes
    labels: Codes
    file: Codes
    facts: dict[str, NDArray[Any]]
    places: list[tuple[str, str, str]]  # country, source and folder, which `place` counts
    place: Codes


def people_by_part(batch: Batch, labels: Codes, parts: int) -> Iterator[tuple[int, Persons]]:
    entries, chosen = read_facts(batch.units, batch.which)
    numbers = np.arange(batch.entries, batch.entries + len(entries), dtype=np.int32)
    own = labels[numbers]
    facts: dict[str, NDArray[Any]] = {"bits": entries.bits, "health": entries.health, "known": entries.known}
    for name in _PRESENT:
        facts[name] = hashes_of(chosen, name, len(entries))[0] > 0
    files = entries.files
    keys = np.stack((entries.country, files.source[entries.file], files.folder[entries.file]), axis=1)
    distinct, place = np.unique(keys, axis=0, return_inverse=True)
    for part in np.unique(own % parts).tolist():
        here = np.flatnonzero(own % parts == part)
        used, at = np.unique(place[here], return_inverse=True)
        places = [
            (entries.countries[country], files.sources[source], files.folders[folder])
            for country, source, folder in distinct[used].tolist()
        ]
        yield (
            int(part),
            Persons(
                numbers[here],
                own[here],
                entries.file[here] + np.int32(batch.files),
                {name: values[here] for name, values in facts.items()},
                places,
                at.astype(np.int32),
            ),
        )


def between_by_part(uri: str, labels: Codes, shift: float, parts: int) -> Iterator[tuple[int, Between]]:
    found = between(labels, apart(load_links(uri).links, labels), shift, _sizes(labels))
    for part in np.unique(found.small % parts).tolist():
        here = found.small % parts == part
        yield int(part), Between(found.small[here], found.large[here], found.weight[here])


def sums_in(persons: Sequence[Persons], weaker: Sequence[Between], listing: Listing) -> Sums:
    """With numbers of entries and files as they are over all."""
    ordered = sorted(persons, key=lambda chunk: int(chunk.numbers[0]))
    numbers, labels = (
        np.concatenate(part) for part in zip(*((one.numbers, one.labels) for one in ordered), strict=True)
    )
    files, file = np.unique(np.concatenate([one.file for one in ordered]), return_inverse=True)
    facts = {name: np.concatenate([one.facts[name] for one in ordered]) for name in ordered[0].facts}
    entries = _entries(ordered, file.astype(np.int32), files, facts)
    people, local = np.unique(labels, return_inverse=True)
    odds = Between(
        np.searchsorted(people, np.concatenate([np.empty(0, np.int32), *(one.small for one in weaker)])).astype(
            np.int32
        ),
        np.concatenate([np.empty(0, np.int32), *(one.large for one in weaker)]),
        np.concatenate([np.empty(0, np.float32), *(one.weight for one in weaker)]),
    )
    likely = likelihoods(entries, local.astype(np.int32), odds)
    sums = sums_of(entries, local.astype(np.int32), likely, listing)
    sums.in_files = files[sums.in_files[0]], sums.in_files[1]
    sums.listed = files[sums.listed[0]], sums.listed[1]
    sums.exposed = [one._replace(person=int(numbers[one.person]), file=int(files[one.file])) for one in sums.exposed]
    return sums


def _entries(persons: Sequence[Persons], file: Codes, files: Codes, facts: dict[str, NDArray[Any]]) -> Entries:
    countries: dict[str, int] = {"": 0}
    sources: dict[str, int] = {}
    folders: dict[str, int] = {}
    country, of_entry = [], []
    for one in persons:
        named = [
            (
                countries.setdefault(place[0], len(countries)),
                sources.setdefault(place[1], len(sources)),
                folders.setdefault(place[2], len(folders)),
            )
            for place in one.places
        ]
        table = np.array(named, np.int32)[one.place]
        country.append(table[:, 0].astype(np.int16))
        of_entry.append(table[:, 1:])
    places = np.concatenate(of_entry)
    of_file = np.zeros((len(files), 2), np.int32)
    of_file[file] = places
    entries = Entries(
        file=file,
        bits=facts["bits"],
        health=facts["health"],
        known=facts["known"],
        country=np.concatenate(country),
        countries=list(countries),
        files=Files(
            row=np.zeros(len(files), np.int32),
            source=of_file[:, 0],
            sources=list(sources),
            folder=of_file[:, 1],
            folders=list(folders),
        ),
    )
    for name in _PRESENT:
        entries.columns[name] = Coded([facts[name].astype(np.int32)], np.zeros(2, np.int32))
    return entries
