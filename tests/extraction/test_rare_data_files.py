"""Data files that few programs read: their rows, values and strings; what was not read is never complete."""

import io
import pickle
import sqlite3
import struct
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pandas as pd  # type: ignore[import-untyped]
import pyreadstat
import pytest

from benchmarks.honesty_cases.case import LINES, Case
from benchmarks.honesty_cases.data_files import data_files
from core.records import Document, Status
from core.settings import LimitSettings
from extraction.content import Content
from extraction.formats import statistics
from extraction.limits.budget import Budget
from extraction.readers.messagepack import looks_like_messagepack, messages
from extraction.readers.sqlite.pages import deleted_rows

Examine = Callable[..., list[Document]]
SAMPLES = Path(__file__).parents[1] / "samples"
SECRET = "Margaret Thompson"
NOT_READ = {"letter.brotli", "cut.chm"}


@pytest.mark.parametrize("case", list(data_files()), ids=lambda case: case.name)
def test_every_data_file_is_read_or_said_to_be_unread(examined: Examine, case: Case) -> None:
    documents = examined(case.data, case.name)
    for name, data in case.beside.items():
        documents += examined(data, name)
    text = "\n".join(document.text for document in documents)
    if case.name in NOT_READ:
        assert {document.status for document in documents} & {Status.PARTIAL, Status.UNSUPPORTED, Status.FAILED}
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
        (b"$FL2@(#) SPSS DATA FILE" + bytes(200) + b"Ann Example", "SPSS file: only its strings were read"),
        (struct.pack("<HHH", 0, 2, 0x0406) + b"\x0f\0\x12\0\0\0\0\0\0'Ann Example\0", "Lotus 1-2-3 sheet: only its"),
    ],
)
def test_files_of_programs_are_named_and_never_complete(examined: Examine, data: bytes, reason: str) -> None:
    document = examined(data)[-1]
    assert document.status in (Status.PARTIAL, Status.UNSUPPORTED)
    assert document.reason.startswith(reason)


def test_pages_of_a_help_file_are_members(examined: Examine) -> None:
    *members, manual = examined((SAMPLES / "archives" / "help.chm").read_bytes(), "help.chm")
    assert (manual.media_type, manual.status) == ("application/vnd.ms-htmlhelp", Status.CONTAINER)
    texts = {member.uri.partition("!")[2]: member.text for member in members if member.status is Status.COMPLETE}
    assert texts["letter.html"].splitlines() == ["Letter", "Patient: Ann Example", "Diagnosis: asthma, café"]
    rows = texts["visits.html"].splitlines()
    assert len(rows) == 2_399  # three intervals of the packed bytes
    assert rows[-1].split("\t") == ["visit 681", "gout", str(2_399 * 2_399 * 31 % 977)]


def test_a_damaged_help_file_is_never_complete(examined: Examine) -> None:
    data = (SAMPLES / "archives" / "help.chm").read_bytes()
    for place in range(100, len(data), 1_500):
        documents = examined(data[:place] + b"\xff\xff\xff" + data[place + 3 :], "help.chm")
        whole = all(document.status in (Status.COMPLETE, Status.CONTAINER) for document in documents)
        assert documents[-1].status in (Status.CONTAINER, Status.PARTIAL, Status.FAILED)
        assert not whole or any("Ann Example" in document.text for document in documents)
    assert examined(data[:3_000], "help.chm")[-1].status is Status.FAILED


def test_rows_of_statistics_have_names_and_labels(examined: Examine, tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"who": ["Ann Example", "Bo"], "born": [date(1961, 3, 14), date(2001, 2, 3)], "dx": [1.0, 2.0]}
    )
    labels: dict[str, Any] = {
        "column_labels": ["the name", None, "dx"],
        "variable_value_labels": {"dx": {1: "asthma", 2: "gout"}},
    }
    pyreadstat.write_sav(table, str(tmp_path / "a.sav"), file_label="clinic", note="by hand", **labels)
    pyreadstat.write_dta(table, str(tmp_path / "a.dta"), **labels)
    rows = ["who (the name)\tborn\tdx", "Ann Example\t1961-03-14\tasthma", "Bo\t2001-02-03\tgout"]
    for name, before in (("a.sav", ["clinic", "by hand"]), ("a.dta", [])):
        (document,) = examined((tmp_path / name).read_bytes(), name)
        assert document.status is Status.COMPLETE
        assert document.text.splitlines() == [*before, *rows]


def test_statistics_in_an_old_character_set(examined: Examine) -> None:
    out = io.BytesIO()
    pd.DataFrame({"who": ["José Núñez"]}).to_stata(out, version=114, write_index=False)
    (document,) = examined(out.getvalue(), "a.dta")
    assert (document.status, document.text) == (Status.COMPLETE, "who\nJosé Núñez")


def test_long_texts_of_stata(examined: Examine) -> None:
    out = io.BytesIO()
    note = "Ann Example has asthma. " * 200
    pd.DataFrame({"note": [note]}).to_stata(out, version=118, write_index=False, convert_strl=["note"])
    (document,) = examined(out.getvalue(), "a.dta")
    assert document.text.endswith(note)


@pytest.mark.parametrize("ending", ["sav", "dta", "por", "xpt"])
def test_statistics_that_are_cut_are_never_complete(examined: Examine, tmp_path: Path, ending: str) -> None:
    table = pd.DataFrame({"who": [f"Ann Example {number}" for number in range(500)], "n": range(500)})
    path = tmp_path / f"whole.{ending}"
    getattr(pyreadstat, {"xpt": "write_xport"}.get(ending, f"write_{ending}"))(table, str(path))
    data = path.read_bytes()
    (document,) = examined(data[: len(data) * 4 // 5 + 7], f"a.{ending}")
    assert document.status is Status.PARTIAL
    assert "Ann Example 100" in document.text


def test_every_data_set_of_a_transport_file(examined: Examine, tmp_path: Path) -> None:
    for name in ("Ann Example", "Bo Example"):
        path = tmp_path / f"{name}.xpt"
        pyreadstat.write_xport(pd.DataFrame({"who": [name]}), str(path), file_format_version=5, table_name=name[:2])
    both = (tmp_path / "Ann Example.xpt").read_bytes() + (tmp_path / "Bo Example.xpt").read_bytes()[240:]
    (document,) = examined(both, "both.xpt")
    assert document.status is Status.COMPLETE
    assert document.text.splitlines() == ["who", "Ann Example", "who", "Bo Example"]


def test_many_rows_are_read_in_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "CELLS", 7)
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(pd.DataFrame({"n": range(40), "who": ["Ann"] * 40}), str(path))
    content = Content(path.read_bytes(), path.stat().st_size)
    text = "\n".join(segment.text for segment in statistics.extract(content, Budget(LimitSettings())))
    assert text.split() == ["n", "who", *(word for number in range(40) for word in (str(number), "Ann"))]


def test_the_library_has_every_reader() -> None:
    assert all(hasattr(pyreadstat, name) for name in statistics.READERS.values())


def test_cells_of_a_lotus_sheet(examined: Examine) -> None:
    early = b"".join(
        struct.pack("<HH", kind, len(body)) + body
        for kind, body in (
            (0x00, b"\x06\x04"),
            (0x26, b"'Clinic of Ann\0"),
            (0x0F, struct.pack("<BHH", 0, 1, 0) + b"'Ann Example\0"),
            (0x0F, struct.pack("<BHH", 0, 0, 0) + b"'name\0"),
            (0x0D, struct.pack("<BHHh", 0, 1, 1, -7)),
            (0x0E, struct.pack("<BHHd", 0, 0, 1, 2.5)),
            (0x01, b""),
        )
    )
    (document,) = examined(early, "a.wk1")
    assert document.status is Status.COMPLETE
    assert document.text.splitlines() == ["name\tAnn Example", "2.5\t-7", "'Clinic of Ann"]
    later = b"".join(
        struct.pack("<HH", kind, len(body)) + body
        for kind, body in (
            (0x00, struct.pack("<H", 0x1002) + bytes(24)),
            (0x16, struct.pack("<HBB", 0, 1, 0) + b"'Ann Example\0"),
            (0x17, struct.pack("<HBBQH", 0, 1, 1, 0xA000000000000000, 16_385)),
            (0x18, struct.pack("<HBBh", 1, 1, 0, 14)),
            (0x18, struct.pack("<HBBh", 1, 1, 1, 3 << 4 | 2 << 1 | 1)),
            (0x01, b""),
        )
    )
    (document,) = examined(later, "a.wk3")
    assert document.text.splitlines() == ["Ann Example\t5", "7\t0.15000000000000002"]


def fits(*cards: str) -> bytes:
    return "".join(card.ljust(80) for card in (*cards, "END")).encode().ljust(2880)


def test_headers_and_tables_of_fits(examined: Examine) -> None:
    first = fits("SIMPLE  =                    T", "BITPIX  =                    8", "NAXIS   =                    0")
    axes = ("NAXIS   =                    2", "NAXIS1  =                   20", "NAXIS2  =                    2")
    table = fits("XTENSION= 'BINTABLE'", "BITPIX  =                    8", *axes) + b"Ann Example         " * 2
    (document,) = examined(first + table.ljust(5760, b"\0"), "a.fits")
    assert document.status is Status.COMPLETE
    assert "Ann Example" in document.text and "XTENSION= 'BINTABLE'" in document.text
    picture = fits("SIMPLE  =                    T", "BITPIX  =                    8", *axes)
    (document,) = examined(picture + bytes(2880), "a.fits")
    assert (document.status, document.reason) == (Status.PARTIAL, "picture not read (pixels of a FITS file)")
    assert examined(picture + bytes(10), "a.fits")[-1].reason == "corrupt (truncated)"
