"""People rows of scans -> columns of small numbers, one entry for each person whom a file concerns, and its file.

Hashes of 64 bits become numbers of 32: ten million entries then fit into less than a gigabyte, and equal still means
equal. Files of people are read column by column, never whole.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.errors import OutputError
from pipelines import storage
from pipelines.results.folder import ScanFolder

Codes = NDArray[np.int32]
Hashes = NDArray[np.uint64]
Unit = tuple[ScanFolder, str]  # a file of people, and of records, by its name
Chosen = list[tuple[str, NDArray[np.int32]]]  # files of people, and their rows that count
NAMES = ("given", "given_sound", "given_initial", "surname", "surname_sound", "surname_head", "surname_tail")
BIRTH = ("birth", "birth_year", "birth_day")
NUMBERS = ("record_numbers", "health_numbers", "national_numbers")
CONTACTS = ("phones", "emails", "addresses")
SLOTS = 2  # values of one kind that are compared
_AT_ONCE = 1_000_000  # entries
COLUMNS = (*NAMES, *BIRTH, *NUMBERS, *CONTACTS)
_FACTS = ["uri", "role", "health", "known", "bits", "country", "region"]
_READ = (*COLUMNS, *_FACTS, "identity")
FORMAT_WITH_PEOPLE = 4
REFERRED, SCREENED, ALL = "referred", "screened", "all"


@dataclass(slots=True)
class Coded:
    """A column of hashes as numbers: 0 is unknown; `count[code]` is how many entries have it."""

    codes: list[Codes]  # a slot each
    count: NDArray[np.int32]


@dataclass(slots=True)
class Entries:
    """One entry a person and file, column by column; `file` is the number of its file."""

    columns: dict[str, Coded] = field(default_factory=dict)
    file: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    bits: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))
    health: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, bool))
    known: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, bool))
    country: NDArray[np.int16] = field(default_factory=lambda: np.empty(0, np.int16))
    countries: list[str] = field(default_factory=list)
    files: "Files" = field(default_factory=lambda: Files())
    identity: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))  # only if asked for

    def __len__(self) -> int:
        return len(self.file)

    def first(self, name: str) -> Codes:
        return self.columns[name].codes[0]


@dataclass(slots=True)
class Files:
    """The files that entries are of: the unit that has their records, the row there, source, and folder."""

    unit: list[Unit] = field(default_factory=list)
    of_unit: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    row: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    source: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    sources: list[str] = field(default_factory=list)
    folder: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    folders: list[str] = field(default_factory=list)

    def uri(self, number: int) -> str:
        folder, name = self.unit[int(self.of_unit[number])]
        uri: str = folder.unit_table(name, ["uri"])["uri"][int(self.row[number])].as_py()
        return uri

    def uris(self) -> list[str]:
        """Of all files, each unit's records being read once."""
        found = [""] * len(self.row)
        for number in np.unique(self.of_unit).tolist():
            folder, name = self.unit[number]
            here = np.flatnonzero(self.of_unit == number)
            for file, uri in zip(
                here.tolist(), folder.unit_table(name, ["uri"])["uri"].take(self.row[here]).to_pylist(), strict=True
            ):
                found[file] = uri
        return found


def read_entries(
    scans: Sequence[ScanFolder],
    which: str = REFERRED,
    uris: Collection[str] | None = None,
    *,
    with_identity: bool = False,
) -> Entries:
    """Of referred files, of all that were screened positive, or of all; and of each the people whom it concerns.

    With `uris` of these files alone, referred or not.
    """
    entries, chosen = read_facts(units_of(scans), which, uris)
    for column in COLUMNS:
        entries.columns[column] = coded(hashes_of(chosen, column, len(entries)))
    if with_identity:
        entries.identity = _hashes(chosen, "identity", len(entries))
    pa.default_memory_pool().release_unused()
    return entries


def units_of(scans: Sequence[ScanFolder]) -> list[Unit]:
    for scan in scans:
        if scan.read_manifest().get("format", 1) < FORMAT_WITH_PEOPLE:
            raise OutputError(f"{scan.uri}: was written before people were counted; scan again, and then count them")
        if missing := sorted(set(scan.unit_names()) - set(scan.people_names())):
            raise OutputError(
                f"{storage.join(scan.people, missing[0])}: is missing, so people cannot be counted; "
                "restore it from a copy, or scan again"
            )
    return [(scan, name) for scan in scans for name in scan.people_names()]


@contextmanager
def people_file(uri: str) -> Iterator[pq.ParquetFile]:
    """A file of people; one that is damaged is one sentence."""
    try:
        with storage.open_mapped(uri) as source:
            file = pq.ParquetFile(source)
            if not set(_READ).issubset(file.schema_arrow.names):
                raise KeyError
            yield file
    except (pa.ArrowException, OSError, ValueError, KeyError):
        raise OutputError(f"{uri}: is damaged or cannot be read; restore it from a copy, or scan again") from None


def read_facts(units: Sequence[Unit], which: str, uris: Collection[str] | None = None) -> tuple[Entries, Chosen]:
    """Entries without their hashes; and of each file of people which rows they are, for whoever reads these."""
    files = Files()
    chosen: Chosen = []
    parts: dict[str, list[Any]] = {"file": [], "bits": [], "health": [], "known": [], "country": []}
    numbering = _Numbering()
    for scan, name in units:
        files.unit.append((scan, name))
        _read_unit(scan, name, which, uris, files, numbering, chosen, parts)
    entries = Entries(  # each list of parts is gone before the next one is joined
        file=_joined(parts.pop("file"), np.int32),
        bits=_joined(parts.pop("bits"), np.uint64),
        health=_joined(parts.pop("health"), np.bool_),
        known=_joined(parts.pop("known"), np.bool_),
        country=_joined(parts.pop("country"), np.int16),
        countries=list(numbering.countries),
        files=numbering.finish(files),
    )
    return entries, chosen


def hashes_of(chosen: Chosen, column: str, size: int) -> list[Hashes]:
    """A slot each: one for names and births, several for numbers and contacts."""
    return _slots(chosen, column, size) if column in (*NUMBERS, *CONTACTS) else [_hashes(chosen, column, size)]


def count_rows(scan: ScanFolder) -> int:
    """Of all people, from the ends of the files alone."""
    count = 0
    for name in scan.people_names():
        with people_file(storage.join(scan.people, name)) as file:
            count += file.metadata.num_rows
    return count


class _Numbering:
    """Words -> numbers, in the order in which they are met; 0 is the empty one."""

    def __init__(self) -> None:
        self.countries: dict[str, int] = {"": 0}
        self.sources: dict[str, int] = {}
        self.folders: dict[str, int] = {}
        self.of_unit: list[int] = []
        self.row: list[int] = []
        self.source: list[int] = []
        self.folder: list[int] = []

    def add_file(self, unit: int, row: int, uri: str, source: str) -> int:
        self.of_unit.append(unit)
        self.row.append(row)
        self.source.append(self.sources.setdefault(source, len(self.sources)))
        folder = uri.partition("!")[0].rpartition("/")[0]
        self.folder.append(self.folders.setdefault(folder, len(self.folders)))
        return len(self.row) - 1

    def country(self, country: str, region: str) -> int:
        return self.countries.setdefault(f"{country}-{region}" if region else country, len(self.countries))

    def finish(self, files: Files) -> Files:
        files.of_unit, files.row = np.array(self.of_unit, np.int32), np.array(self.row, np.int32)
        files.source, files.sources = np.array(self.source, np.int32), list(self.sources)
        files.folder, files.folders = np.array(self.folder, np.int32), list(self.folders)
        return files


def _read_unit(
    scan: ScanFolder,
    name: str,
    which: str,
    only: Collection[str] | None,
    files: Files,
    numbering: _Numbering,
    chosen: Chosen,
    parts: dict[str, list[Any]],
) -> None:
    """A file and its copies have the same people, each under its own name, so that all of their folders count."""
    uri = storage.join(scan.people, name)
    with people_file(uri) as file:
        people = file.read(columns=_FACTS)
    affected = pc.or_(pc.equal(people["role"], "subject"), people["health"]).combine_chunks()
    if not people.num_rows or not pc.any(affected).as_py():
        return
    records = scan.unit_table(name, ["uri", "source", "referred", "screened_positive", "duplicate_of"])
    wanted = {REFERRED: records["referred"], SCREENED: records["screened_positive"]}.get(which)
    kept = np.ones(records.num_rows, bool) if wanted is None else wanted.fill_null(False).to_numpy()
    if only is not None:
        kept = np.fromiter((uri in only for uri in records["uri"].to_pylist()), bool, records.num_rows)
    originals = pc.coalesce(records["duplicate_of"], records["uri"])
    uris = people["uri"].combine_chunks().dictionary_encode()
    at = pc.index_in(originals, value_set=uris.dictionary).to_numpy(zero_copy_only=False)
    by_file = _rows_by(uris.indices.to_numpy(), affected.to_numpy(zero_copy_only=False))
    places = pa.chunked_array(people["country"].fill_null("").chunks), people["region"].fill_null("")
    pairs = [numbering.country(*pair) for pair in zip(*(place.to_pylist() for place in places), strict=True)]
    countries = np.array(pairs, np.int16)
    bits, health, known = (people[name].to_numpy() for name in ("bits", "health", "known"))
    names, sources = records["uri"], records["source"]
    taken: list[NDArray[np.int32]] = []
    for record in np.flatnonzero(kept & ~np.isnan(at.astype(float))).tolist():
        rows = by_file(int(at[record]))
        if not len(rows):
            continue
        number = numbering.add_file(len(files.unit) - 1, record, names[record].as_py(), sources[record].as_py() or "")
        parts["file"].append(np.full(len(rows), number, np.int32))
        parts["bits"].append(bits[rows])
        parts["health"].append(health[rows])
        parts["known"].append(known[rows])
        parts["country"].append(countries[rows])
        taken.append(rows)
    if taken:
        chosen.append((uri, np.concatenate(taken)))


def _rows_by(group: NDArray[np.int32], wanted: NDArray[np.bool_]) -> Callable[[int], NDArray[np.int32]]:
    order = np.argsort(group, kind="stable").astype(np.int32)
    order = order[wanted[order]]
    starts = np.searchsorted(group[order], np.arange(group.max() + 2 if len(group) else 1))
    return lambda number: order[starts[number] : starts[number + 1]]


def _joined(parts: list[Any], kind: Any) -> NDArray[Any]:
    return np.concatenate(parts).astype(kind, copy=False) if parts else np.empty(0, kind)


def _columns(chosen: Chosen, name: str) -> Iterator[pa.ChunkedArray]:
    for uri, rows in chosen:
        with people_file(uri) as file:
            yield file.read(columns=[name])[name].combine_chunks().take(pa.array(rows))


def _hashes(chosen: Chosen, name: str, size: int) -> NDArray[np.uint64]:
    hashes, at = np.zeros(size, np.uint64), 0
    for column in _columns(chosen, name):
        hashes[at : at + len(column)] = column.fill_null(0).to_numpy(zero_copy_only=False)
        at += len(column)
    return hashes


def _slots(chosen: Chosen, name: str, size: int) -> list[Hashes]:
    slots, at = [np.zeros(size, np.uint64) for _ in range(SLOTS)], 0
    for column in _columns(chosen, name):
        lengths = pc.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False)
        starts = np.concatenate(([0], np.cumsum(lengths)[:-1])) if len(lengths) else np.empty(0, np.int64)
        values = pc.list_flatten(column).to_numpy(zero_copy_only=False)
        for number, slot in enumerate(slots):
            here = lengths > number
            slot[at : at + len(column)][here] = values[starts[here] + number]
        at += len(column)
    return slots


def coded(slots: list[Hashes]) -> Coded:
    """0 stays 0; a column that nobody has takes no memory, and hashes become numbers piece by piece."""
    size = len(slots[0])
    slots = [slot for slot in slots if slot.any()]
    if not slots:
        return Coded([np.broadcast_to(np.int32(0), (size,))], np.zeros(1, np.int32))
    known = _distinct(slots)
    codes = [np.zeros(size, np.int32) for _ in slots]
    count = np.zeros(len(known) + 1, np.int32)
    for own, slot in zip(codes, slots, strict=True):
        for start in range(0, size, _AT_ONCE):
            piece = slot[start : start + _AT_ONCE]
            own[start : start + _AT_ONCE] = np.where(piece > 0, np.searchsorted(known, piece) + 1, 0)
        count += np.bincount(own, minlength=len(count)).astype(np.int32)
    return Coded(codes, count)


def _distinct(slots: Sequence[Hashes]) -> NDArray[np.uint64]:
    """In order, without 0."""
    hashes = np.concatenate([slot[slot > 0] for slot in slots])
    hashes.sort()
    is_new = np.ones(len(hashes), bool)
    np.not_equal(hashes[1:], hashes[:-1], out=is_new[1:])
    return hashes[is_new]
