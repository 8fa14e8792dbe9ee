"""Sources in which nothing changed -> a new scan, copied from the previous one without Arrow, which is slow to load."""

import gc
import time
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipelines import storage
from pipelines.bundle.inputs import Inputs
from pipelines.request import ScanRequest
from pipelines.rescan.previous import PreviousScan
from pipelines.rescan.scan_id_patch import with_scan_id
from pipelines.rescan.walk_fingerprint import WalkFingerprint
from pipelines.results.folder import FinishedScan, ScanFolder, new_scan_id
from pipelines.results.manifest import names_of, new_manifest
from pipelines.results.seal import seal_in, seal_of, sealed_json, sealed_summary, with_seal, without_seals
from pipelines.sources.sources import list_files
from pipelines.worker_count import LOCAL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.records import FileRef
    from pipelines.sources.local import FolderListing


class _RecordsChangedError(Exception):
    """The previous scan's records are not what they were when they were written."""


def copy_previous_scan(request: ScanRequest, previous: PreviousScan, inputs: Inputs, key: bytes) -> FinishedScan | None:
    """None where a file must be read, or where that cannot be known without a closer look; nothing is written then."""
    if not _can_be_copied(request, previous):
        return None
    template = previous.carry_from[0]
    old_manifest, summary = template.read_manifest(), without_seals(template.read_summary())
    fingerprints = old_manifest.get("likeness") or {}
    if not fingerprints.get("walk") or not fingerprints.get("records") or old_manifest["inputs"] != inputs.sha256:
        return None
    skipped: Counter[str] = Counter()
    walk = _fingerprint(list_files(request.sources, request.settings.scan, request.out, skipped))
    same_files = walk.sha256 == fingerprints["walk"] and walk.files == summary["reconciliation"]["recorded"]
    if not same_files or walk.newest_ns >= previous.trusted_before_ns:
        return None
    folder = ScanFolder.of(request.out, new_scan_id(request.started, request.out))
    manifest = new_manifest(folder, request.sources, request.settings, request.started, inputs, old_manifest)
    manifest |= {
        "walk": {**old_manifest["walk"], "passed_over": dict(skipped)},
        "carried_from": previous.folder.scan_id,
        "likeness": fingerprints,
    }
    summary |= {
        "scan_id": folder.scan_id,
        "started": manifest["started"],
        "not_followed": dict(skipped),
        "carried": {**old_manifest["walk"]["carried"], "from": previous.folder.scan_id},
    }
    try:
        with storage.whole_folder(folder.uri) as draft:
            seals = _copy_records(previous, ScanFolder(draft), folder.scan_id, key)
            storage.write_whole(ScanFolder(draft).manifest, sealed_json(manifest, key))
            summary |= {
                "finished": datetime.now(UTC).isoformat(timespec="seconds"),
                "seconds": round(time.perf_counter() - request.clock, 3),
            }
            storage.write_whole(ScanFolder(draft).summary, sealed_summary(summary, key, seals))
    except _RecordsChangedError:
        return None
    return FinishedScan(folder, folder.read_manifest(), summary, template)


def _can_be_copied(request: ScanRequest, previous: PreviousScan) -> bool:
    """Local files and local results, the same sources, every file and no engine."""
    sources, settings = request.sources, request.settings.scan
    if sources.manifests or settings.sample or settings.beam_options or settings.runner != LOCAL:
        return False
    if not all(storage.is_local(place) for place in (request.out, *sources.paths)):
        return False
    return bool(previous.manifest["sources"] == names_of(sources))


def _fingerprint(listings: "Iterable[FolderListing | FileRef]") -> WalkFingerprint:
    """Of everything that is listed, up to the first entry that every scan must look at anew."""
    fingerprint = WalkFingerprint()
    gc.disable()  # a walk makes many small objects and no cycles
    try:
        for listing in listings:
            fingerprint.add(listing)
            if not fingerprint.comparable:
                break
    finally:
        gc.enable()
    return fingerprint


def _copy_records(previous: PreviousScan, draft: ScanFolder, scan_id: str, key: bytes) -> list[str]:
    """Links the plan and the bundle, which name no scan, and copies all records under the new scan's id.

    The caller has checked their seals; returned are the new ones.
    """
    template, old_id = previous.carry_from[0], previous.folder.scan_id
    seals = []
    try:
        storage.link(template.plan, draft.plan)
        storage.link(previous.folder.bundle, draft.bundle)
        for name in template.unit_names():
            content = storage.read_whole(storage.join(template.files, name))
            patched = with_scan_id(content, old_id, scan_id)
            if patched is None:
                raise _RecordsChangedError
            content = with_seal(patched, key)
            seals.append(seal_in(content))
            storage.write_whole(storage.join(draft.files, name), content)
        for name in template.people_names():  # they name no scan
            storage.link(storage.join(template.people, name), storage.join(draft.people, name))
    except OSError:  # of reading: writing raises OutputError
        raise _RecordsChangedError from None
    return seals + [seal_of(storage.join(draft.people, name)) for name in draft.people_names()]
