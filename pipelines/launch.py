"""Settings and sources -> a finished scan's folder: check, plan, run, reconcile, summarise."""

import os
import shutil
import time
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from core.errors import OutputError
from core.settings import ScanSettings, Settings, stored_section
from extraction.sandbox import probe, require_protection
from pipelines import storage
from pipelines.bundle.inputs import Inputs, read_inputs
from pipelines.planning import plan_scan
from pipelines.rescan.next_scan import prepare_next_scan
from pipelines.rescan.previous import PreviousScan, previous_scan, usable
from pipelines.rescan.rescreen import Rescreen
from pipelines.results.folder import FinishedScan, ScanFolder, as_json, check_output, new_scan_id, open_scan, unit_file
from pipelines.results.manifest import REUSABLE, names_of, new_manifest
from pipelines.runners.progress import Observer
from pipelines.sampling.draw import check_sample
from pipelines.sources.check import Sources, check_sources
from pipelines.summary import require_reconciled, summarise
from pipelines.worker_count import LOCAL
from screening.privacy.key import fingerprint, load_key
from screening.ruleset.ruleset import RuleSet


def start_scan(sources: Sources, settings: Settings, observer: Observer, *, full: bool = False) -> FinishedScan:
    """A new scan; what is wrong with sources, output, rules, model or sandbox is found before anything is written."""
    began, started = time.perf_counter(), datetime.now(UTC)
    check_sources(sources)
    out = check_output(settings.scan.out)
    if settings.privacy.sandbox == "require":
        require_protection()
    _check_runner(settings.scan)
    if settings.scan.sample:
        check_sample(settings.scan.sample)
    inputs = read_inputs(settings)
    previous = None if full else previous_scan(out, names_of(sources))
    bundle, decided = _bundle(inputs, previous)
    folder = ScanFolder.of(out, new_scan_id(started))
    manifest = new_manifest(
        folder, sources, settings, started, inputs, {**decided, "sandbox": probe().as_dict()}, full=full
    )
    storage.begin_folder(folder.uri, {"bundle.zip": bundle, "manifest.json": as_json(manifest)})
    try:
        manifest = _planned(folder, manifest, sources, settings.scan, previous)
    except BaseException:
        if storage.is_local(folder.uri):
            shutil.rmtree(folder.uri, ignore_errors=True)
        raise
    return _run(folder, manifest, settings, observer, began)


def resume_scan(place: str, settings: Settings, observer: Observer) -> FinishedScan:
    """Goes on with the newest scan in a folder: the same plan, rules and model; units that have their file are not read again."""
    began = time.perf_counter()
    folder = open_scan(place)
    manifest = folder.read_manifest()
    if fingerprint(load_key(settings.privacy.key_file)) != manifest["hmac_key"]["fingerprint"]:
        raise OutputError(
            f"{folder.uri}: was started with another HMAC key; give the same LEAKSCREEN_HMAC_KEY or privacy.key_file"
        )
    if manifest["walk"] is None:
        manifest = _planned_again(folder, manifest)
    return _run(folder, manifest, settings, observer, began)


def _bundle(inputs: Inputs, previous: PreviousScan | None) -> tuple[bytes, dict[str, Any]]:
    """The previous scan's bundle where all that goes into it is the same: it was checked then, and nothing needs loading."""
    if previous is not None and previous.manifest["inputs"] == inputs.sha256:
        return storage.read_whole(previous.folder.bundle), {name: previous.manifest[name] for name in REUSABLE}
    from pipelines.bundle.bundle import make_bundle

    bundle = make_bundle(inputs)
    return bundle.content, {
        "rules": {
            "sha256": bundle.rules.sha256,
            "version": bundle.rules.version,
            "ids": [rule.id for rule in bundle.rules.rules],
        },
        "health_model": {"sha256": bundle.model_sha256},
        "bundle": {"sha256": bundle.sha256},
        "aspects": inputs.aspects(bundle.rules),
        "inputs": inputs.sha256,
    }


def _planned(
    folder: ScanFolder,
    manifest: dict[str, Any],
    sources: Sources,
    settings: ScanSettings,
    previous: PreviousScan | None,
) -> dict[str, Any]:
    """The manifest with the walk's figures; from its being written on, the plan and what was carried over are fixed."""
    aspects = manifest["aspects"]
    base = usable(previous, aspects)
    rescreen = Rescreen()
    if base is not None:
        rescreen = Rescreen(None if base.same("rules", aspects) else _rules(folder), base.same("health", aspects))
    planned = plan_scan(folder, sources, settings, base, rescreen)
    carried_from = base.folder.scan_id if base is not None and planned.walk["carried"]["files"] else None
    manifest = {**manifest, "walk": planned.walk, "carried_from": carried_from, "likeness": planned.likeness}
    storage.write_whole(folder.manifest, as_json(manifest))
    return manifest


def _planned_again(folder: ScanFolder, manifest: dict[str, Any]) -> dict[str, Any]:
    """The walk was interrupted before anything was read; it is made again, of the sources and by the settings of then."""
    asked = manifest["asked"]
    sources = Sources(**{entry.name: tuple(asked[entry.name]) for entry in fields(Sources)})
    check_sources(sources)
    scan = stored_section(ScanSettings, manifest["settings"]["scan"])
    previous = None if asked["full"] else previous_scan(os.path.dirname(folder.uri), manifest["sources"])
    return _planned(folder, manifest, sources, scan, previous)


def _rules(folder: ScanFolder) -> RuleSet:
    from pipelines.bundle.bundle import rules_in

    return rules_in(folder.bundle)


def _check_runner(settings: ScanSettings) -> None:
    if settings.runner != LOCAL or settings.beam_options:
        from pipelines.runners.choose import check_runner

        check_runner(settings)


def _run(
    folder: ScanFolder, manifest: dict[str, Any], settings: Settings, observer: Observer, began: float
) -> FinishedScan:
    done = set(folder.unit_names())
    units = [number for number in range(manifest["walk"]["units"]) if unit_file(number) not in done]
    if units:
        from pipelines.bundle.bundle import BundleRef
        from pipelines.runners.run import run_units

        known_by = manifest["hmac_key"]["fingerprint"]
        bundle = BundleRef(folder.bundle, manifest["bundle"]["sha256"], settings.privacy.key_file, known_by)
        run_units(folder, manifest, units, bundle, settings.scan, observer)
    summary = summarise(folder, manifest, manifest["rules"]["ids"], time.perf_counter() - began)
    storage.write_whole(folder.summary, as_json(summary))
    require_reconciled(summary)
    prepare_next_scan(folder, manifest, summary)
    return FinishedScan(folder, manifest, summary)
