"""A unit number -> the unit's Parquet files, by four steps without Beam, each making a lazy stream longer.

pipelines/scan.py puts them into a graph; a scan with one worker runs them as they are.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from typing import Any

from core.errors import ReconciliationError
from core.records import FileRecord, FileRef
from core.settings import ScanSettings
from extraction.opening.pace import shared_or
from extraction.sandbox import Sandbox
from pipelines import busy, storage
from pipelines.bundle.bundle import BundleRef, Engines, load_engines
from pipelines.plan.arrow_file import read_unit
from pipelines.results.folder import ScanFolder, unit_file
from pipelines.results.parquet import unit_parquet
from pipelines.results.seal import key_of_seals
from pipelines.results.totals import unit_totals
from pipelines.stages.duplicates import SameFindings, records_of_duplicates
from pipelines.stages.extract import extract_documents
from pipelines.stages.health import classify_documents
from pipelines.stages.screen import screen_documents
from pipelines.stages.stream import Stream
from pipelines.stages.time_limit import StepLimits


class Step(ABC):
    """Set up once in each worker, then one stream after the other."""

    def __init__(self, bundle: BundleRef) -> None:
        self.bundle = bundle

    def setup(self) -> None:
        self.engines: Engines = load_engines(self.bundle)

    @abstractmethod
    def process(self, element: Any) -> Iterator[Any]: ...

    def teardown(self) -> None:  # noqa: B027 - not abstract
        """Gives back what `setup` took; most take nothing."""

    @property
    def step_limits(self) -> StepLimits:
        limits = self.engines.limits
        return StepLimits(limits.screening_seconds, limits.screening_bytes)


class Extract(Step):
    """Unit number -> stream of documents, parsed in this worker's sandbox."""

    def __init__(self, bundle: BundleRef, folder: ScanFolder, settings: ScanSettings) -> None:
        super().__init__(bundle)
        self.folder = folder
        self.settings = settings

    def setup(self) -> None:
        super().setup()
        self.pace = shared_or(self.settings)
        self.same_findings = SameFindings(self.engines.screen)
        self.sandbox = Sandbox(
            self.engines.limits,
            ocr=self.engines.ocr,
            require=self.engines.require_sandbox,
            passwords_file=self.engines.passwords_file,
        )

    def process(self, unit: int) -> Iterator[Stream]:
        if storage.exists(storage.join(self.folder.files, unit_file(unit))):
            return  # an engine that starts again after a fault hands finished units out once more
        refs = read_unit(self.folder.plan, unit)
        stream = Stream(unit, iter(()), refs)
        stream.items = busy.beating(
            extract_documents(stream, refs, self.sandbox, self.same_findings, self.bundle.sources, self.pace)
        )
        yield stream

    def teardown(self) -> None:
        self.sandbox.close()


class Screen(Step):
    """Stream of documents -> stream of documents with their screening."""

    def process(self, stream: Stream) -> Iterator[Stream]:
        stream.items = screen_documents(stream, stream.items, self.engines.screen, self.step_limits)
        yield stream


class Health(Step):
    """Stream of screened documents -> stream of records; only screened positives are classified."""

    def __init__(self, bundle: BundleRef, scan_id: str) -> None:
        super().__init__(bundle)
        self.scan_id = scan_id

    def process(self, stream: Stream) -> Iterator[Stream]:
        engines = self.engines
        stream.items = classify_documents(
            stream,
            stream.items,
            engines.health,
            engines.health_batch,
            self.scan_id,
            self.step_limits,
            engines.key,
            engines.screen,
        )
        yield stream


class Write(Step):
    """Stream of records -> two sealed Parquet files, one of records, one of people; what leaves is the unit's number.

    That of the people is written first: a unit whose records are there is done.
    """

    def __init__(self, bundle: BundleRef, folder: ScanFolder) -> None:
        super().__init__(bundle)
        self.folder = folder

    def process(self, stream: Stream) -> Iterator[int]:
        records = list(stream.items)
        records += records_of_duplicates(records, stream.duplicates)
        reconcile_unit(stream.refs, records)
        totals: dict[str, Any] = {}

        def totals_after(seconds: float) -> dict[str, Any]:
            stream.spent("write", seconds)
            totals.update(unit_totals(records, stream.figures))
            return totals

        key, name = key_of_seals(self.engines.key), unit_file(stream.unit)
        stream.people.write(storage.join(self.folder.people, name), key)
        content = unit_parquet(records, totals_after, key)
        storage.write_whole(storage.join(self.folder.files, name), content)
        busy.idle()
        yield stream.unit


def steps_of(folder: ScanFolder, bundle: BundleRef, settings: ScanSettings) -> dict[str, Step]:
    """The steps in their order, by their names in the graph."""
    return {
        "Extract": Extract(bundle, folder, settings),
        "Screen": Screen(bundle),
        "Health": Health(bundle, folder.scan_id),
        "Write": Write(bundle, folder),
    }


def reconcile_unit(refs: list[FileRef], records: list[FileRecord]) -> None:
    """Every file of the unit has exactly one record of its own, or the unit is not written."""
    wanted = Counter(ref.uri for ref in refs)
    written = Counter(record.uri for record in records if record.container_uri is None)
    if wanted != written:
        missing, extra = wanted - written, written - wanted
        raise ReconciliationError(
            f"a work unit lost {missing.total()} and doubled {extra.total()} of its {len(refs)} files"
        )
