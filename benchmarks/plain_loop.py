"""The limit: the same stages over the same plan by a plain multiprocessing loop, without Beam.

`python -m benchmarks.plain_loop SHARE OUT WORKERS`
"""

import os
import sys
from multiprocessing import Pool
from pathlib import Path

from core.settings import Settings
from extraction.sandbox import Sandbox
from pipelines import storage
from pipelines.bundle.bundle import BundleRef, Engines, load_engines, make_bundle
from pipelines.bundle.inputs import read_inputs
from pipelines.plan.arrow_file import read_unit, spooled_walk, write_plan
from pipelines.results.parquet import unit_parquet
from pipelines.results.totals import unit_totals
from pipelines.sources.local import Walk
from pipelines.stages.duplicates import SameFindings, records_of_duplicates
from pipelines.stages.extract import extract_documents
from pipelines.stages.health import classify_documents
from pipelines.stages.screen import screen_documents
from pipelines.stages.stream import Stream
from screening.privacy.key import fingerprint, load_key

_worker: tuple[Engines, Sandbox, SameFindings, str]


def _start(ref: BundleRef, out: str) -> None:
    global _worker
    loaded = load_engines(ref)
    _worker = loaded, Sandbox(loaded.limits), SameFindings(loaded.screen), out


def _unit(number: int) -> int:
    loaded, sandbox, same_findings, out = _worker
    refs = read_unit(f"{out}/plan.arrow", number)
    stream = Stream(number, iter(()), refs)
    documents = extract_documents(stream, refs, sandbox, same_findings)
    screened = screen_documents(stream, documents, loaded.screen)
    records = list(classify_documents(stream, screened, loaded.health, loaded.health_batch, "plain"))
    records += records_of_duplicates(records, stream.duplicates)
    storage.write_whole(
        f"{out}/files/{number}.parquet", unit_parquet(records, lambda _: unit_totals(records, stream.figures))
    )
    return len(records)


def main() -> None:
    share, out, workers = sys.argv[1], sys.argv[2], int(sys.argv[3])
    settings = Settings()
    Path(out, "files").mkdir(parents=True)
    bundle = make_bundle(read_inputs(settings))
    storage.write_whole(f"{out}/bundle.zip", bundle.content)
    ref = BundleRef(f"{out}/bundle.zip", bundle.sha256, "", fingerprint(load_key("")))
    with spooled_walk(out, Walk(os.fsencode(share)).listings()) as files:
        plan = write_plan(f"{out}/plan.arrow", files, settings.scan.unit_files, settings.scan.unit_bytes)
    load_engines(ref)
    with Pool(workers, _start, (ref, out)) as pool:
        print(sum(pool.imap_unordered(_unit, range(plan.units))))


if __name__ == "__main__":
    main()
