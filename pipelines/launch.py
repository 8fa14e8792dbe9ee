"""Settings and sources -> a finished scan's folder: check, plan, run, reconcile, summarise."""

import json
import os
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import apache_beam as beam

from core.errors import LeakscreenError, OutputError
from core.records import FileRef
from core.settings import Settings
from extraction.object_store import is_object
from extraction.sandbox import probe, require_protection
from extraction.version import EXTRACTOR_VERSION
from pipelines import storage
from pipelines.bundle import Bundle, BundleRef, engines, make_bundle
from pipelines.crawl import read_manifest
from pipelines.objects import ObjectWalk
from pipelines.options import LOCAL, check_runner, runner_for, worker_count
from pipelines.plan import PlanTotals, write_plan
from pipelines.results import ScanFolder, check_output, open_scan
from pipelines.scan import build
from pipelines.sources import Sources, check_sources, named
from pipelines.summary import require_reconciled, summarise
from pipelines.table import FORMAT_VERSION
from pipelines.transforms import unit_file
from pipelines.walk import Globs, Walk
from pipelines.watch import Observer, Watch
from screening.key import fingerprint, load_key


@dataclass(frozen=True, slots=True)
class FinishedScan:
    folder: ScanFolder
    manifest: dict[str, Any]
    summary: dict[str, Any]


def start_scan(sources: Sources, settings: Settings, observer: Observer) -> FinishedScan:
    """A new scan; what is wrong with sources, output, rules, model or sandbox is found before anything is written."""
    check_sources(sources)
    out = check_output(settings.scan.out)
    if settings.privacy.sandbox == "require":
        require_protection()
    bundle = make_bundle(settings)
    key = load_key(settings.privacy.key_file)
    check_runner(settings.scan.runner, settings.scan.beam)
    started = datetime.now(UTC)
    folder = ScanFolder.of(out, f"{started:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}")
    storage.make_folder(folder.uri)
    storage.make_folder(folder.files)
    try:
        storage.write_whole(folder.bundle, bundle.content)
        passed_over: Counter[str] = Counter()
        plan = write_plan(folder.plan, _walk(sources, settings, out, passed_over), settings.scan.unit_files, settings.scan.unit_bytes)
        manifest = _manifest(folder, sources, settings, started, bundle, fingerprint(key), plan, passed_over)
        storage.write_whole(folder.manifest, json.dumps(manifest, indent=2).encode())
    except BaseException:
        if storage.is_local(folder.uri):
            shutil.rmtree(folder.uri, ignore_errors=True)
        raise
    return _run(folder, manifest, settings, observer)


def resume_scan(place: str, settings: Settings, observer: Observer) -> FinishedScan:
    """Goes on with the newest scan in a folder: the same plan, rules and model; units that have their file are not read again."""
    folder = open_scan(place)
    manifest = folder.read_manifest()
    if fingerprint(load_key(settings.privacy.key_file)) != manifest["hmac_key"]["fingerprint"]:
        raise OutputError(f"{folder.uri}: was started with another HMAC key; give the same LEAKSCREEN_HMAC_KEY or privacy.key_file")
    return _run(folder, manifest, settings, observer)


def _walk(sources: Sources, settings: Settings, out: str, passed_over: Counter[str]) -> Iterator[FileRef]:
    globs = Globs.of(settings.scan.include, settings.scan.exclude)
    results = os.stat(out) if storage.is_local(out) else None
    never_enter = frozenset({(results.st_dev, results.st_ino)}) if results else frozenset()
    for path in sources.paths:
        if is_object(path):
            yield from ObjectWalk(path, globs, out, passed_over)
            continue
        yield from Walk(os.fsencode(path), globs, never_enter, passed_over)
    for manifest in sources.manifests:
        yield from read_manifest(Path(manifest))


def _manifest(
    folder: ScanFolder,
    sources: Sources,
    settings: Settings,
    started: datetime,
    bundle: Bundle,
    key_fingerprint: str,
    plan: PlanTotals,
    passed_over: Counter[str],
) -> dict[str, Any]:
    return {
        "format": FORMAT_VERSION,
        "scan_id": folder.scan_id,
        "sources": [named(path) for path in (*sources.paths, *sources.manifests)],
        "started": started.isoformat(timespec="seconds"),
        "settings": asdict(settings),
        "walk": {**asdict(plan), "passed_over": dict(passed_over)},
        "rules": {"sha256": bundle.rules.sha256, "version": bundle.rules.version, "ids": [rule.id for rule in bundle.rules.rules]},
        "health_model": {"sha256": bundle.model_sha256},
        "bundle": {"sha256": bundle.sha256},
        "hmac_key": {"fingerprint": key_fingerprint},
        "extractor_version": EXTRACTOR_VERSION,
        "code_version": version("leakscreen"),
        "sandbox": probe().as_dict(),
        "runner": settings.scan.runner,
        "workers": worker_count(settings.scan.workers) if settings.scan.runner == LOCAL else None,
    }


def _run(folder: ScanFolder, manifest: dict[str, Any], settings: Settings, observer: Observer) -> FinishedScan:
    started = time.perf_counter()
    done = set(folder.unit_names())
    units = [number for number in range(manifest["walk"]["units"]) if unit_file(number) not in done]
    bundle = BundleRef(
        uri=folder.bundle,
        sha256=manifest["bundle"]["sha256"],
        key_file=settings.privacy.key_file,
        key_fingerprint=manifest["hmac_key"]["fingerprint"],
    )
    if units:
        engines(bundle)  # loaded before the workers are forked, so that they share it
    with runner_for(settings.scan.runner, max(1, min(len(units), worker_count(settings.scan.workers))), settings.scan.beam) as chosen:
        observer.planned(manifest["walk"]["files"], manifest["walk"]["bytes"])
        with Watch(folder, observer):
            if units:
                _run_units(folder, units, bundle, *chosen)
    summary = summarise(folder, manifest, manifest["rules"]["ids"], time.perf_counter() - started)
    storage.write_whole(folder.summary, json.dumps(summary, indent=2).encode())
    require_reconciled(summary)
    return FinishedScan(folder, manifest, summary)


def _run_units(folder: ScanFolder, units: list[int], bundle: BundleRef, runner: Any, options: Any) -> None:
    pipeline = beam.Pipeline(runner=runner, options=options)
    build(pipeline, units, scan_id=folder.scan_id, plan=folder.plan, files=folder.files, bundle=bundle)
    try:
        pipeline.run().wait_until_finish()
    except LeakscreenError:
        raise
    except Exception as error:
        lines = str(error).strip().splitlines()
        said = lines[-1] if lines else type(error).__name__
        raise LeakscreenError(f"the pipeline stopped: {said}; finished units are kept: go on with --resume") from error
