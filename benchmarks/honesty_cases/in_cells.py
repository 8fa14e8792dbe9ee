"""The letter in nested columns, binary cells, metadata and descriptions of tables, and in values of binary records."""

import gzip
import io
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastavro
import numpy
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import orc

from benchmarks.honesty_cases.case import HARMLESS, LETTER, LINES, Case
from benchmarks.honesty_cases.letter_picture import packed, picture

_RECORD = dict(line.split(": ", 1) for line in LINES if ": " in line)
_PACKED = gzip.compress(LETTER.encode())
_QUOTED = LETTER.replace("'", "''")


def in_cells() -> Iterator[Case]:
    yield Case("nested.parquet", _parquet({"a": [{"people": [{"record": _RECORD, "notes": [LETTER]}]}]}))
    yield Case("metadata.parquet", _parquet({"a": [1]}, {"note": LETTER}))
    yield Case("packed cell.parquet", _parquet({"a": [_PACKED]}))
    yield Case("picture in a list.parquet", _parquet({"a": [[packed(picture())]]}))
    yield Case("nested.orc", _orc({"a": [{"people": [_RECORD]}]}))
    yield Case("packed cell.orc", _orc({"a": [_PACKED]}))
    yield Case("unused value.arrow", _arrow())
    yield from _avro()
    columns = "CREATE TABLE t(a)"
    yield Case("packed cell.db", _database(columns, _PACKED))
    yield Case("wide text in a cell.db", _database(columns, b"\1\2\3\xff" + LETTER.encode("utf-16-le")))
    yield Case("view.db", _database(f"{columns}; CREATE VIEW v AS SELECT '{_QUOTED}' AS n", "fair"))
    yield Case("text of a trigger.db", _database(f"CREATE TABLE t(a DEFAULT '{_QUOTED}')", "fair"))
    yield Case("record.cbor", _cbor())
    yield Case("unicode.npy", _array(numpy.array(LINES)))
    yield Case("objects.npy", _array(numpy.array(LINES, dtype=object)))
    fair: dict[str, list[Any]] = {"a": [HARMLESS], "b": [b"\x01\x02\xff" * 40]}
    yield Case("harmless.parquet", _parquet(fair, {"pandas": '{"index_columns": ["a b c"]}'}), leaks=False)
    yield Case("harmless.db", _database(f"{columns}; CREATE VIEW v AS SELECT a FROM t", HARMLESS), leaks=False)


def _parquet(columns: dict[str, list[Any]], metadata: dict[str, str] | None = None) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns).replace_schema_metadata(metadata), out)
    return out.getvalue()


def _orc(columns: dict[str, list[Any]]) -> bytes:
    out = io.BytesIO()
    orc.write_table(pa.table(columns), out)
    return out.getvalue()


def _arrow() -> bytes:
    """All rows have the first value."""
    column = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["fair", *LINES]))
    table, out = pa.table({"a": column}), io.BytesIO()
    with pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def _avro() -> Iterator[Case]:
    values = {"type": "map", "values": ["null", "string", "bytes"]}
    for name, kind, value, doc in (
        ("nested", {"type": "array", "items": values}, [_RECORD], ""),
        ("packed cell", "bytes", _PACKED, ""),
        ("description", "int", 1, LETTER),
    ):
        schema = {"type": "record", "name": "R", "doc": doc, "fields": [{"name": "a", "type": kind}]}
        out = io.BytesIO()
        fastavro.writer(out, schema, [{"a": value}])
        yield Case(f"{name}.avro", out.getvalue())


def _database(statements: str, value: str | bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.db"
        connection = sqlite3.connect(path)
        connection.executescript(statements)
        connection.execute("INSERT INTO t VALUES (?)", (value,))
        connection.commit()
        connection.close()
        return path.read_bytes()


def _cbor() -> bytes:
    """A map of strings, which by chance can be read as MessagePack too."""

    def string(text: str) -> bytes:
        data = text.encode()
        return (bytes([0x60 + len(data)]) if len(data) < 24 else bytes([0x78, len(data)])) + data

    entries = b"".join(string(name) + string(value) for name, value in _RECORD.items())
    return b"\x82" + bytes([0xA0 + len(_RECORD)]) + entries + b"\x79" + len(LETTER).to_bytes(2, "big") + LETTER.encode()


def _array(values: Any) -> bytes:
    out = io.BytesIO()
    numpy.save(out, values, allow_pickle=True)
    return out.getvalue()
