"""The compact copy gives the records of the units, in portions that tell their batches; without it the units are read."""

from pathlib import Path

import pyarrow as pa
import pytest

from pipelines import compact
from pipelines.results import ScanFolder, carried_file, unit_file
from pipelines.table import SCHEMA, written_table


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScanFolder:
    """Sixty units of three records and one file of carried ones; portions of a hundred records."""
    monkeypatch.setattr(compact, "RECORDS_AT_ONCE", 100)
    scan = ScanFolder(str(tmp_path))
    (tmp_path / "files").mkdir()
    for number in range(61):
        name = unit_file(number) if number < 60 else carried_file(0)
        rows = [{field.name: f"{number}-{row}" if field.name == "uri" else None for field in SCHEMA} for row in range(3)]
        (tmp_path / "files" / name).write_bytes(written_table(pa.Table.from_pylist(rows, SCHEMA), {}))
    return scan


def uris(folder: ScanFolder, wanted: list[int]) -> list[tuple[int, int, list[str]]]:
    return [(part.first, part.end, part.records["uri"].to_pylist()) for part in compact.portions(folder, 60, wanted, 61)]


def test_both_ways_give_the_same_records(folder: ScanFolder) -> None:
    everything = list(range(61))
    before = uris(folder, everything)
    compact.compact(folder, 60)
    assert Path(folder.compact).stat().st_mode & 0o777 == 0o600
    assert uris(folder, everything) == before
    assert [first for first, _, _ in before] == [0, 34]
    assert [uri for _, _, found in before for uri in found] == [f"{number}-{row}" for number in everything for row in range(3)]


def test_only_portions_with_a_wanted_batch_are_read(folder: ScanFolder) -> None:
    compact.compact(folder, 60)
    ((first, end, _),) = uris(folder, [60])
    assert (first, end) == (34, 61)


def test_a_copy_of_another_plan_is_not_used(folder: ScanFolder) -> None:
    compact.compact(folder, 60)
    found = list(compact.portions(folder, 60, [0, 1], 5))
    assert [part.records.num_rows for part in found] == [6]
