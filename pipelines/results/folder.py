"""A finished or unfinished scan's folder -> its manifest, summary and rows; Arrow is imported only to read rows."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from core.errors import OutputError
from core.status import NOT_EXAMINED
from core.version import RESULTS_FORMAT
from pipelines import storage

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER_PREFIX = "scan="
UNIT_PREFIX = "unit-"
_TIME_OF_ID = "%Y%m%dT%H%M%S"


def unit_file(number: int) -> str:
    return f"{UNIT_PREFIX}{number:08d}.parquet"


def carried_file(number: int) -> str:
    return f"carried-{number:08d}.parquet"


def file_of_batch(number: int, units: int) -> str:
    """The plan's batches are the units, and after them what was carried over."""
    return unit_file(number) if number < units else carried_file(number - units)


@dataclass(frozen=True, slots=True)
class ScanFolder:
    """`DIR/scan=<id>` and the names of what is in it."""

    uri: str

    @classmethod
    def of(cls, out: str, scan_id: str) -> "ScanFolder":
        return cls(storage.join(out, FOLDER_PREFIX + scan_id))

    @property
    def scan_id(self) -> str:
        return self.uri.rstrip("/").rpartition("/")[2].removeprefix(FOLDER_PREFIX)

    @property
    def manifest(self) -> str:
        return storage.join(self.uri, "manifest.json")

    @property
    def summary(self) -> str:
        return storage.join(self.uri, "summary.json")

    @property
    def report(self) -> str:
        return storage.join(self.uri, "report.html")

    @property
    def plan(self) -> str:
        return storage.join(self.uri, "plan.arrow")

    @property
    def bundle(self) -> str:
        return storage.join(self.uri, "bundle.zip")

    @property
    def again(self) -> "ScanFolder":
        """The folder that a scan of the same files would have if none had changed; local results only."""
        return ScanFolder(storage.join(self.uri, "again"))

    @property
    def files(self) -> str:
        return storage.join(self.uri, "files")

    @property
    def people(self) -> str:
        return storage.join(self.uri, "people")

    def people_names(self) -> list[str]:
        """Files of people have the names of the units that they belong to; results before format 4 have none."""
        return sorted(name for name in storage.names_in(self.people) if name.endswith(".parquet"))

    def unit_names(self) -> list[str]:
        return sorted(name for name in storage.names_in(self.files) if name.endswith(".parquet"))

    def unit_totals(self, name: str) -> dict[str, Any]:
        from pipelines.results.parquet import footer_totals

        with self._open(name) as handle:
            return footer_totals(handle)

    def read_manifest(self) -> dict[str, Any]:
        """Results of this version or an older one; what a newer one wrote is refused before any of it is misread."""
        manifest = self._read_json(self.manifest)
        number = manifest.get("format", 1)
        if not isinstance(number, int) or number > RESULTS_FORMAT:
            raise OutputError(
                f"{self.uri}: was written by a newer leakscreen (results of format {number}, this one reads up to "
                f"{RESULTS_FORMAT}); read it with that version, or update this one"
            )
        return manifest

    def read_summary(self) -> dict[str, Any]:
        return self._read_json(self.summary)

    def rows(
        self, columns: Sequence[str] | None = None, units: Sequence[str] | None = None, where: Any = None
    ) -> Iterator[dict[str, Any]]:
        """The records, unit by unit, so that memory stays flat.

        `where` is an Arrow expression that picks rows. Columns that an older version did not write are empty.
        """
        import pyarrow.parquet as pq

        from pipelines.results.schema import SCHEMA

        for name in self.unit_names() if units is None else units:
            with self._open(name) as handle:
                table = pq.read_table(handle, columns=list(columns) if columns else None, filters=where, schema=SCHEMA)
            yield from table.to_pylist(maps_as_pydicts="lossy")

    def unit_table(self, name: str, columns: Sequence[str]) -> "pa.Table":
        """Some columns of one unit's records, as they are."""
        import pyarrow.parquet as pq

        with self._open(name) as handle:
            return pq.ParquetFile(handle).read(columns=list(columns))

    @contextmanager
    def _open(self, name: str) -> "Iterator[BinaryIO]":
        """A file of records; one that is damaged is one sentence."""
        from pyarrow import ArrowException

        uri = storage.join(self.files, name)
        try:
            with storage.open_read(uri) as handle:
                yield handle
        except (ArrowException, OSError, ValueError, KeyError):
            raise OutputError(f"{uri}: is damaged or cannot be read; restore it from a copy, or scan again") from None

    def _read_json(self, uri: str) -> dict[str, Any]:
        try:
            content: dict[str, Any] = json.loads(storage.read_whole(uri))
        except (OSError, ValueError):
            raise OutputError(
                f"{uri}: missing or not readable; is {self.uri} a scan's folder, and did the scan finish?"
            ) from None
        return content


@dataclass(frozen=True, slots=True)
class FinishedScan:
    folder: ScanFolder
    manifest: dict[str, Any]
    summary: dict[str, Any]
    copied_from: ScanFolder | None = None  # the folder of which this one is a copy under another id, if it is one


def count_unexamined(summary: dict[str, Any]) -> int:
    """With those in a language that the models do not know; results of earlier versions do not say."""
    not_examined = sum(int(summary["status"][status.value]) for status in NOT_EXAMINED)
    return not_examined + int(summary.get("not_judged", 0))


def new_scan_id(started: datetime, out: str) -> str:
    """Ids sort by their time, also those of scans that began within one second; the last three digits are chance.

    Where a clock was set back, a new scan still sorts behind those that its folder has: the last one is the newest.
    """
    scan_id = _id_of(started)
    newest = max(scan_names(out), default="").removeprefix(FOLDER_PREFIX)
    if scan_id <= newest:
        with suppress(ValueError, OverflowError):  # no time, or the end of time
            scan_id = _id_of(datetime.strptime(newest[:15], _TIME_OF_ID).replace(tzinfo=UTC) + timedelta(seconds=1))
    return scan_id


def _id_of(started: datetime) -> str:
    return f"{started:{_TIME_OF_ID}}-{started.microsecond * 4096 // 1_000_000:03x}{os.urandom(2).hex()[:3]}"


def scan_names(out: str) -> list[str]:
    """The folders of scans in an output folder, which need not be there yet, the oldest first."""
    return sorted(name for name in storage.names_in(out) if name.startswith(FOLDER_PREFIX))


def as_json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, indent=2).encode()


def open_scan(place: str) -> ScanFolder:
    """Accepts a scan's own folder, or an output folder, of which the newest scan is taken."""
    folder = ScanFolder(place.rstrip("/"))
    if storage.exists(folder.manifest):
        return _checked(folder)
    scans = scan_names(place)
    if not scans:
        raise OutputError(f"{place}: no scan here; give a folder scan=<id>, or the --out folder of a scan")
    return _checked(ScanFolder(storage.join(place, scans[-1])))


def _checked(folder: ScanFolder) -> ScanFolder:
    """Commands that read rows alone must not misread those of a newer version either."""
    if storage.exists(folder.manifest):
        folder.read_manifest()
    return folder


def check_output(out: str) -> str:
    """An output folder holds scans and nothing else, so that nobody's files get mixed up with results."""
    if not storage.is_local(out):
        return out
    path = Path(out).absolute()
    if path.exists() and not path.is_dir():
        raise OutputError(f"{path}: is a file; --out names a folder")
    foreign = sorted(
        name for name in storage.names_in(str(path)) if not name.startswith((FOLDER_PREFIX, storage.BEGINNING))
    )
    if foreign:
        raise OutputError(
            f"{path}: not empty, and holds more than scans ({foreign[0]!r}); give --out a new or empty folder"
        )
    return str(path)
