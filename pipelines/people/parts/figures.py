"""Entries of whole people -> the sums that figures are made of, part by part."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipelines.people.crowds import Crowd, joined
from pipelines.people.entries import NUMBERS, Coded, Codes, Entries, Files, hashes_of, read_facts
from pipelines.people.figures import Listing, Sums, sums_of
from pipelines.people.likelihoods import Between, between, likelihoods
from pipelines.people.link import apart
from pipelines.people.parts.batches import Batch
from pipelines.people.parts.links import load_crowd, load_links

_PRESENT = ("surname", "given_initial", "birth", *NUMBERS)  # what likelihoods ask of a person


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


def crowd_by_part(uri: str, labels: Codes, parts: int) -> Iterator[tuple[int, Crowd]]:
    crowd = load_crowd(uri)
    part_of = labels[crowd.entry] % parts
    for part in np.unique(part_of).tolist():
        yield int(part), crowd.where(part_of == part)


def between_by_part(
    uri: str, labels: Codes, standing: Codes, shift: float, parts: int
) -> Iterator[tuple[int, Between]]:
    found = between(labels, apart(load_links(uri).links, labels), shift, standing)
    for part in np.unique(found.small % parts).tolist():
        here = found.small % parts == part
        yield int(part), Between(found.small[here], found.large[here], found.weight[here])


def sums_in(
    persons: Sequence[Persons], weaker: Sequence[Between], crowds: Sequence[Crowd], a_person: float, listing: Listing
) -> Sums:
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
    crowd = joined(list(crowds))
    crowd = crowd._replace(entry=np.searchsorted(numbers, crowd.entry).astype(np.int32))
    likely = likelihoods(entries, local.astype(np.int32), odds, crowd, a_person)
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
