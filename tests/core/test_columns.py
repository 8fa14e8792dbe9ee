"""The table of columns is in order, and says of each column all that others derive from it."""

import pytest

from core.columns import COLUMNS, Column, Count, ListOf, MapOf, Reader, Rescan, Struct, names_for
from core.version import RESULTS_FORMAT


def test_no_name_is_there_twice_and_the_id_comes_first() -> None:
    names = [column.name for column in COLUMNS]
    assert len(set(names)) == len(names)
    assert names[0] == "scan_id", "a next scan finds the id at the start of a file of carried records"
    flat = [column.flat_name for column in COLUMNS]
    assert len(set(flat)) == len(flat)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_a_column_is_whole(column: Column) -> None:
    assert column.meaning and "|" not in column.meaning and "\n" not in column.meaning
    assert 1 <= column.since <= RESULTS_FORMAT
    assert bool(column.kept_as) == (Reader.INTAKE in column.readers)
    if column.rescan is Rescan.HEALTH:
        assert column.nullable or column.empty == []


@pytest.mark.parametrize("column", [column for column in COLUMNS if column.count], ids=lambda column: column.name)
def test_a_column_is_counted_as_its_type_allows(column: Column) -> None:
    fits = {
        Count.TRUE: column.type == "bool",
        Count.FALSE: column.type == "bool",
        Count.VALUES: column.type == "string",
        Count.VALUES_OF_REFERRED: column.type == "string",
        Count.SUM_BY_KEY: isinstance(column.type, MapOf) and column.type.value == "int64",
        Count.FIRST_FIELD: isinstance(column.type, ListOf) and isinstance(column.type.item, Struct),
    }
    assert column.count is not None and fits[column.count]


def test_raw_paths_and_free_metadata_are_not_exported() -> None:
    assert not {"path", "metadata", "pii_bits"} & set(names_for(Reader.EXPORT))


@pytest.mark.parametrize("reader", Reader)
def test_every_reader_reads_something(reader: Reader) -> None:
    assert "uri" in names_for(reader)
