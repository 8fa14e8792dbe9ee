import datetime
import io
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastavro
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import UID, ExplicitVRLittleEndian

from benchmarks.honesty_cases.in_dicom import in_dicom
from core.records import Document, Status
from core.settings import LimitSettings, OcrSettings
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]


def database(tmp_path: Path, *statements: str | tuple[str, tuple[Any, ...]]) -> bytes:
    path = tmp_path / "made.db"
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(*(statement if isinstance(statement, tuple) else (statement,)))
    connection.commit()
    connection.close()
    data = path.read_bytes()
    path.unlink()
    return data


def test_a_database_gives_its_rows_with_column_names(examined: Examine, tmp_path: Path) -> None:
    data = database(
        tmp_path,
        "CREATE TABLE patients (name TEXT, born TEXT, weight REAL, photo BLOB)",
        ("INSERT INTO patients VALUES (?, ?, ?, ?)", ("Ann Example", "1974-12-25", 70.5, b"\x00\x01")),
        'CREATE TABLE "odd ""name" (k TEXT PRIMARY KEY, v) WITHOUT ROWID',
        'INSERT INTO "odd ""name" VALUES (\'key\', 4165550123)',
        "CREATE VIEW v AS SELECT 'from a view' FROM patients",
    )
    (document,) = examined(data, "app.db")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/vnd.sqlite3")
    by_place = {segment.where: segment.text for segment in document.segments}
    assert by_place["table 1"].splitlines() == [
        "patients\tname\tborn\tweight\tphoto",
        "\tAnn Example\t1974-12-25\t70.5\t",
    ]
    assert "key\t4165550123" in by_place["table 2"]
    assert "from a view" not in document.text


def test_documents_in_cells_are_members(examined: Examine, tmp_path: Path) -> None:
    page = b"<!DOCTYPE html><html><body>" + b"<p>Hidden in a cell</p>" * 5 + b"</body></html>"
    data = database(tmp_path, "CREATE TABLE t (d BLOB)", ("INSERT INTO t VALUES (?)", (page,)))
    member, document = examined(data)
    assert "Hidden in a cell" in member.text
    assert member.uri == f"{document.uri}!table 1 blob 1"


def test_a_database_with_a_write_ahead_log_is_read(examined: Examine, tmp_path: Path) -> None:
    data = bytearray(database(tmp_path, "CREATE TABLE t (a)", "INSERT INTO t VALUES ('in the file')"))
    data[18:20] = b"\x02\x02"
    assert "in the file" in examined(bytes(data))[-1].text


def test_hostile_schemas_do_nothing(examined: Examine, small_sandbox: Sandbox, tmp_path: Path) -> None:
    data = database(
        tmp_path,
        "CREATE TABLE t (a, b AS (hex(zeroblob(200000000))) VIRTUAL)",
        "CREATE TABLE plain (a)",
        "INSERT INTO plain VALUES ('still read')",
        "CREATE VIEW endless AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
        "CREATE TRIGGER tr AFTER INSERT ON plain BEGIN DELETE FROM plain; END",
        "INSERT INTO plain VALUES ('gone')",
        "DROP TRIGGER tr",
        "INSERT INTO plain VALUES ('still read')",
        "INSERT INTO t (a) VALUES (1)",
    )
    (document,) = examined(data, within=small_sandbox)
    assert document.status is Status.COMPLETE
    assert "still read" in document.text
    assert document.chars < 1000


@pytest.mark.parametrize("damage", [slice(100, 200), slice(4096, 5000), slice(16, 18), slice(5000, None)])
def test_damaged_databases_end_in_a_status(examined: Examine, tmp_path: Path, damage: slice) -> None:
    rows = [("INSERT INTO t VALUES (?)", (f"row {number}",)) for number in range(2000)]
    data = bytearray(database(tmp_path, "CREATE TABLE t (a)", *rows))
    data[damage] = b"\xaa" * len(data[damage]) if damage.stop else b""
    (document,) = examined(bytes(data))
    assert document.status in (Status.PARTIAL, Status.FAILED)


def arrow_table() -> pa.Table:
    return pa.table(
        {
            "name": ["Ann Example", None],
            "born": [datetime.date(1974, 12, 25), datetime.date(2000, 1, 2)],
            "seen": [datetime.datetime(2024, 5, 6, 7, 8), None],
            "phones": [["555 0123", "555 0124"], []],
            "address": [{"city": "Springfield", "zip": None}, None],
            "raw": [b"plain bytes", b"\xff\x00"],
        }
    )


def parquet_of(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out, compression="zstd", row_group_size=1)
    return out.getvalue()


def arrow_of(table: pa.Table) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def feather_of(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(table, out, compression="lz4")
    return out.getvalue()


@pytest.mark.parametrize("make", [parquet_of, arrow_of, feather_of])
def test_columnar_files_give_rows(examined: Examine, make: Callable[[pa.Table], bytes]) -> None:
    (document,) = examined(make(arrow_table()))
    assert document.status is Status.COMPLETE
    assert document.text.splitlines() == [
        "name\tborn\tseen\tphones\taddress\traw",
        "Ann Example\t1974-12-25\t2024-05-06 07:08:00\t555 0123, 555 0124\tcity: Springfield\tplain bytes",
        "\t2000-01-02\t\t\t\t",
    ]


@pytest.mark.parametrize("make", [parquet_of, arrow_of, feather_of])
def test_truncated_columnar_files_are_never_complete(examined: Examine, make: Callable[[pa.Table], bytes]) -> None:
    data = make(pa.concat_tables([arrow_table()] * 50))
    for part in (1, 4, 7):
        (document,) = examined(data[: len(data) * part // 8])
        assert document.status in (Status.FAILED, Status.PARTIAL)


def test_a_column_that_repeats_without_end_meets_the_text_limit(examined: Examine, small_sandbox: Sandbox) -> None:
    data = parquet_of(
        pa.table({"a": pa.array(["x" * 10_000]).dictionary_encode().take(pa.array([0] * 20_000))}).slice(0, 20_000)
    )
    (document,) = examined(data[:], within=small_sandbox)
    assert document.status in (Status.PARTIAL, Status.FAILED)
    assert document.chars <= 3_000_000


@pytest.mark.parametrize("codec", ["null", "deflate", "bzip2", "xz"])
def test_avro(examined: Examine, codec: str) -> None:
    schema = {
        "type": "record",
        "name": "p",
        "fields": [{"name": "name", "type": "string"}, {"name": "age", "type": ["null", "int"]}],
    }
    out = io.BytesIO()
    fastavro.writer(out, schema, [{"name": "Ann Example", "age": 42}, {"name": "Bob", "age": None}], codec=codec)
    (document,) = examined(out.getvalue())
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/vnd.apache.avro")
    assert document.text == "name\tage\nAnn Example\t42\nBob\t"


def test_a_truncated_avro_file_keeps_its_beginning(examined: Examine) -> None:
    out = io.BytesIO()
    schema = {"type": "record", "name": "p", "fields": [{"name": "name", "type": "string"}]}
    fastavro.writer(out, schema, ({"name": f"Ann {number:06}" * 50} for number in range(2000)), sync_interval=1000)
    (document,) = examined(out.getvalue()[:-5000])
    assert document.status is Status.PARTIAL
    assert "Ann 000000" in document.text


def dbf(rows: list[tuple[bytes, bytes]], *, count: int | None = None) -> bytes:
    fields = b"".join(
        struct.pack("<11sc4xB15x", name, kind, length)
        for name, kind, length in ((b"NAME", b"C", 20), (b"BORN", b"D", 8))
    )
    header = (
        struct.pack("<BBBBIHH", 3, 124, 1, 2, len(rows) if count is None else count, 32 + 64 + 1, 29)
        + bytes(17)
        + b"\x03"
        + bytes(2)
    )
    body = b"".join(
        b"*" * (number % 2) + b" " * (1 - number % 2) + name.ljust(20) + born
        for number, (name, born) in enumerate(rows)
    )
    return header + fields + b"\x0d" + body + b"\x1a"


def test_dbase(examined: Examine) -> None:
    (document,) = examined(dbf([("Ann Exämple".encode("cp1252"), b"19741225"), (b"Deleted Dan", b"19500101")]), "p.dbf")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/x-dbf")
    assert document.text == "NAME\tBORN\nAnn Exämple\t1974-12-25\nDeleted Dan\t1950-01-01"


def test_dbase_with_fewer_rows_than_it_says(examined: Examine) -> None:
    (document,) = examined(dbf([(b"Ann Example", b"19741225")] * 3, count=4_000_000_000), "p.dbf")
    assert (document.status, document.reason) == (Status.PARTIAL, "corrupt (rows are missing)")
    assert document.text.count("Ann Example") == 3


GREY = {
    "SamplesPerPixel": 1,
    "PhotometricInterpretation": "MONOCHROME2",
    "BitsStored": 8,
    "HighBit": 7,
    "PixelRepresentation": 0,
}


def dicom(**more: Any) -> bytes:
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID = UID("1.2.840.10008.5.1.4.1.1.7"), UID("1.2.3")
    out = io.BytesIO()
    dataset = FileDataset(out, {}, file_meta=meta, preamble=b"II*\0" + bytes(124))
    dataset.SpecificCharacterSet = "ISO_IR 192"
    dataset.PatientName, dataset.PatientBirthDate, dataset.PatientID = "Exämple^Ann^B.^Dr.", "19741225", "4711"
    item = Dataset()
    item.CodeMeaning, item.ReferringPhysicianName = "Fracture of wrist", "Healer^Helen"
    dataset.RequestAttributesSequence = Sequence([item])
    dataset.OtherPatientIDs = ["A1", "B2"]
    dataset.Rows, dataset.Columns, dataset.BitsAllocated = 2, 2, 8
    dataset.PixelData = b"\1\2\3\4"
    for name, value in more.items():
        setattr(dataset, name, value)
    dataset.save_as(out, enforce_file_format=True)
    return out.getvalue()


def test_dicom_headers(examined: Examine) -> None:
    (document,) = examined(dicom(), "scan.dcm")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/dicom")
    lines = document.text.splitlines()
    for line in (
        "Patient's Name: Dr. Ann B. Exämple",
        "Patient's Birth Date: 1974-12-25",
        "Patient ID: 4711",
        "Other Patient IDs: A1 B2",
        "Code Meaning: Fracture of wrist",
        "Referring Physician's Name: Helen Healer",
    ):
        assert line in lines


def test_a_document_within_dicom_is_a_member_and_burned_in_text_is_said(examined: Examine) -> None:
    pixels = {"Rows": 40, "Columns": 50, "PixelData": bytes(2_000)}
    member, document = examined(
        dicom(EncapsulatedDocument=b"<html><p>Enclosed report</p></html>\0", BurnedInAnnotation="YES", **pixels, **GREY)
    )
    assert "Enclosed report" in member.text
    assert (document.status, document.reason) == (Status.PARTIAL, "picture not read (text is burned into it)")


DICOM_CASES = {case.name: case for case in in_dicom()}


@pytest.mark.parametrize("name", [name for name, case in DICOM_CASES.items() if case.leaks])
def test_letters_in_the_pixels_of_dicom_are_read(examined: Examine, name: str) -> None:
    (document,) = examined(DICOM_CASES[name].data, name)
    if name in ("no decoder.dcm", "cut.dcm"):
        assert document.status is Status.PARTIAL
        assert document.reason.startswith("picture not read (pixels cannot be decoded: ")
    else:
        assert document.status is Status.COMPLETE
        assert document.text.count("Margaret Thompson") == 1
    assert "Modality: OT" in document.text


def test_pixels_of_dicom_that_were_not_read_are_said(examined: Examine) -> None:
    with Sandbox(LimitSettings(file_seconds=20), ocr=OcrSettings(enabled="off")) as blind:
        (document,) = examined(DICOM_CASES["grey.dcm"].data, within=blind)
    assert (document.status, document.reason) == (Status.PARTIAL, "picture not read (OCR is off)")


def test_truncated_dicom_ends_in_a_status(examined: Examine) -> None:
    data = dicom()
    for length in range(140, len(data), 60):
        assert examined(data[:length])[-1].status in (Status.COMPLETE, Status.PARTIAL, Status.FAILED)
