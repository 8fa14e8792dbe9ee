"""Links -> components of connected entries -> the person of each entry, component by component."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipelines.people.entries import Codes, Entries, Hashes
from pipelines.people.likelihoods import Links
from pipelines.people.link import clusters, components, join, together
from pipelines.people.parts.batches import Batch, hashes_in
from pipelines.people.parts.links import Staged, coded, load_links
from pipelines.people.weights import read_thresholds

_BIRTH = ("birth_year", "birth_day")


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
    year, day = (slots[0] for slots in hashes_in(batch, _BIRTH).values())
    numbers = np.arange(batch.entries, batch.entries + len(year), dtype=np.int32)
    label = labels[numbers]
    connected = sizes(labels)[label] > 1
    for part in np.unique(label[connected] % parts).tolist():
        here = connected & (label % parts == part)
        yield int(part), Births(numbers[here], year[here], day[here])


def sizes(labels: Codes) -> NDArray[np.int64]:
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
        entries.columns[name] = coded([(values, np.ones(len(values), np.int32))])
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
