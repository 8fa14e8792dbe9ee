"""Sources and an previous scan -> what is to be read, as plan.arrow, and the records of what is not, carried over."""

import os
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.settings import ScanSettings, SourceSettings
from pipelines import storage
from pipelines.plan.arrow_file import spooled_walk, write_plan
from pipelines.rescan.carry_over import Carried, carry_over
from pipelines.rescan.previous import PreviousScan
from pipelines.rescan.rescreen import Rescreen
from pipelines.rescan.walk_fingerprint import WalkFingerprint
from pipelines.results.folder import ScanFolder
from pipelines.sampling.draw import draw
from pipelines.sampling.strata import BY_FOLDER, roots_of
from pipelines.sources.sources import Sources, display_name, list_files


@dataclass(frozen=True, slots=True)
class Planned:
    """What the manifest tells of the walk, and by what a next scan knows that all is as it was."""

    walk: dict[str, Any]
    likeness: dict[str, str | None]


def plan_scan(
    folder: ScanFolder,
    sources: Sources,
    settings: ScanSettings,
    previous: PreviousScan | None,
    rescreen: Rescreen,
    key: bytes,
    servers: SourceSettings,
) -> Planned:
    """Whatever an interrupted attempt left is written anew: nothing was read for it."""
    skipped: Counter[str] = Counter()
    for name in folder.unit_names():
        storage.delete(storage.join(folder.files, name))
    for name in folder.people_names():
        storage.delete(storage.join(folder.people, name))
    seen = WalkFingerprint()
    with spooled_walk(
        folder.uri, seen.tee(list_files(sources, settings, os.path.dirname(folder.uri), skipped, servers))
    ) as files:
        wanted, sample = np.ones(files.num_rows, dtype=bool), None
        if settings.sample:
            wanted, drawn = draw(
                files, settings.sample, settings.seed, _roots(sources) if settings.sample_by == BY_FOLDER else None
            )
            sample = drawn.as_dict()
        carried = (
            carry_over(previous, folder, files, rescreen, wanted, key)
            if previous and files.num_rows
            else Carried([], 0)
        )
        to_read = wanted.copy()
        to_read[carried.rows] = False
        totals = write_plan(
            folder.plan,
            files,
            settings.unit_files,
            settings.unit_bytes,
            to_read=np.flatnonzero(to_read),
            carried=carried.blocks,
        )
        carried_bytes = int(files["size"].to_numpy()[carried.rows].sum()) if carried.blocks else 0
    carried_totals = {"files": len(carried.rows), "records": carried.records, "bytes": carried_bytes}
    planned = {
        **asdict(totals),
        "files": totals.files + carried_totals["files"],
        "bytes": totals.bytes + carried_totals["bytes"],
    }
    walk = {**planned, "carried": carried_totals, "sample": sample, "passed_over": dict(skipped)}
    return Planned(walk, {"walk": seen.sha256, "records": None if totals.units or sample else carried.sha256})


def _roots(sources: Sources) -> tuple[str, ...]:
    return roots_of(display_name(path) for path in (*sources.paths, *sources.manifests))
