"""A seal shows every change of what it was made for, and nothing else."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.results.parquet import carried_parquet
from pipelines.results.schema import SCHEMA
from pipelines.results.seal import BLANK, is_intact, key_of_seals, place_of_seal, seal_in, with_seal

KEY = key_of_seals(b"k" * 32)


def unit(rows: int = 20) -> bytes:
    names = {field.name: None for field in SCHEMA}
    table = pa.Table.from_pylist([{**names, "scan_id": "1", "uri": f"/{row}", "referred": True} for row in range(rows)])
    return bytes(carried_parquet(table.cast(SCHEMA), {"files": rows}, KEY))


UNIT = unit()


def test_a_sealed_file_is_a_parquet_file_with_a_seal() -> None:
    assert pq.read_table(pa.BufferReader(UNIT)).num_rows == 20
    assert pq.read_metadata(pa.BufferReader(UNIT)).metadata[b"leakscreen.seal"].decode() == seal_in(UNIT) != BLANK
    assert is_intact(UNIT, KEY)
    assert with_seal(UNIT, KEY) == UNIT


@given(st.integers(0, len(UNIT) - 1), st.integers(1, 255))
def test_a_change_of_any_byte_shows(at: int, change: int) -> None:
    changed = bytearray(UNIT)
    changed[at] ^= change
    assert not is_intact(bytes(changed), KEY)


@pytest.mark.parametrize("other", [b"", UNIT[:-1], UNIT + b"x", UNIT[:100], b"PAR1" * 10])
def test_what_was_cut_or_has_no_seal_is_not_intact(other: bytes) -> None:
    assert not is_intact(other, KEY)


def test_only_the_holder_of_the_key_can_seal() -> None:
    other = key_of_seals(b"l" * 32)
    assert not is_intact(UNIT, other)
    assert is_intact(with_seal(UNIT, other), other)
    assert place_of_seal(with_seal(UNIT, other)) == place_of_seal(UNIT)
