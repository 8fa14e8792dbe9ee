"""Batches -> the entries that share a block -> links between them, part by part."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipelines.people.crowds import Crowd, crowd_in
from pipelines.people.entries import Coded, Codes, Entries, Hashes
from pipelines.people.likelihoods import Links
from pipelines.people.link import BLOCKINGS, blocks, candidates, stage_links, together
from pipelines.people.parts.arrays import load, save
from pipelines.people.parts.batches import Batch, by_part, hashes_in, part_of, values_of
from pipelines.people.weights import Weigher, read_thresholds

_MIXING = np.uint64(0x9E3779B97F4A7C15)


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


def rows_by_block(
    group: tuple[int, Any], parts: int, batches: Sequence[Batch]
) -> Iterator[tuple[tuple[int, int], Packed]]:
    """A batch's entries, read once more, to every part in which they have a block."""
    number, totals = group
    batch, of_values = batches[number], {(column, part): counts for column, part, counts in totals}
    hashes = hashes_in(batch)
    counted = {column: _with_counts(slots, of_values, column, parts) for column, slots in hashes.items()}
    for blocking, (names, _) in enumerate(BLOCKINGS):
        slots = hashes[names[0]] if len(names) == 1 else [_mixed([hashes[name][0] for name in names])]
        inside = [dict(by_part(keys, parts)) for keys in slots]
        for part in sorted({part for of_slot in inside for part in of_slot}):
            here = np.unique(np.concatenate([of_slot[part] for of_slot in inside if part in of_slot]))
            columns = {
                column: [(values[here], counts[here]) for values, counts in slots] for column, slots in counted.items()
            }
            yield (blocking, part), Packed.of(Rows((here + batch.entries).astype(np.int32), columns))


def _with_counts(
    slots: Sequence[Hashes], totals: dict[tuple[str, int], Codes], column: str, parts: int
) -> list[tuple[Hashes, Codes]]:
    values, _ = values_of(slots)
    counts = np.zeros(len(values) + 1, np.int32)
    for part, here in by_part(values, parts):
        counts[here] = totals[column, part]
    return [(slot, counts[np.where(slot > 0, np.searchsorted(values, slot), len(values))]) for slot in slots]


def _mixed(columns: Sequence[Hashes]) -> Hashes:
    """One key of several hashes, 0 where any is missing."""
    mixed = np.zeros(len(columns[0]), np.uint64)
    for hashes in columns:
        mixed = mixed * _MIXING + hashes
    return np.where(np.logical_and.reduce([hashes > 0 for hashes in columns]), mixed | np.uint64(1), np.uint64(0))


def links_in(group: tuple[tuple[int, int], Iterable[Packed]], parts: int, size: int) -> tuple[Staged, Crowd]:
    """Of one part of a blocking; a pair that sure links of an earlier stage join is not looked at."""
    (blocking, part), chunks = group
    rows = _together([chunk.rows() for chunk in chunks])
    entries = Entries(file=np.zeros(len(rows.numbers), np.int32))
    entries.columns = {column: coded(slots) for column, slots in rows.columns.items()}
    names = BLOCKINGS[blocking][0]
    kept = [part_of(values, parts) == part for values, _ in rows.columns[names[0]]] if len(names) == 1 else []
    weigher, thresholds = Weigher(entries, size), read_thresholds()
    joined = np.arange(len(entries), dtype=np.int32)
    found: list[Links] = []
    stages: list[NDArray[np.int8]] = []
    order, in_block = blocks(entries, blocking, kept)
    crowd = crowd_in(entries, weigher, names, order, in_block)
    for number, stage in enumerate(candidates(order, in_block)):
        sure, weaker, joined = stage_links(weigher, stage, joined, thresholds)
        found += sure, weaker
        stages += [np.full(len(links.left), 2 * blocking + number, np.int8) for links in (sure, weaker)]
    links = together(found)
    numbered = Links(rows.numbers[links.left], rows.numbers[links.right], links.weight)
    return Staged(numbered, np.concatenate(stages)), crowd._replace(entry=rows.numbers[crowd.entry])


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


def coded(slots: Sequence[tuple[Hashes, Codes]]) -> Coded:
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


def save_links(uri: str, staged: Staged) -> str:
    return save(uri, left=staged.links.left, right=staged.links.right, weight=staged.links.weight, stage=staged.stage)


def save_crowd(uri: str, crowd: Crowd) -> str:
    return save(uri, **crowd._asdict())


def load_crowd(uri: str) -> Crowd:
    return Crowd(**load(uri))


def load_links(uri: str) -> Staged:
    kept = load(uri)
    return Staged(Links(kept["left"], kept["right"], kept["weight"]), kept["stage"])
