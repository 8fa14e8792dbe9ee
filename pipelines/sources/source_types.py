"""The name of a source -> how it is checked and listed: one entry a scheme of address, and one for local paths."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import SourceError
from extraction.opening.addresses import SCHEMES, scheme_of
from pipelines.sources.globs import Globs
from pipelines.sources.local import FolderListing, Walk

if TYPE_CHECKING:
    from core.records import FileRef


@dataclass(frozen=True, slots=True)
class Selection:
    """What a scan wants of its sources; `skipped` counts what its listing leaves out."""

    globs: Globs
    results: str  # the folder that holds scans: what is in it is no part of a source
    never_enter: frozenset[tuple[int, int]]  # device and inode of folders, such as that of the results
    skipped: Counter[str]
    access_lists: bool


@dataclass(frozen=True, slots=True)
class SourceType:
    """`check` raises SourceError where a source cannot be scanned; `files` lists it lazily."""

    check: Callable[[str], None]
    files: Callable[[str, Selection], "Iterator[FolderListing | FileRef]"]


def check_local(path: str) -> None:
    if not os.path.lexists(path):
        raise SourceError(f"{path}: no such file or folder; check the path, and that the share is mounted")
    if not os.access(path, os.R_OK | (os.X_OK if os.path.isdir(path) else 0)):
        raise SourceError(f"{path}: permission denied; run as a user who may read it")


def _list_local(path: str, selection: Selection) -> "Iterator[FolderListing | FileRef]":
    walk = Walk(os.fsencode(path), selection.globs, selection.never_enter, selection.skipped, selection.access_lists)
    return walk.listings()


# Object stores are imported by a scan that names one: their libraries take long to load.
def _check_objects(address: str) -> None:
    from pipelines.sources.object_stores import check_objects

    check_objects(address)


def _list_objects(address: str, selection: Selection) -> "Iterator[FileRef]":
    from pipelines.sources.object_stores import ObjectWalk

    return iter(ObjectWalk(address, selection.globs, selection.results, selection.skipped))


_LOCAL = SourceType(check_local, _list_local)
_BY_SCHEME = dict.fromkeys(SCHEMES, SourceType(_check_objects, _list_objects))


def source_type(source: str) -> SourceType:
    scheme = scheme_of(source)
    return _LOCAL if scheme is None else _BY_SCHEME[scheme.name]
