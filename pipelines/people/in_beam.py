"""People rows -> linked people and their figures, by Beam; the same figures as link.py and figures.py give.

Six pipelines, one after the other, because each needs a number of the one before: how many entries there are, how many
people they seem to be. What crosses a shuffle are arrays of hashes and counts, never a row by itself. Only connected
components need a number for each entry on every worker, four bytes each; all else is in parts.
"""

import json
import math
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import Any

import apache_beam as beam
import numpy as np
from apache_beam.transforms.combiners import Top

from core.errors import LeakscreenError, SettingsError
from core.settings import ScanSettings
from pipelines import storage
from pipelines.people.crowds import joined, standing
from pipelines.people.entries import REFERRED, Codes, Files, read_facts, units_of
from pipelines.people.figures import Exposed, Listing, Sums, as_figures, largest_files, most
from pipelines.people.link import ROUNDS, entries_a_person, shift_for
from pipelines.people.parts.arrays import load, load_labels, load_standing, save
from pipelines.people.parts.batches import Batch, Size, add_up, batches_of, size_of, values_in
from pipelines.people.parts.components import (
    Births,
    births_by_component,
    clusters_in,
    labels_of,
    links_by_component,
    stars,
    stars_of,
)
from pipelines.people.parts.figures import Persons, between_by_part, crowd_by_part, people_by_part, sums_in
from pipelines.people.parts.links import Packed, Staged, links_in, load_crowd, rows_by_block, save_crowd, save_links
from pipelines.people.weights import read_thresholds
from pipelines.results.folder import ScanFolder
from pipelines.runners.choose import runner_for
from pipelines.worker_count import LOCAL
from screening.ruleset.definitions import Characteristic

_ROWS_A_BATCH = 100_000
_ROWS_A_PART = 200_000
_CROWDS = "crowds"


@dataclass(frozen=True, slots=True)
class Work:
    """What all pipelines of one count share."""

    folder: str  # of what they leave for each other; deleted at the end
    batches: tuple[Batch, ...]
    parts: int
    size: int = 0  # entries

    def file(self, *names: str) -> str:
        return storage.join(self.folder, *names)

    def files_in(self, name: str) -> list[str]:
        return [self.file(name, each) for each in sorted(storage.names_in(self.file(name)))]


@dataclass(frozen=True, slots=True)
class LinkedInBeam:
    sure: Codes
    same: Codes
    figures: dict[str, Any]


def link_in_beam(
    scans: Sequence[ScanFolder],
    characteristics: Sequence[Characteristic],
    settings: ScanSettings,
    workers: int = 1,
    which: str = REFERRED,
    listed: int = 20,
    *,
    rows_a_batch: int = _ROWS_A_BATCH,
    parts: int | None = None,
) -> LinkedInBeam:
    run = _Runs(settings, workers)
    batches = batches_of(units_of(scans), which, rows_a_batch)
    folder = storage.join(scans[-1].uri, f".people-{uuid.uuid4().hex}")
    work = Work(folder, tuple(batches), 1)
    storage.make_folder(folder)
    try:
        work, files, sources = _counted(work, run)
        work = replace(work, parts=parts or math.ceil((work.size + 1) / _ROWS_A_PART))
        listing = Listing(characteristics, listed, sources)
        sure, same, shift = _clustered(work, run)
        return LinkedInBeam(sure, same, _figures(work, run, (sure, same, shift), files, listing))
    finally:
        storage.delete_folder(folder)


@dataclass(frozen=True, slots=True)
class _Runs:
    settings: ScanSettings
    workers: int

    def __call__(self, build: Callable[..., None], *given: Any) -> None:
        """Workers are forked before Beam starts its threads, so a second pipeline with workers needs a new process."""
        several = self.settings.runner == LOCAL and self.workers > 1
        if fault := self._in_child(build, *given) if several else self._fault(build, *given):
            raise LeakscreenError(f"the pipeline stopped: {fault}")

    def _in_child(self, build: Callable[..., None], *given: Any) -> str:
        ours, theirs = Pipe(duplex=False)
        child = get_context("fork").Process(target=self._send_fault, args=(theirs, build, *given))
        child.start()
        theirs.close()
        try:
            fault: str = ours.recv()
        except EOFError:
            fault = "its process died"
        child.join()
        return fault

    def _send_fault(self, connection: Connection, build: Callable[..., None], *given: Any) -> None:
        connection.send(self._fault(build, *given))

    def _fault(self, build: Callable[..., None], *given: Any) -> str:
        """The last line of an error: what is above it are Beam's own steps."""
        try:
            self._run(build, *given)
        except SettingsError:
            raise
        except Exception as error:
            return (str(error).strip().splitlines() or [type(error).__name__])[-1]
        return ""

    def _run(self, build: Callable[..., None], *given: Any) -> None:
        with runner_for(self.settings, self.workers, f"leakscreen-people-{uuid.uuid4().hex}") as (runner, options):
            pipeline = beam.Pipeline(runner=runner, options=options)
            build(pipeline, *given)
            pipeline.run().wait_until_finish()


def _counted(work: Work, run: _Runs) -> tuple[Work, int, list[str]]:
    """With the place of each batch among all entries and files; the number of files, and the sources as first met."""
    output = work.file("sizes.jsonl")
    run(build_sizes, work, output)
    sizes = sorted(Size(*size) for size in _lines(output))
    entries = list(accumulate((size.entries for size in sizes), initial=0))
    files = list(accumulate((size.files for size in sizes), initial=0))
    batches = tuple(
        batch._replace(entries=before, files=files_before)
        for batch, before, files_before in zip(work.batches, entries, files, strict=False)
    )
    sources = list(dict.fromkeys(source for size in sizes for source in size.sources))
    return replace(work, batches=batches, size=entries[-1]), files[-1], sources


def build_sizes(pipeline: Any, work: Work, output: str) -> None:
    sizes = _batches(pipeline, work) | "Count entries" >> beam.Map(size_of)
    _write(sizes | "Sizes as JSON" >> beam.Map(lambda size: json.dumps(list(size))), output)


def _clustered(work: Work, run: _Runs) -> tuple[Codes, Codes, float]:
    """As `link` does it: how many people there seem to be says how many links of an entry to expect."""
    thresholds = read_thresholds()
    shift, found = 0.0, "weighed"
    run(build_links, work, found)
    for number in range(ROUNDS if work.size else 0):
        kept = "links" if number == 0 else ""
        shift = shift_for(work.size, *_labels(work, run, found, [thresholds.same - shift], f"round-{number}", kept))
        found = kept or found
    least = [thresholds.same - shift, thresholds.sure - shift]
    same, sure = _labels(work, run, found, least, "last", "")
    return sure, same, shift


def build_links(pipeline: Any, work: Work, target: str) -> None:
    """Values are counted first, so that a rare name says more than a common one."""
    for folder in (target, _CROWDS):
        storage.make_folder(work.file(folder))
    totals = (
        _batches(pipeline, work)
        | "Values" >> beam.FlatMap(values_in, work.parts)
        | "By value" >> beam.GroupByKey()
        | "Count values" >> beam.FlatMap(add_up)
    )
    (
        totals
        | "By batch" >> beam.GroupByKey()
        | "To blocks" >> beam.FlatMap(rows_by_block, work.parts, work.batches)
        | "By block" >> beam.GroupByKey()
        | "Weigh pairs" >> beam.Map(_weigh, work, target)
    )


def _weigh(group: tuple[tuple[int, int], Iterable[Packed]], work: Work, target: str) -> str:
    blocking, part = group[0]
    name = f"{blocking:02d}-{part:06d}.npz"
    links, crowd = links_in(group, work.parts, work.size)
    if len(crowd.entry):
        save_crowd(work.file(_CROWDS, name), crowd)
    return save_links(work.file(target, name), links)


def _labels(work: Work, run: _Runs, found: str, thresholds: Sequence[float], name: str, kept: str) -> list[Codes]:
    """The person of each entry, under each threshold, of which the first is the lowest; `kept` gets needed links."""
    for folder in (name, kept) if kept else (name,):
        storage.make_folder(work.file(folder))
    run(build_clusters, work, found, thresholds, name, kept)
    labels = [np.arange(work.size, dtype=np.int32) for _ in thresholds]
    for each in sorted(storage.names_in(work.file(name))):
        here = load(work.file(name, each))
        for number, own in enumerate(labels):
            own[here["numbers"]] = here[f"labels{number}"]
    return labels


def build_clusters(pipeline: Any, work: Work, found: str, thresholds: Sequence[float], name: str, kept: str) -> None:
    """Components of strong links in two steps, file by file and then all; then each is looked at as a whole."""
    names = work.files_in(found)
    connected = (
        pipeline
        | "Files of links" >> beam.Create(names)
        | "Spread links" >> beam.Reshuffle()
        | "Connect within a file" >> beam.Map(stars_of, min(thresholds))
        | "Connect all" >> beam.CombineGlobally(_Connect())
        | "Write components" >> beam.Map(_write_components, work.size, work.file(f"{name}.npz"))
    )
    components = beam.pvalue.AsSingleton(connected)
    links = (
        pipeline
        | "Files of links again" >> beam.Create(names)
        | "Spread links again" >> beam.Reshuffle()
        | "Links by component" >> beam.FlatMap(_links_by_component, work, kept, components)
    )
    births = _batches(pipeline, work) | "Births by component" >> beam.FlatMap(_births_by_component, work, components)
    (
        {"links": links, "births": births}
        | "Join components" >> beam.CoGroupByKey()
        | "Tell people apart" >> beam.Map(_clusters, work, thresholds, name, kept)
    )


class _Connect(beam.CombineFn):
    def create_accumulator(self) -> tuple[Codes, Codes]:
        return np.empty(0, np.int32), np.empty(0, np.int32)

    def add_input(self, sofar: tuple[Codes, Codes], found: tuple[Codes, Codes]) -> tuple[Codes, Codes]:
        return self.merge_accumulators([sofar, found])

    def merge_accumulators(self, several: Iterable[tuple[Codes, Codes]]) -> tuple[Codes, Codes]:
        left, right = zip(*[self.create_accumulator(), *several], strict=True)
        return stars(np.concatenate(left), np.concatenate(right))

    def extract_output(self, found: tuple[Codes, Codes]) -> tuple[Codes, Codes]:
        return found


def _write_components(found: tuple[Codes, Codes], size: int, uri: str) -> str:
    return save(uri, labels=labels_of(found, size))


def _links_by_component(uri: str, work: Work, kept: str, components: str) -> Iterator[tuple[int, Staged]]:
    outside, inside = links_by_component(uri, load_labels(components), work.parts)
    if kept:
        save_links(work.file(kept, f"outside-{uri.rpartition('/')[2]}"), outside)
    yield from inside


def _births_by_component(batch: Batch, work: Work, components: str) -> Iterator[tuple[int, Births]]:
    return births_by_component(batch, load_labels(components), work.parts)


def _clusters(
    group: tuple[int, Mapping[str, Iterable[Any]]], work: Work, thresholds: Sequence[float], name: str, kept: str
) -> None:
    part, given = group
    numbers, labels, links = clusters_in(list(given["links"]), list(given["births"]), thresholds, prune=bool(kept))
    if kept:
        save_links(work.file(kept, f"inside-{part:06d}.npz"), links)
    named = {f"labels{number}": own for number, own in enumerate(labels)}
    save(work.file(name, f"{part:06d}.npz"), numbers=numbers, **named)


def _figures(
    work: Work, run: _Runs, clustered: tuple[Codes, Codes, float], files: int, listing: Listing
) -> dict[str, Any]:
    sure, same, shift = clustered
    crowd = joined([load_crowd(uri) for uri in work.files_in(_CROWDS)] if work.size else [])
    file = save(work.file("people.npz"), labels=same, standing=standing(same, crowd))
    output = work.file("figures.jsonl")
    run(build_figures, work, _People(file, shift, entries_a_person(work.size, same)), listing, output)
    sums = Sums(defaultdict(float))
    largest: list[list[int]] = []
    longest = 0
    for kind, value in _lines(output):
        if kind == "total":
            sums.totals[tuple(value[0])] = value[1]
        elif kind == "exposed":
            sums.exposed.append(Exposed(*value))
        else:
            largest += value[0]
            longest = max(longest, value[1])
    sums.totals["sure",] = len(np.unique(sure))
    found = np.array(largest, np.int64).reshape(-1, 2)
    top = largest_files(found[:, 0].astype(np.int32), found[:, 1].astype(np.float64), listing.listed)
    return as_figures(sums, top, longest, listing, files, _Uris(work.batches).uri)


@dataclass(frozen=True, slots=True)
class _People:
    """What was found of all, and where it is."""

    file: str  # of the label of each entry, and the standing of each label
    shift: float
    entries_a_person: float


def build_figures(pipeline: Any, work: Work, found: _People, listing: Listing, output: str) -> None:
    people = _batches(pipeline, work) | "Entries by person" >> beam.FlatMap(_people_by_part, work, found)
    weaker = (
        pipeline
        | "Files of links" >> beam.Create(work.files_in("links"))
        | "Spread links" >> beam.Reshuffle()
        | "Links between people" >> beam.FlatMap(_between_by_part, work, found)
    )
    crowds = (
        pipeline
        | "Files of crowds" >> beam.Create(work.files_in(_CROWDS))
        | "Spread crowds" >> beam.Reshuffle()
        | "Crowds by person" >> beam.FlatMap(_crowd_by_part, work, found)
    )
    sums = (
        {"people": people, "weaker": weaker, "crowds": crowds}
        | "Join people" >> beam.CoGroupByKey()
        | "Count people" >> beam.Map(_sums, found, listing)
    )
    totals = (
        sums
        | "Totals" >> beam.FlatMap(lambda one: list(one.totals.items()))
        | "Add up" >> beam.CombinePerKey(sum)
        | "Totals as JSON" >> beam.Map(lambda total: json.dumps(["total", [total[0], float(total[1])]]))
    )
    exposed = (
        sums
        | "Exposed" >> beam.FlatMap(lambda one: one.exposed)
        | "Most exposed" >> Top.Smallest(max(1, listing.listed))
        | "Exposed as JSON" >> beam.FlatMap(lambda several: [json.dumps(["exposed", list(one)]) for one in several])
    )
    files = (
        sums
        | "Files" >> beam.FlatMap(_files_by_part, work.parts)
        | "By file" >> beam.GroupByKey()
        | "Count files" >> beam.Map(_largest, listing.listed)
        | "Files as JSON" >> beam.Map(lambda largest: json.dumps(["files", largest]))
    )
    _write((totals, exposed, files) | "All figures" >> beam.Flatten(), output)


def _people_by_part(batch: Batch, work: Work, found: _People) -> Iterator[tuple[int, Persons]]:
    return people_by_part(batch, load_labels(found.file), work.parts)


def _between_by_part(uri: str, work: Work, found: _People) -> Iterator[tuple[int, Any]]:
    return between_by_part(uri, load_labels(found.file), load_standing(found.file), found.shift, work.parts)


def _crowd_by_part(uri: str, work: Work, found: _People) -> Iterator[tuple[int, Any]]:
    return crowd_by_part(uri, load_labels(found.file), work.parts)


def _sums(group: tuple[int, Mapping[str, Iterable[Any]]], found: _People, listing: Listing) -> Sums:
    people, weaker, crowds = (list(group[1][name]) for name in ("people", "weaker", "crowds"))
    return sums_in(people, weaker, crowds, found.entries_a_person, listing)


def _files_by_part(sums: Sums, parts: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
    files, counts = sums.in_files
    listed, lists = sums.listed
    for part in np.unique(files % parts).tolist():
        here, there = files % parts == part, listed % parts == part
        yield int(part), (files[here], counts[here], listed[there], lists[there])


def _largest(group: tuple[int, Iterable[tuple[Any, ...]]], listed: int) -> tuple[list[tuple[int, int]], int]:
    files, counts, lists, lengths = (np.concatenate(column) for column in zip(*group[1], strict=True))
    found, at = np.unique(files, return_inverse=True)
    _, of_list = np.unique(lists, return_inverse=True)
    return largest_files(found, np.bincount(at, counts).astype(np.float64), listed), most(np.bincount(of_list, lengths))


@dataclass(frozen=True, slots=True)
class _Uris:
    batches: tuple[Batch, ...]

    def uri(self, number: int) -> str:
        batch = next(batch for batch in reversed(self.batches) if batch.files <= number)
        return _files_of(batch).uri(number - batch.files)


@lru_cache(maxsize=4)
def _files_of(batch: Batch) -> Files:
    return read_facts(batch.units, batch.which)[0].files


def _batches(pipeline: Any, work: Work) -> Any:
    return pipeline | "Batches" >> beam.Create(work.batches) | "Spread batches" >> beam.Reshuffle()


def _write(lines: Any, output: str) -> None:
    lines | "Write" >> beam.io.WriteToText(output, shard_name_template="", num_shards=1)


def _lines(uri: str) -> Iterator[Any]:
    for line in storage.read_whole(uri).splitlines():
        yield json.loads(line)
