"""Sources and settings -> what is found in them, folder by folder."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.settings import ScanSettings
from extraction.opening.addresses import is_object
from pipelines import storage
from pipelines.sources.check import Sources
from pipelines.sources.local import FolderListing, Globs, Walk

if TYPE_CHECKING:
    from core.records import FileRef


def list_files(
    sources: Sources, settings: ScanSettings, results: str, skipped: Counter[str]
) -> "Iterator[FolderListing | FileRef]":
    """`results` is the folder that holds scans: what is in it is no part of a source."""
    globs = Globs.of(settings.include, settings.exclude)
    out = os.stat(results) if storage.is_local(results) else None
    never_enter = frozenset({(out.st_dev, out.st_ino)}) if out else frozenset()
    for path in sources.paths:
        if is_object(path):
            from pipelines.sources.object_stores import ObjectWalk

            yield from ObjectWalk(path, globs, results, skipped)
            continue
        yield from Walk(os.fsencode(path), globs, never_enter, skipped, settings.access_lists == "read").listings()
    for manifest in sources.manifests:
        from pipelines.sources.crawl_manifest import read_manifest

        yield from read_manifest(Path(manifest))
