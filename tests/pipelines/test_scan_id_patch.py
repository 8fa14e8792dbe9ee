"""Records under another scan's id are the same records, and only files that hold it at its one place are taken."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.rescan.scan_id_patch import RecordsFingerprint, place_of, with_scan_id
from pipelines.results.parquet import carried_parquet
from pipelines.results.schema import SCHEMA

OLD, NEW = "20261116T165309-84fb24", "20261117T000000-000000"


def written(scan_id: str, rows: int = 70_000, uri: str = "/share/{}.txt") -> bytes:
    names = {field.name: None for field in SCHEMA}
    table = pa.Table.from_pylist(
        [{**names, "scan_id": scan_id, "uri": uri.format(row), "size": row} for row in range(rows)], SCHEMA
    )
    return bytes(carried_parquet(table, {"files": rows}))


@pytest.mark.parametrize("rows", [1, 70_000])
def test_every_row_has_the_new_id_and_nothing_else_is_different(rows: int) -> None:
    content = with_scan_id(written(OLD, rows), OLD, NEW)
    assert content is not None
    found = pq.read_table(pa.BufferReader(content))
    before = pq.read_table(pa.BufferReader(written(OLD, rows)))
    assert found["scan_id"].unique().to_pylist() == [NEW]
    assert found.drop_columns("scan_id").equals(before.drop_columns("scan_id"))
    assert (
        pq.read_metadata(pa.BufferReader(content)).metadata
        == pq.read_metadata(pa.BufferReader(written(OLD, rows))).metadata
    )


def test_a_file_that_holds_the_id_elsewhere_or_not_at_its_place_is_not_taken() -> None:
    assert with_scan_id(written(NEW, 1), OLD, NEW) is None
    assert with_scan_id(written(OLD, 1) + OLD.encode(), OLD, NEW) is None
    assert with_scan_id(b"PAR1" + bytes(200) + written(OLD, 1), OLD, NEW) is None
    assert with_scan_id(written(OLD, 1), OLD, "another-length") is None
    assert place_of(b"", OLD) is None


def test_the_hash_is_that_of_the_records_whichever_scan_they_are_in() -> None:
    def hash_of(content: bytes, scan_id: str) -> str | None:
        found = RecordsFingerprint()
        found.add(content, scan_id)
        return found.sha256

    content = written(OLD, 9)
    assert hash_of(content, OLD) == hash_of(with_scan_id(content, OLD, NEW) or b"", NEW) is not None
    damaged = bytearray(content)
    damaged[len(content) // 2] ^= 1
    assert hash_of(bytes(damaged), OLD) != hash_of(content, OLD)
    assert hash_of(content, NEW) is None
