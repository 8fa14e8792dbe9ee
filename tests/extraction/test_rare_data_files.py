"""Data files that few programs read: their rows, values and strings; what was not read is never complete."""

import pickle
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

import msgpack  # type: ignore[import-untyped]
import pytest

from benchmarks.honesty_cases.case import LINES, Case
from benchmarks.honesty_cases.data_files import data_files
from core.records import Document, Status
from extraction.readers.messagepack import looks_like_messagepack, messages
from extraction.readers.sqlite.pages import deleted_rows

Examine = Callable[..., list[Document]]
SECRET = "Margaret Thompson"
NOT_READ = {"letter.brotli", "help.chm"}


@pytest.mark.parametrize("case", list(data_files()), ids=lambda case: case.name)
def test_every_data_file_is_read_or_said_to_be_unread(examined: Examine, case: Case) -> None:
    documents = examined(case.data, case.name)
    for name, data in case.beside.items():
        documents += examined(data, name)
    text = "\n".join(document.text for document in documents)
    if case.name in NOT_READ:
        assert documents[-1].status in (Status.PARTIAL, Status.UNSUPPORTED)
    else:
        assert (SECRET in text) is case.leaks


def database(path: Path, *statements: str) -> bytes:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA secure_delete = OFF")
    for statement in statements:
        connection.execute(statement)
    connection.close()
    return path.read_bytes()


def test_deleted_rows_keep_their_columns(examined: Examine, tmp_path: Path) -> None:
    rows = [f"INSERT INTO t VALUES ('Ann Example {number}', {number}, 'asthma')" for number in range(200)]
    data = database(tmp_path / "a.db", "CREATE TABLE t (who, age, what)", *rows, "DROP TABLE t")
    (document,) = examined(data)
    assert document.status is Status.COMPLETE
    lines = document.text.splitlines()
    assert sum(line.startswith("Ann Example") and line.endswith("\tasthma") for line in lines) >= 190


def test_a_database_without_free_space_has_no_deleted_rows(examined: Examine, tmp_path: Path) -> None:
    data = database(tmp_path / "a.db", "CREATE TABLE t (who)", "INSERT INTO t VALUES ('Ann Example')")
    (document,) = examined(data)
    assert document.text == "t\twho\n\tAnn Example"
    assert list(deleted_rows(b"SQLite format 3\0")) == []


@pytest.mark.parametrize("fill", [b"\x7f", b"\x01", b"\x17\x7f", b"\x09\x05\x00", b"\xff"])
def test_odd_free_space_ends(fill: bytes) -> None:
    header = b"SQLite format 3\0" + (512).to_bytes(2, "big") + bytes(494)
    page = (b"\x0d\0\0\0\0\x02\0\0" + fill * 512)[:512]
    assert len(list(deleted_rows(header + page * 4, frozenset({1, 8})))) < 2_000


def test_a_rollback_journal_holds_what_the_pages_were(examined: Examine, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    database(path, "CREATE TABLE t (who)", "INSERT INTO t VALUES ('Ann Example')")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = PERSIST")
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    connection.execute("UPDATE t SET who = 'nobody'")
    connection.execute("CREATE TABLE more (a)")
    connection.executemany("INSERT INTO more VALUES (?)", [("x" * 3_000,)] * 20)
    journal = path.with_name("a.db-journal").read_bytes()
    connection.execute("ROLLBACK")
    connection.close()
    (document,) = examined(journal, "a.db-journal")
    assert document.media_type == "application/x-sqlite3-journal"
    assert "Ann Example" in document.text


class Dangerous:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("Ann Example ran",)


def test_a_pickle_is_never_loaded(examined: Examine) -> None:
    (document,) = examined(pickle.dumps({"a": Dangerous(), "b": LINES[1]}))
    assert (document.media_type, document.status) == ("application/x-python-pickle", Status.COMPLETE)
    assert "Ann Example ran" in document.text and LINES[1] in document.text
    cut = examined(pickle.dumps(["Ann Example lives here"] * 9 + [1.5], protocol=4)[:-3] + b".")[-1]
    assert cut.status is Status.PARTIAL


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ({"who": "Ann", "age": 7, "tags": ["a", "b"]}, ["who: Ann", "age: 7", "tags: a", "tags: b"]),
        ([{"who": "Ann"}, {"who": "Bo"}], ["who: Ann", "", "who: Bo"]),
        ({"long": "x" * 300, "n": -5, "f": 0.5, "no": None}, ["long: " + "x" * 300, "n: -5", "f: 0.5"]),
        ({"deep": {"who": "Ann"}}, ["who: Ann"]),
    ],
)
def test_messagepack_gives_one_line_a_value(examined: Examine, value: object, lines: list[str]) -> None:
    (document,) = examined(msgpack.packb(value))
    assert document.media_type == "application/vnd.msgpack"
    assert document.text.splitlines() == lines


@pytest.mark.parametrize("data", [b"\x81\xa3who", b"\x81\x01\x02", b"\x90", b"\x85words of a text", bytes([0x91]) * 90])
def test_few_bytes_are_no_messagepack(data: bytes) -> None:
    assert not looks_like_messagepack(data)


def test_messagepack_survives_what_it_is_told() -> None:
    for data in (b"\xdf\xff\xff\xff\xff\xa1a", b"\x91" * 500, b"\xdb\xff\xff\xff\xff", b"\xc1"):
        with pytest.raises(ValueError):
            list(messages(data))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<stata_dta><header>" + bytes(200) + b"Ann Example" + bytes(50), "Stata file: only its strings were read"),
        (b"ITSF\x03\x00\x00\x00" + bytes(range(128, 256)), "compiled help file (CHM): no reader for it"),
        (struct.pack("<HHH", 0, 2, 0x0406) + b"\x0f\0\x12\0\0\0\0\0\0'Ann Example\0", "Lotus 1-2-3 sheet: only its"),
    ],
)
def test_files_of_programs_are_named_and_never_complete(examined: Examine, data: bytes, reason: str) -> None:
    document = examined(data)[-1]
    assert document.status in (Status.PARTIAL, Status.UNSUPPORTED)
    assert document.reason.startswith(reason)
