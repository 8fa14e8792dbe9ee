"""People of documents -> a sealed Parquet file of keyed rows, one a person and file, and back as Arrow batches.

Rows go to the file by thousands while a unit is read, so a file of ten million patients takes no more memory than one.
"""

import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, cast

import pyarrow.parquet as pq

from core.person_columns import PERSON_COLUMNS
from core.records import PersonSeen
from core.version import RESULTS_FORMAT
from pipelines import storage
from pipelines.results.arrow import pa
from pipelines.results.folder import ScanFolder
from pipelines.results.parquet import FORMAT_KEY, TOTALS_KEY
from pipelines.results.schema import arrow_type
from pipelines.results.seal import BLANK, SEAL, seal_file

_AT_ONCE = 8_192  # rows
_IN_MEMORY = 8_388_608  # bytes of a unit's rows, which are keyed hashes alone; more go to a nameless temporary file
_WORDS = ["uri", "role", "place", "country", "region"]
PEOPLE_SCHEMA = pa.schema(
    [
        ("uri", pa.string()),
        ("person", pa.int32()),
        *(
            (column.name, pa.list_(arrow_type(column.type)) if column.is_list else arrow_type(column.type))
            for column in PERSON_COLUMNS
        ),
    ]
)


class PeopleFile:
    """The rows of one unit, until they are written whole."""

    def __init__(self) -> None:
        self._spool: BinaryIO | None = None
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[tuple[str, int, PersonSeen]] = []
        self._rows = 0

    def add(self, uri: str, people: Iterable[PersonSeen], before: int = 0) -> int:
        """How many of them the file concerns; `before` are those of the same file that are in it already."""
        affected = 0
        for number, person in enumerate(people, before + 1):
            self._waiting.append((uri, number, person))
            affected += person.is_affected
            if len(self._waiting) >= _AT_ONCE:
                self._flush()
        return affected

    def add_table(self, table: pa.Table) -> None:
        self._flush()
        if table.num_rows:
            self._open().write_table(table)
            self._rows += table.num_rows

    def write(self, uri: str, key: bytes | None) -> None:
        """The whole file under its name, also where it has no row: that shows that nobody was found."""
        self._flush()
        writer = self._open()
        writer.add_key_value_metadata(
            {TOTALS_KEY: json.dumps({"rows": self._rows}), FORMAT_KEY: str(RESULTS_FORMAT), SEAL: BLANK}
        )
        writer.close()
        spool = cast(BinaryIO, self._spool)
        if key is not None:
            seal_file(spool, key)
        spool.seek(0)
        with storage.whole_file(uri) as file:
            shutil.copyfileobj(spool, file, 1 << 20)
        spool.close()

    def _flush(self) -> None:
        if self._waiting:
            self._open().write_table(_table(self._waiting))
            self._rows += len(self._waiting)
            self._waiting = []

    def _open(self) -> pq.ParquetWriter:
        if self._writer is None:
            self._spool = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115 - `write` closes it
            self._writer = pq.ParquetWriter(
                pa.PythonFile(self._spool, mode="w"), PEOPLE_SCHEMA, compression="zstd", use_dictionary=_WORDS
            )
        return self._writer


def _table(rows: Sequence[tuple[str, int, PersonSeen]]) -> pa.Table:
    values: list[list[Any]] = [[uri for uri, _, _ in rows], [number for _, number, _ in rows]]
    for column in PERSON_COLUMNS:
        value = column.value
        values.append([value(person) for _, _, person in rows])
    arrays = [pa.array(own, field.type) for own, field in zip(values, PEOPLE_SCHEMA, strict=True)]
    return pa.table(arrays, schema=PEOPLE_SCHEMA)


def people_batches(
    folder: ScanFolder, names: Sequence[str], columns: Sequence[str] | None = None
) -> Iterator[pa.Table]:
    """The rows of some units, some ten thousand at a time; a unit of an older version has none."""
    for name in names:
        uri = storage.join(folder.people, name)
        if not storage.exists(uri):
            continue
        with storage.open_mapped(uri) as source:
            for batch in pq.ParquetFile(source).iter_batches(batch_size=65_536, columns=columns):
                yield pa.Table.from_batches([batch])
