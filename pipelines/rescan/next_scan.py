"""A finished scan -> the folder that the next one would have if no file changed, still under this scan's id.

It repeats what the units hold, so it may be deleted, and nobody reads results from it. The next scan carries over from
its few large files ten times as fast, and copies them as they are if nothing changed.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pipelines import storage
from pipelines.plan.arrow_file import PLAN_SCHEMA
from pipelines.rescan.carry_over import needs_retry
from pipelines.rescan.record_batches import record_batches
from pipelines.rescan.rescreen import Rescreen
from pipelines.rescan.scan_id_patch import RecordsFingerprint
from pipelines.results.folder import ScanFolder, carried_file
from pipelines.results.manifest import all_carried
from pipelines.results.parquet import carried_parquet
from pipelines.results.people import PeopleFile, people_batches
from pipelines.results.seal import sealed_json, sealed_summary, seals_of
from pipelines.results.totals import table_totals


def prepare_next_scan(folder: ScanFolder, manifest: dict[str, Any], summary: dict[str, Any], key: bytes) -> None:
    """Only for local results: moving the whole of a remote scan once more would cost more than it saves."""
    walk = manifest["walk"]
    if not walk["units"] or walk.get("sample") or not storage.is_local(folder.uri) or storage.exists(folder.again.uri):
        return
    with storage.whole_folder(folder.again.uri) as draft:
        gathered = ScanFolder(draft)
        records = _gathered(folder, walk["units"], gathered, key)
        next_manifest = {
            **manifest,
            "walk": all_carried(walk, summary["records"]),
            "carried_from": folder.scan_id,
            "likeness": {"walk": None, **(manifest.get("likeness") or {}), "records": records},
        }
        idle = {stage: {"seconds": 0.0, "bytes": 0} for stage in summary["stages"]}
        carried = {**next_manifest["walk"]["carried"], "from": folder.scan_id}
        storage.write_whole(gathered.manifest, sealed_json(next_manifest, key))
        next_summary = {**summary, "stages": idle, "carried": carried}
        storage.write_whole(gathered.summary, sealed_summary(next_summary, key, seals_of(gathered)))


def _gathered(folder: ScanFolder, units: int, gathered: ScanFolder, key: bytes) -> str | None:
    """Writes few large files and their plan; returns the records' fingerprint, or None if any must be read again."""
    fingerprint, final, files = RecordsFingerprint(), True, 0
    Path(gathered.plan).touch(mode=0o600)
    with (
        storage.open_mapped(folder.plan) as source,
        pa.ipc.open_file(source) as plan,
        pa.OSFile(gathered.plan, "wb") as sink,
        pa.ipc.new_file(sink, PLAN_SCHEMA) as writer,
    ):
        for batch in record_batches(folder, units, range(units)):
            batches = [plan.get_batch(number) for number in range(batch.first, batch.end)]
            writer.write_batch(pa.Table.from_batches(batches).combine_chunks().to_batches()[0])
            people = PeopleFile()
            for rows in people_batches(folder, batch.names):
                people.add_table(rows)
            people.write(storage.join(gathered.people, carried_file(files)), key)
            content = carried_parquet(batch.records, table_totals(batch.records), key)
            storage.write_whole(storage.join(gathered.files, carried_file(files)), content)
            fingerprint.add(content, folder.scan_id)
            final = final and not _needs_reading(batch.records)
            files += 1
        for number in range(units, plan.num_record_batches):
            writer.write_batch(plan.get_batch(number))
            name = carried_file(number - units)
            storage.link(storage.join(folder.people, name), storage.join(gathered.people, carried_file(files)))
            carried = storage.join(folder.files, name)
            storage.link(carried, storage.join(gathered.files, carried_file(files)))
            fingerprint.add(storage.read_whole(carried), folder.scan_id)
            files += 1
    return fingerprint.sha256 if final else None


def _needs_reading(records: pa.Table) -> bool:
    """Whether a next scan reads any of these files again, changed or not."""
    _, without_verdict = Rescreen().apply(records)
    return bool(np.any(without_verdict | needs_retry(records)))
