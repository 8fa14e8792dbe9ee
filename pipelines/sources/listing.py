"""Sources and settings -> what is found in them, folder by folder."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.settings import ScanSettings
from pipelines import storage
from pipelines.sources.check import Sources
from pipelines.sources.globs import Globs
from pipelines.sources.local import FolderListing
from pipelines.sources.source_types import Selection, source_type

if TYPE_CHECKING:
    from core.records import FileRef


def list_files(
    sources: Sources, settings: ScanSettings, results: str, skipped: Counter[str]
) -> "Iterator[FolderListing | FileRef]":
    """`results` is the folder that holds scans: what is in it is no part of a source."""
    globs = Globs.of(settings.include, settings.exclude)
    out = os.stat(results) if storage.is_local(results) else None
    never_enter = frozenset({(out.st_dev, out.st_ino)}) if out else frozenset()
    selection = Selection(globs, results, never_enter, skipped, settings.access_lists == "read")
    for path in sources.paths:
        yield from source_type(path).files(path, selection)
    for manifest in sources.manifests:
        from pipelines.sources.crawl_manifest import read_manifest

        yield from read_manifest(Path(manifest))
