"""Linked people and the files that name them, read again in the sandbox -> whom to write to: name and address."""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.records import EXAMINED, FileRef
from core.settings import Settings
from extraction.examine import examine_each
from extraction.sandbox import Sandbox
from pipelines.people.entries import REFERRED, read_entries
from pipelines.people.link import link
from pipelines.results.folder import ScanFolder
from pipelines.stages.file_name import with_name
from pipelines.stages.windows import in_windows
from screening.privacy.key import load_key
from screening.ruleset.ruleset import rules_of
from screening.screen import Screen

HEADING = ("person", "name", "other names", "address", "other addresses", "files", "note")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_READ, _CHANGED, _GONE = "", "the file was changed since the scan", "the file cannot be read any more"
_NOT_FOUND, _NO_ADDRESS = "not found in the file again", "no address in the files"


@dataclass(slots=True, repr=False)
class _Addressee:
    names: Counter[str] = field(default_factory=Counter)
    addresses: Counter[str] = field(default_factory=Counter)
    files: int = 0
    faults: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True, repr=False)
class Addressees:
    content: bytes  # CSV
    people: int
    with_address: int
    unread: int  # files


def addressees(folders: Sequence[ScanFolder], uris: frozenset[str] | None, settings: Settings) -> Addressees:
    """Of referred files, or of those named; everybody whom they concern has a line, whether or not found again."""
    entries = read_entries(folders, REFERRED, uris, with_identity=True)
    labels = link(entries).same.tolist()
    of_file = entries.files.uris()
    wanted: dict[str, dict[int, int]] = defaultdict(dict)  # by uri: identity -> person
    for number, identity, person in zip(entries.file.tolist(), entries.identity.tolist(), labels, strict=True):
        wanted[of_file[number]][identity] = person
    people: dict[int, _Addressee] = {person: _Addressee() for person in labels}
    for of_one in wanted.values():
        for person in set(of_one.values()):
            people[person].files += 1
    unread = 0
    for uri, fault in _read(folders, wanted, people, settings):
        unread += fault != _READ
        for person in set(wanted[uri].values()) if fault else ():
            people[person].faults[fault] += 1
    lines = list(_lines(list(people.values())))
    return Addressees(_as_csv(lines), len(lines), sum(bool(line[3]) for line in lines), unread)


def _read(
    folders: Sequence[ScanFolder], wanted: dict[str, dict[int, int]], people: dict[int, _Addressee], settings: Settings
) -> Iterator[tuple[str, str]]:
    """Each file with its fault, or none; what is found goes to the people."""
    refs, hashes = _refs(folders, wanted)
    screen = Screen(rules_of(settings.rules), load_key(settings.privacy.key_file), evidence=0)
    require = settings.privacy.sandbox == "require"
    passwords = settings.extraction.passwords_file
    states = dict.fromkeys(wanted, _GONE)
    with Sandbox(settings.limits, ocr=settings.ocr, require=require, passwords_file=passwords) as sandbox:
        for document in in_windows(examine_each(refs, sandbox, settings.sources)):
            of_one = wanted.get(document.uri)
            if of_one is None or (document.status not in EXAMINED and not document.more):
                continue
            if not document.more and document.sha256 != hashes[document.uri]:
                states[document.uri] = _CHANGED
                continue
            states[document.uri] = _READ
            for seen, written in screen.people_written_in(with_name(document)):
                if (person := of_one.get(seen.identity)) is not None:
                    people[person].names[written.name] += bool(written.name)
                    people[person].addresses.update(written.addresses)
    yield from states.items()


def _refs(folders: Sequence[ScanFolder], wanted: dict[str, dict[int, int]]) -> tuple[list[FileRef], dict[str, str]]:
    """The files on disk that hold what is wanted, each once; and what the scan saw, by uri."""
    columns = ("uri", "container_uri", "path", "sha256")
    rows = {row["uri"]: row for folder in folders for row in folder.rows(columns)}
    hashes, refs = {}, {}
    for uri in wanted:
        hashes[uri] = rows[uri]["sha256"]
        while (container := rows[uri]["container_uri"]) is not None and container in rows:
            uri = container
        path = rows[uri]["path"] or uri.encode()
        refs[uri] = FileRef(uri=uri, path=bytes(path), size=0, mtime_ns=0, source=uri)
    return list(refs.values()), hashes


def _lines(people: Sequence[_Addressee]) -> Iterator[tuple[str, ...]]:
    for number, one in enumerate(people, 1):
        names, addresses = (
            [value for value, _ in counter.most_common() if value] for counter in (one.names, one.addresses)
        )
        notes = list(one.faults) or ([] if names else [_NOT_FOUND])
        notes += [] if addresses else [_NO_ADDRESS]
        first, *others = names or [""]
        home, *homes = addresses or [""]
        yield str(number), first, "; ".join(others), home, "; ".join(homes), str(one.files), "; ".join(notes)


def _as_csv(lines: Sequence[tuple[str, ...]]) -> bytes:
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(HEADING)
    for line in lines:
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in line])
    return sink.getvalue().encode("utf-8")
