"""Refs of a work unit -> which of them have the same content, reading no file that is alone in its size."""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.records import Document, FileRecord, FileRef
from extraction.opening.local import open_file
from extraction.opening.pace import NO_PACE, Pace
from pipelines.plan.units import ends_digest
from pipelines.stages.file_name import name_of
from screening.screen import Screen

_AT_ONCE = 1_048_576
_NAMES_REMEMBERED = 4_096
State = tuple[int, int]  # size and time of a file


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A file that need not be examined, since another one with the same content is."""

    ref: FileRef
    first: FileRef
    sha256: str  # of both; empty for two names of one file, which need not be read to be known as such
    state: State  # size and time of the first when it was hashed


class SameFindings:
    """Whether two files of the same content have the same findings: names are screened, and allow lists name paths."""

    def __init__(self, screen: Screen) -> None:
        self._allowed = screen.allowed
        self._has_findings = lru_cache(maxsize=_NAMES_REMEMBERED)(lambda name: bool(screen.spans(name)))

    def __call__(self, uri: str, other: str) -> bool:
        """False where an allow list names paths, and where names differ and either of them has a finding of its own."""
        names = {name_of(uri), name_of(other)}
        return not self._allowed.paths and (len(names) == 1 or not any(self._has_findings(name) for name in names))


def find_duplicates(refs: Sequence[FileRef], largest: int, pace: Pace = NO_PACE) -> list[Duplicate]:
    """The first by its name is the one that is examined, so that it does not depend on the order of a walk.

    Files beyond `largest` bytes are not hashed: no more is read of a file than the limits allow.
    """
    by_size: dict[int, list[FileRef]] = {}
    for ref in refs:
        if ref.size and not ref.fault:
            by_size.setdefault(ref.size, []).append(ref)
    return [
        duplicate
        for group in by_size.values()
        if len(group) > 1
        for duplicate in _duplicates_in(sorted(group, key=lambda ref: ref.uri), largest, pace)
    ]


def _duplicates_in(group: Sequence[FileRef], largest: int, pace: Pace) -> list[Duplicate]:
    links: dict[object, list[FileRef]] = {}
    for ref in group:
        links.setdefault((ref.device, ref.inode) if ref.inode else ref.uri, []).append(ref)
    duplicates = [
        Duplicate(ref, names[0], "", (ref.size, ref.mtime_ns)) for names in links.values() for ref in names[1:]
    ]
    firsts = [names[0] for names in links.values()] if group[0].size <= largest else []
    for like in _parted(firsts, lambda ref: ends_digest(ref.path)):
        hashed: dict[str, list[tuple[FileRef, State]]] = {}
        for ref in like:
            sha256, state = _hash(ref.path, pace)
            if sha256:
                hashed.setdefault(sha256, []).append((ref, state))
        for sha256, ((first, state), *others) in hashed.items():
            duplicates += [Duplicate(ref, first, sha256, state) for ref, _ in others]
    return _to_the_first(duplicates)


def _parted(refs: Sequence[FileRef], key: Callable[[FileRef], bytes]) -> Iterable[list[FileRef]]:
    """Those that share a key with another; what cannot be read has none."""
    if len(refs) < 2:
        return []
    parts: dict[bytes, list[FileRef]] = {}
    for ref in refs:
        parts.setdefault(key(ref), []).append(ref)
    return [part for name, part in parts.items() if name and len(part) > 1]


def _to_the_first(duplicates: Sequence[Duplicate]) -> list[Duplicate]:
    """A second name of a file that is itself a duplicate is a duplicate of the same first."""
    by_content = {duplicate.ref.uri: duplicate for duplicate in duplicates if duplicate.sha256}
    return [
        replace(by_content[duplicate.first.uri], ref=duplicate.ref)
        if not duplicate.sha256 and duplicate.first.uri in by_content
        else duplicate
        for duplicate in duplicates
    ]


def _hash(path: bytes, pace: Pace) -> tuple[str, State]:
    """The hash of a file's content, or none where it cannot be read or changes while it is."""
    try:
        descriptor = open_file(path)
    except (OSError, ValueError):
        return "", (0, 0)
    try:
        before = _state(descriptor)
        digest = hashlib.sha256()
        while block := os.read(descriptor, _AT_ONCE):
            digest.update(block)
            pace.took(len(block))
        return (digest.hexdigest() if _state(descriptor) == before else ""), before
    except OSError:
        return "", (0, 0)
    finally:
        os.close(descriptor)


def _state(descriptor: int) -> State:
    seen = os.fstat(descriptor)
    return seen.st_size, seen.st_mtime_ns


def still_holds(duplicate: Duplicate, examined: Document | None, has_members: bool) -> bool:
    """Whether the file that was examined is still the one that was compared, by hash, or else by size and time.

    Members may be named after their container, so a container with another name is read for itself.
    """
    if examined is None or (
        has_members and os.path.basename(duplicate.ref.path) != os.path.basename(duplicate.first.path)
    ):
        return False
    if duplicate.sha256 and examined.sha256:
        return duplicate.sha256 == examined.sha256
    try:
        seen = os.lstat(duplicate.first.path)
    except OSError:
        return False
    return (seen.st_size, seen.st_mtime_ns) == duplicate.state


def records_of_duplicates(records: Sequence[FileRecord], duplicates: Collection[Duplicate]) -> list[FileRecord]:
    """For each duplicate the records of its first, under its own name and with its own owner and times."""
    wanted = {duplicate.first.uri for duplicate in duplicates}
    by_file: dict[str, list[FileRecord]] = {}
    for record in records:
        if record.ref.uri in wanted:
            by_file.setdefault(record.ref.uri, []).append(record)
    return [_renamed(record, duplicate) for duplicate in duplicates for record in by_file[duplicate.first.uri]]


def _renamed(record: FileRecord, duplicate: Duplicate) -> FileRecord:
    at = len(duplicate.first.uri)
    inside = record.container_uri
    return replace(
        record,
        ref=duplicate.ref,
        uri=duplicate.ref.uri + record.uri[at:],
        container_uri=None if inside is None else duplicate.ref.uri + inside[at:],
        duplicate_of=record.uri,
    )
