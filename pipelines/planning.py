"""Sources and an earlier scan -> what is to be read, as plan.arrow, and the records of what is not, carried over."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from core.records import FileRef
from core.settings import ScanSettings
from extraction.object_store import is_object
from pipelines import storage
from pipelines.carry import Carried, carry_over
from pipelines.crawl import read_manifest
from pipelines.earlier import Earlier
from pipelines.objects import ObjectWalk
from pipelines.plan import walked, write_plan
from pipelines.rescreen import Rescreen
from pipelines.results import ScanFolder
from pipelines.sample import draw
from pipelines.sources import Sources
from pipelines.walk import Found, Globs, Walk


def plan_scan(folder: ScanFolder, sources: Sources, settings: ScanSettings, earlier: Earlier | None, rescreen: Rescreen) -> dict[str, Any]:
    """The walk's own figures, for the manifest. Whatever an interrupted attempt left is written anew: nothing was read for it."""
    passed_over: Counter[str] = Counter()
    for name in folder.unit_names():
        storage.delete(storage.join(folder.files, name))
    with walked(folder.uri, _pieces(sources, settings, folder.uri, passed_over)) as files:
        wanted, sample = np.ones(files.num_rows, dtype=bool), None
        if settings.sample:
            wanted, drawn = draw(files, settings.sample, settings.seed)
            sample = drawn.as_dict()
        carried = carry_over(earlier, folder, files, rescreen, wanted) if earlier and files.num_rows else Carried([], 0)
        to_read = wanted.copy()
        to_read[carried.rows] = False
        totals = write_plan(
            folder.plan, files, settings.unit_files, settings.unit_bytes, to_read=np.flatnonzero(to_read), carried=carried.blocks
        )
        carried_bytes = int(files["size"].to_numpy()[carried.rows].sum()) if carried.blocks else 0
    told = {"files": len(carried.rows), "records": carried.records, "bytes": carried_bytes}
    planned = {**asdict(totals), "files": totals.files + told["files"], "bytes": totals.bytes + told["bytes"]}
    return {**planned, "carried": told, "sample": sample, "passed_over": dict(passed_over)}


def _pieces(sources: Sources, settings: ScanSettings, results: str, passed_over: Counter[str]) -> Iterator[Found | FileRef]:
    globs = Globs.of(settings.include, settings.exclude)
    out = os.stat(os.path.dirname(results)) if storage.is_local(results) else None
    never_enter = frozenset({(out.st_dev, out.st_ino)}) if out else frozenset()
    for path in sources.paths:
        if is_object(path):
            yield from ObjectWalk(path, globs, os.path.dirname(results), passed_over)
            continue
        yield from Walk(os.fsencode(path), globs, never_enter, passed_over, settings.access_lists == "read").pieces()
    for manifest in sources.manifests:
        yield from read_manifest(Path(manifest))
