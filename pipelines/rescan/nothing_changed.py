"""A source in which nothing at all has changed -> a new scan like the last one, without Arrow, which takes longer to load than the walk."""

import gc
import time
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core.settings import Settings
from pipelines import storage
from pipelines.bundle.inputs import read_inputs
from pipelines.rescan.previous import PreviousScan, previous_scan
from pipelines.rescan.scan_id_patch import RecordsFingerprint, with_scan_id
from pipelines.rescan.walk_fingerprint import WalkFingerprint
from pipelines.results.folder import FinishedScan, ScanFolder, as_json, new_scan_id
from pipelines.results.manifest import names_of, new_manifest
from pipelines.sources.check import Sources
from pipelines.sources.listing import list_files
from pipelines.worker_count import LOCAL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.records import FileRef
    from pipelines.sources.local import FolderListing


class _NotAlikeError(Exception):
    """The previous scan's records are not what they were when they were written."""


def copy_previous_scan(sources: Sources, settings: Settings, out: str) -> FinishedScan | None:
    """None where anything is to be read, or cannot be told without looking closer; nothing is written then."""
    began, started = time.perf_counter(), datetime.now(UTC)
    previous = _repeatable(sources, settings, out)
    if previous is None:
        return None
    like = previous.carry_from[0]
    told, summary = like.read_manifest(), like.read_summary()
    likeness = told.get("likeness") or {}
    inputs = read_inputs(settings)
    if not likeness.get("walk") or not likeness.get("records") or told["inputs"] != inputs.sha256:
        return None
    skipped: Counter[str] = Counter()
    seen = _seen(list_files(sources, settings.scan, out, skipped))
    is_as_it_was = seen.sha256 == likeness["walk"] and seen.files == summary["reconciliation"]["recorded"]
    if not is_as_it_was or seen.newest_ns >= previous.trusted_before_ns:
        return None
    folder = ScanFolder.of(out, new_scan_id(started))
    walk = {**told["walk"], "passed_over": dict(skipped)}
    carried_from = previous.folder.scan_id
    manifest = new_manifest(folder, sources, settings, started, inputs, told)
    manifest |= {"walk": walk, "carried_from": carried_from, "likeness": likeness}
    summary |= {"scan_id": folder.scan_id, "started": manifest["started"], "not_followed": walk["passed_over"]}
    summary["carried"] = {**walk["carried"], "from": carried_from}
    try:
        with storage.whole_folder(folder.uri) as draft:
            _write_like(previous, ScanFolder(draft), folder.scan_id, likeness["records"])
            storage.write_whole(ScanFolder(draft).manifest, as_json(manifest))
            summary |= {
                "finished": datetime.now(UTC).isoformat(timespec="seconds"),
                "seconds": round(time.perf_counter() - began, 3),
            }
            storage.write_whole(ScanFolder(draft).summary, as_json(summary))
    except _NotAlikeError:
        return None
    return FinishedScan(folder, folder.read_manifest(), summary, like)


def _repeatable(sources: Sources, settings: Settings, out: str) -> PreviousScan | None:
    """The scan of the very same sources that came before, where both they and the results are local."""
    wanted = settings.scan
    plain = not sources.manifests and not wanted.sample and not wanted.beam_options and wanted.runner == LOCAL
    if not plain or not all(storage.is_local(place) for place in (out, *sources.paths)):
        return None
    previous = previous_scan(out, names_of(sources))
    return previous if previous is not None and previous.manifest["sources"] == names_of(sources) else None


def _seen(listings: "Iterable[FolderListing | FileRef]") -> WalkFingerprint:
    """No further than to the first that has to be looked at anew."""
    seen = WalkFingerprint()
    gc.disable()  # a walk makes many small things and no cycles
    try:
        for listing in listings:
            seen.add(listing)
            if not seen.comparable:
                break
    finally:
        gc.enable()
    return seen


def _write_like(previous: PreviousScan, draft: ScanFolder, scan_id: str, records: str) -> None:
    """The plan and the bundle, which name no scan, and all records under their new scan's id."""
    found, like, old = RecordsFingerprint(), previous.carry_from[0], previous.folder.scan_id
    try:
        storage.link(like.plan, draft.plan)
        storage.link(previous.folder.bundle, draft.bundle)
        for name in like.unit_names():
            content = storage.read_whole(storage.join(like.files, name))
            found.add(content, old)
            carried = with_scan_id(content, old, scan_id)
            if carried is None:
                raise _NotAlikeError
            storage.write_whole(storage.join(draft.files, name), carried)
    except OSError:  # of reading: a fault of writing has its own words
        raise _NotAlikeError from None
    if found.sha256 != records:
        raise _NotAlikeError
