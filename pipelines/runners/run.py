"""Unit numbers -> their Parquet files, and progress for whoever watches.

By Beam; where one local worker does all the work, by the same steps in this process: a small scan would spend a third
of its time on the import of Beam. Imported only where something is left to be read.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from threading import Event, Thread
from types import TracebackType
from typing import Any, Protocol

from core.errors import LeakscreenError, OutputError
from core.settings import ScanSettings
from extraction.opening.object_store import close_stores
from extraction.opening.pace import Pace, share
from pipelines import busy, storage
from pipelines.bundle.bundle import BundleRef, load_engines
from pipelines.results.folder import ScanFolder
from pipelines.results.totals import add
from pipelines.steps import steps_of
from pipelines.worker_count import LOCAL, worker_count

_SECONDS_LOCAL = 0.25  # between two looks at the output folder
_SECONDS_REMOTE = 5.0
_SECONDS_BETWEEN_PACES = 5.0


class Observer(Protocol):
    """Whoever wants to know how a scan is getting on."""

    def planned(self, files: int, size: int) -> None: ...
    def advanced(self, totals: dict[str, Any]) -> None: ...
    def held_back(self, words: str) -> None:
        """By what the scan is held back now; empty when it goes on."""


def run_units(
    folder: ScanFolder,
    manifest: dict[str, Any],
    units: list[int],
    bundle: BundleRef,
    settings: ScanSettings,
    observer: Observer,
) -> None:
    file_seconds = 0.0
    if settings.runner == LOCAL:
        # Before the workers are forked, so that they share it; those of an engine load it themselves.
        file_seconds = load_engines(bundle).limits.file_seconds
    workers = max(1, min(len(units), worker_count(settings.workers)))
    pace = share(settings, busy.beat)
    close_stores()
    walk = manifest["walk"]
    if settings.runner == LOCAL and workers == 1 and not settings.beam_options:
        observer.planned(walk["files"], walk["bytes"])
        with Watch(folder, observer, pace), _explained():
            _run_here(folder, units, bundle, settings)
        return
    from pipelines.runners.choose import runner_for

    with runner_for(settings, workers, f"leakscreen-{folder.scan_id.lower()}", file_seconds) as chosen:
        observer.planned(walk["files"], walk["bytes"])
        with Watch(folder, observer, pace), _explained():
            _run(folder, units, bundle, settings, *chosen)


def _run(
    folder: ScanFolder, units: list[int], bundle: BundleRef, settings: ScanSettings, runner: Any, options: Any
) -> None:
    import apache_beam as beam

    from pipelines.scan import build

    pipeline = beam.Pipeline(runner=runner, options=options)
    build(pipeline, units, folder, bundle, settings)
    _wait_for(pipeline.run())


def _run_here(folder: ScanFolder, units: list[int], bundle: BundleRef, settings: ScanSettings) -> None:
    """One unit after the other through the steps, as a worker of Beam does it."""
    steps = list(steps_of(folder, bundle, settings).values())
    with ExitStack() as ends:
        for step in steps:
            step.setup()
            ends.callback(step.teardown)
        for unit in units:
            elements: Iterator[Any] = iter((unit,))
            for step in steps:
                elements = chain.from_iterable(map(step.process, elements))
            for _ in elements:
                pass


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
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


class Watch:
    """Looks for new units in the output folder while its block runs, and once more at its end: so with every runner."""

    def __init__(self, folder: ScanFolder, observer: Observer, pace: Pace) -> None:
        self._folder = folder
        self._pace = pace
        self._held_back = ""
        self._told = 0.0
        self._observer = observer
        self._seen: set[str] = set()
        self._totals: dict[str, Any] = {}
        self._stop = Event()
        self._thread = Thread(target=self._watch, name="progress", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        if kind is None:
            self._look()

    def _watch(self) -> None:
        pause = _SECONDS_LOCAL if storage.is_local(self._folder.uri) else _SECONDS_REMOTE
        while not self._stop.wait(pause):
            with suppress(OutputError):  # told at the end, once
                self._look()
            self._tell_pace()

    def _tell_pace(self) -> None:
        """A pace that is kept goes and comes many times a second; what changed is told every few seconds."""
        words = self._pace.in_words()
        if words != self._held_back and time.monotonic() - self._told >= _SECONDS_BETWEEN_PACES:
            self._held_back, self._told = words, time.monotonic()
            self._observer.held_back(words)

    def _look(self) -> None:
        new = [name for name in self._folder.unit_names() if name not in self._seen]
        for name in new:
            totals = self._folder.unit_totals(name)
            add(self._totals, {key: totals.get(key, 0) for key in ("files", "bytes", "screened_positive", "referred")})
            self._seen.add(name)
        if new:
            self._observer.advanced(self._totals)
