"""Files of people -> batches that one worker reads at once, and how many entries of all have each value."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipelines import storage
from pipelines.people.entries import COLUMNS, Codes, Hashes, Unit, hashes_of, people_file, read_facts


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


def hashes_in(batch: Batch, columns: Sequence[str] = COLUMNS) -> dict[str, list[Hashes]]:
    entries, chosen = read_facts(batch.units, batch.which)
    return {column: hashes_of(chosen, column, len(entries)) for column in columns}


def values_of(slots: Sequence[Hashes]) -> tuple[Hashes, NDArray[np.int64]]:
    """Those that there are, in order, and how often."""
    hashes = np.concatenate(slots)
    return np.unique(hashes[hashes > 0], return_counts=True)


def values_in(batch: Batch, parts: int) -> Iterator[tuple[tuple[str, int], tuple[int, Hashes, Codes]]]:
    for column, slots in hashes_in(batch).items():
        values, counts = values_of(slots)
        for part, here in by_part(values, parts):
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


def by_part(keys: Hashes, parts: int) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Places of keys other than 0, for each part that has any."""
    part = part_of(keys, parts)
    for number in np.unique(part[keys > 0]).tolist():
        yield number, np.flatnonzero((part == number) & (keys > 0))


def part_of(keys: Hashes, parts: int) -> NDArray[np.int64]:
    return (keys >> np.uint64(8)).astype(np.int64) % parts
