"""A request -> a finished scan: a copy of the previous one if nothing changed, otherwise planned, read and summarised.

Arrow, Beam and the models are imported inside the functions that use them: a scan of unchanged files uses none of them.
"""

import os
import time
from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from core.errors import OutputError
from core.log import WARNING, log_event
from core.settings import ScanSettings, Settings, stored_section
from core.version import VERSION
from extraction.opening.pace import Pace
from extraction.version import EXTRACTOR_VERSION
from pipelines import storage
from pipelines.bundle.inputs import Inputs, read_inputs
from pipelines.request import ScanRequest
from pipelines.rescan.nothing_changed import copy_previous_scan
from pipelines.rescan.previous import PreviousScan, previous_scan, usable
from pipelines.results.folder import FinishedScan, ScanFolder, new_scan_id, open_scan, unit_file
from pipelines.results.manifest import REUSABLE, names_of, new_manifest
from pipelines.results.seal import (
    fault_in,
    fault_in_manifest,
    forget_changed_units,
    has_seals,
    key_of_seals,
    require_seal,
    sealed_json,
    sealed_summary,
    seals_of,
)
from pipelines.sources.sources import Sources, check_sources
from pipelines.worker_count import LOCAL
from screening.privacy.key import fingerprint, load_key

if TYPE_CHECKING:
    from pipelines.runners.run import Observer
    from screening.ruleset.ruleset import RuleSet


def start_scan(request: ScanRequest, observer: "Observer", before_loading: Callable[[], None]) -> FinishedScan:
    """A new scan. `before_loading` is called if files must be read, before Beam is imported."""
    if not storage.is_local(request.out):
        before_loading()  # remote results are listed by Beam
    inputs = read_inputs(request.settings)
    if request.settings.scan.hours:
        Pace(request.settings.scan).wait_for_hours(observer.held_back)
    key = key_of_seals(load_key(request.settings.privacy.key_file))
    previous = None if request.full else _intact(previous_scan(request.out, names_of(request.sources)), key)
    if previous is not None and previous.began > request.started:
        # Its clock says nothing of when files changed.
        log_event("clock.set_back", "leakscreen: the last scan began in the future; all files are read again")
        previous = None
    copied = copy_previous_scan(request, previous, inputs, key) if previous is not None else None
    if copied is not None:
        return copied
    before_loading()
    folder, manifest = _begin(request, inputs, previous, key)
    try:
        manifest = _plan(folder, manifest, request.sources, request.settings, previous, key)
    except BaseException:
        # Nothing was read yet, so the folder is worth nothing; one that a kill leaves behind can be resumed.
        if storage.is_local(folder.uri):
            import shutil

            shutil.rmtree(folder.uri, ignore_errors=True)
        raise
    _read(folder, manifest, request.settings, observer)
    return _finish(folder, manifest, request.clock, key)


def resume_scan(place: str, settings: Settings, observer: "Observer") -> FinishedScan:
    """Continues the newest scan in a folder with its own plan, rules and model; finished units are not read again."""
    clock = time.perf_counter()
    folder = open_scan(place)
    manifest = folder.read_manifest()
    hmac_key = load_key(settings.privacy.key_file)
    if fingerprint(hmac_key) != manifest["hmac_key"]["fingerprint"]:
        raise OutputError(
            f"{folder.uri}: was started with another HMAC key; give the same LEAKSCREEN_HMAC_KEY or privacy.key_file"
        )
    key = key_of_seals(hmac_key)
    if has_seals(folder):
        require_seal(folder, manifest, key)
        forget_changed_units(folder, key)
    _tell_of_upgrade(manifest)
    if manifest["walk"] is None:
        manifest = _plan_again(folder, manifest, settings, key)
    _read(folder, manifest, settings, observer)
    return _finish(folder, manifest, clock, key)


def _tell_of_upgrade(manifest: dict[str, Any]) -> None:
    """The manifest keeps the version that began, so that the next scan carries nothing over from two of them."""
    begun = manifest["code_version"], manifest["extractor_version"]
    if begun != (VERSION, EXTRACTOR_VERSION):
        log_event(
            "scan.upgraded",
            f"leakscreen: version {begun[0]} (extraction {begun[1]}) began this scan, version {VERSION} (extraction"
            f" {EXTRACTOR_VERSION}) reads the rest with the same rules and model; the next scan reads every file again",
            level=WARNING,
        )


def _intact(previous: PreviousScan | None, key: bytes) -> PreviousScan | None:
    """Nothing is carried over from results that somebody changed, or that an older version wrote without seals."""
    if previous is None:
        return None
    for folder in dict.fromkeys((previous.carry_from[0], previous.folder)):
        if not has_seals(folder):
            return None
    fault = fault_in(previous.carry_from[0], key) or fault_in_manifest(previous.folder, previous.manifest, key)
    if fault:
        log_event("results.changed", f"leakscreen: {fault}; all files are read again", level=WARNING)
    return None if fault else previous


def _begin(
    request: ScanRequest, inputs: Inputs, previous: PreviousScan | None, key: bytes
) -> tuple[ScanFolder, dict[str, Any]]:
    """The scan's folder with bundle and manifest; sandbox, runner, rules and model are checked before it is made."""
    from extraction.sandbox import probe, require_protection

    settings = request.settings
    if settings.privacy.sandbox == "require":
        require_protection()
    if settings.scan.runner != LOCAL or settings.scan.beam_options:
        from pipelines.runners.choose import check_runner

        check_runner(settings.scan)
    if settings.scan.sample:
        from pipelines.sampling.draw import check_sample

        check_sample(settings.scan.sample)
    bundle, facts = _bundle(inputs, previous)
    facts["sandbox"] = probe().as_dict()
    folder = ScanFolder.of(request.out, new_scan_id(request.started, request.out))
    manifest = new_manifest(folder, request.sources, settings, request.started, inputs, facts, full=request.full)
    storage.begin_folder(folder.uri, {"bundle.zip": bundle, "manifest.json": sealed_json(manifest, key)})
    return folder, manifest


def _bundle(inputs: Inputs, previous: PreviousScan | None) -> tuple[bytes, dict[str, Any]]:
    """The previous bundle if its inputs are the same: it was checked then, and no model has to be loaded."""
    if previous is not None and previous.manifest["inputs"] == inputs.sha256:
        return storage.read_whole(previous.folder.bundle), {name: previous.manifest[name] for name in REUSABLE}
    from pipelines.bundle.bundle import make_bundle

    bundle = make_bundle(inputs)
    return bundle.content, bundle.facts(inputs)


def _plan(
    folder: ScanFolder,
    manifest: dict[str, Any],
    sources: Sources,
    settings: Settings,
    previous: PreviousScan | None,
    key: bytes,
) -> dict[str, Any]:
    """The manifest with the walk's figures; once it is written, the plan and what was carried over are fixed."""
    from pipelines.planning import plan_scan
    from pipelines.rescan.rescreen import Rescreen

    aspects = manifest["aspects"]
    base = usable(previous, aspects)
    rescreen = Rescreen()
    if base is not None:
        rules = None if base.same("rules", aspects) else _rules(folder)
        rescreen = Rescreen(rules, base.same("health", aspects))
    planned = plan_scan(folder, sources, settings.scan, base, rescreen, key, settings.sources)
    carried_from = base.folder.scan_id if base is not None and planned.walk["carried"]["files"] else None
    manifest = {**manifest, "walk": planned.walk, "carried_from": carried_from, "likeness": planned.likeness}
    storage.write_whole(folder.manifest, sealed_json(manifest, key))
    return manifest


def _rules(folder: ScanFolder) -> "RuleSet":
    from pipelines.bundle.bundle import rules_in

    return rules_in(folder.bundle)


def _plan_again(folder: ScanFolder, manifest: dict[str, Any], settings: Settings, key: bytes) -> dict[str, Any]:
    """Repeats a walk that was interrupted, with the sources and settings that the scan was started with."""
    requested = manifest["asked"]
    sources = Sources(**{entry.name: tuple(requested[entry.name]) for entry in fields(Sources)})
    check_sources(sources, settings.sources)
    settings = replace(settings, scan=stored_section(ScanSettings, manifest["settings"]["scan"]))
    previous = (
        None if requested["full"] else _intact(previous_scan(os.path.dirname(folder.uri), manifest["sources"]), key)
    )
    return _plan(folder, manifest, sources, settings, previous, key)


def _read(folder: ScanFolder, manifest: dict[str, Any], settings: Settings, observer: "Observer") -> None:
    """Examines all files of the plan whose unit has no Parquet file yet."""
    done = set(folder.unit_names())
    units = [number for number in range(manifest["walk"]["units"]) if unit_file(number) not in done]
    if not units:
        return
    from pipelines.bundle.bundle import BundleRef
    from pipelines.runners.run import run_units

    key_fingerprint = manifest["hmac_key"]["fingerprint"]
    bundle = BundleRef(
        folder.bundle, manifest["bundle"]["sha256"], settings.privacy.key_file, key_fingerprint, settings.sources
    )
    run_units(folder, manifest, units, bundle, settings.scan, observer)


def _finish(folder: ScanFolder, manifest: dict[str, Any], clock: float, key: bytes) -> FinishedScan:
    """summary.json, and what makes the next scan fast; fails if files are missing from the records."""
    from pipelines.rescan.next_scan import prepare_next_scan
    from pipelines.summary import require_reconciled, summarise

    summary = summarise(folder, manifest, manifest["rules"]["ids"], time.perf_counter() - clock)
    storage.write_whole(folder.summary, sealed_summary(summary, key, seals_of(folder)))
    require_reconciled(summary)
    prepare_next_scan(folder, manifest, summary, key)
    return FinishedScan(folder, manifest, summary)
