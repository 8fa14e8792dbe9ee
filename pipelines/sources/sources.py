"""What the user asks to scan -> sources that exist, can be read and do not overlap -> the files in them.

A local path is walked by descriptors; everything else is a store that its scheme names.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import SourceError
from core.settings import ScanSettings, SourceSettings
from extraction.opening.addresses import is_object, without_password
from pipelines import storage
from pipelines.sources.globs import Globs
from pipelines.sources.local import FolderListing, Walk

if TYPE_CHECKING:
    from core.records import FileRef


@dataclass(frozen=True, slots=True)
class Sources:
    """Folders, files and prefixes of object stores, and crawl manifests (JSON lines)."""

    paths: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()


def check_sources(sources: Sources, settings: SourceSettings | None = None) -> None:
    if not sources.paths and not sources.manifests:
        raise SourceError("nothing to scan; name a folder, a file, or a crawl manifest with --manifest")
    for path in sources.paths:
        source_type(path).check(path, settings or SourceSettings())
    for manifest in sources.manifests:
        check_local(manifest, SourceSettings())
        if not os.path.isfile(manifest):
            raise SourceError(f"{manifest}: not a file; --manifest takes a file of JSON lines")
    _check_overlap([path.rstrip("/") if is_object(path) else os.path.realpath(path) for path in sources.paths])


def display_name(path: str) -> str:
    """A source as manifests and pages name it."""
    return without_password(path) if is_object(path) else os.path.abspath(path)


def _check_overlap(paths: list[str]) -> None:
    for outer, inner in pairwise(sorted(paths, key=lambda path: path.split("/"))):
        if inner == outer or inner.startswith(outer.rstrip("/") + "/"):
            raise SourceError(
                f"{inner}: lies in {outer}, which is scanned too; name only one, so that no file is counted twice"
            )


def list_files(
    sources: Sources,
    settings: ScanSettings,
    results: str,
    skipped: Counter[str],
    servers: SourceSettings | None = None,
) -> "Iterator[FolderListing | FileRef]":
    """`results` is the folder that holds scans: what is in it is no part of a source."""
    globs = Globs.of(settings.include, settings.exclude)
    out = os.stat(results) if storage.is_local(results) else None
    never_enter = frozenset({(out.st_dev, out.st_ino)}) if out else frozenset()
    selection = Selection(
        globs, results, never_enter, skipped, settings.access_lists == "read", servers or SourceSettings()
    )
    for path in sources.paths:
        yield from source_type(path).files(path, selection)
    for manifest in sources.manifests:
        from pipelines.sources.crawl_manifest import read_manifest

        yield from read_manifest(Path(manifest))


@dataclass(frozen=True, slots=True)
class Selection:
    """What a scan wants of its sources; `skipped` counts what its listing leaves out."""

    globs: Globs
    results: str  # the folder that holds scans: what is in it is no part of a source
    never_enter: frozenset[tuple[int, int]]  # device and inode of folders, such as that of the results
    skipped: Counter[str]
    access_lists: bool
    servers: SourceSettings


@dataclass(frozen=True, slots=True)
class SourceType:
    """`check` raises SourceError where a source cannot be scanned; `files` lists it lazily."""

    check: Callable[[str, SourceSettings], None]
    files: Callable[[str, Selection], "Iterator[FolderListing | FileRef]"]


def check_local(path: str, settings: SourceSettings) -> None:
    if not os.path.lexists(path):
        raise SourceError(f"{path}: no such file or folder; check the path, and that the share is mounted")
    if not os.access(path, os.R_OK | (os.X_OK if os.path.isdir(path) else 0)):
        raise SourceError(f"{path}: permission denied; run as a user who may read it")


def _list_local(path: str, selection: Selection) -> "Iterator[FolderListing | FileRef]":
    walk = Walk(os.fsencode(path), selection.globs, selection.never_enter, selection.skipped, selection.access_lists)
    return walk.listings()


# Object stores are imported by a scan that names one: their libraries take long to load.
def _check_objects(address: str, settings: SourceSettings) -> None:
    from pipelines.sources.object_stores import check_objects

    check_objects(address, settings)


def _list_objects(address: str, selection: Selection) -> "Iterator[FileRef]":
    from pipelines.sources.object_stores import ObjectWalk

    return iter(ObjectWalk(address, selection.globs, selection.results, selection.skipped, selection.servers))


_LOCAL = SourceType(check_local, _list_local)
_STORE = SourceType(_check_objects, _list_objects)


def source_type(source: str) -> SourceType:
    return _STORE if is_object(source) else _LOCAL
