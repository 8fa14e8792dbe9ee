"""Unit numbers -> their Parquet files, by Beam; imported only where something is left to be read."""

from contextlib import suppress
from typing import Any

import apache_beam as beam

from core.errors import LeakscreenError
from core.settings import ScanSettings
from pipelines.bundle.bundle import BundleRef, load_engines
from pipelines.results.folder import ScanFolder
from pipelines.runners.choose import runner_for
from pipelines.runners.progress import Observer, Watch
from pipelines.scan import build
from pipelines.worker_count import LOCAL, worker_count


def run_units(
    folder: ScanFolder,
    manifest: dict[str, Any],
    units: list[int],
    bundle: BundleRef,
    settings: ScanSettings,
    observer: Observer,
) -> None:
    if settings.runner == LOCAL:
        load_engines(
            bundle
        )  # loaded before the workers are forked, so that they share it; those of an engine load it themselves
    workers = max(1, min(len(units), worker_count(settings.workers)))
    with runner_for(settings, workers, f"leakscreen-{folder.scan_id.lower()}") as chosen:
        observer.planned(manifest["walk"]["files"], manifest["walk"]["bytes"])
        with Watch(folder, observer):
            _run(folder, units, bundle, *chosen)


def _run(folder: ScanFolder, units: list[int], bundle: BundleRef, runner: Any, options: Any) -> None:
    pipeline = beam.Pipeline(runner=runner, options=options)
    build(pipeline, units, scan_id=folder.scan_id, plan=folder.plan, files=folder.files, bundle=bundle)
    try:
        _wait_for(pipeline.run())
    except LeakscreenError:
        raise
    except Exception as error:
        lines = str(error).strip().splitlines()
        said = lines[-1] if lines else type(error).__name__
        raise LeakscreenError(f"the pipeline stopped: {said}; finished units are kept: go on with --resume") from error


def _wait_for(result: Any) -> None:
    """An engine goes on by itself when its launcher ends; a scan that is stopped takes its job along."""
    try:
        result.wait_until_finish()
    except BaseException:
        with suppress(Exception):
            result.cancel()
        raise
