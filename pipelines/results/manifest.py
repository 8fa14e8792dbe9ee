"""What a scan is asked to do, and with what -> its manifest."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from core.settings import Settings
from core.version import RESULTS_FORMAT, VERSION
from extraction.version import EXTRACTOR_VERSION
from pipelines.bundle.inputs import Inputs
from pipelines.results.folder import ScanFolder
from pipelines.sources.sources import Sources, display_name
from pipelines.worker_count import LOCAL, worker_count

REUSABLE = (
    "rules",
    "health_model",
    "bundle",
    "aspects",
    "inputs",
)  # a scan with the same inputs takes these from the scan before


def new_manifest(
    folder: ScanFolder,
    sources: Sources,
    settings: Settings,
    started: datetime,
    inputs: Inputs,
    facts: dict[str, Any],
    *,
    full: bool = False,
) -> dict[str, Any]:
    """Written before the walk, so that a scan that is interrupted in it can be resumed; `walk` is filled in after it.

    `facts` has what REUSABLE names, and what the sandbox supports.
    """
    return {
        "format": RESULTS_FORMAT,
        "scan_id": folder.scan_id,
        "sources": names_of(sources),
        "asked": {**asdict(sources), "full": full},
        "started": started.isoformat(timespec="seconds"),
        "settings": asdict(settings),
        "walk": None,
        **{name: facts[name] for name in REUSABLE},
        "hmac_key": {"fingerprint": inputs.key_fingerprint},
        "extractor_version": EXTRACTOR_VERSION,
        "code_version": VERSION,
        "sandbox": facts["sandbox"],
        "runner": settings.scan.runner,
        "workers": worker_count(settings.scan.workers) if settings.scan.runner == LOCAL else None,
        "carried_from": None,
        "likeness": None,
    }


def names_of(sources: Sources) -> list[str]:
    return [display_name(path) for path in (*sources.paths, *sources.manifests)]


def all_carried(walk: dict[str, Any], records: int) -> dict[str, Any]:
    """The walk's figures as they are where every file's records come from an earlier scan."""
    carried = {"files": walk["files"], "records": records, "bytes": walk["bytes"]}
    return {**walk, "units": 0, "carried": carried}
