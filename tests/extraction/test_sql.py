"""Tables of real databases -> objects and Documents: rows, documents in cells, samples, and each fault a reason."""

import io
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import trustme
from sqlalchemy.exc import SQLAlchemyError

from core.errors import SourceError
from core.records import Document, FileRef, Status
from core.settings import SourceSettings
from extraction.examine import examine_each
from extraction.opening.object_store import ObjectError, store_of
from extraction.opening.stores import sql
from extraction.sandbox import Sandbox
from tests.servers.databases import PASSWORD, mariadb, postgres

PATIENTS = "CREATE TABLE patients (id INTEGER PRIMARY KEY, name VARCHAR(80), born DATE, scan {blob})"
Server = tuple[str, Any]


@pytest.fixture(scope="module", params=["postgresql", "mysql", "sqlite"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The address of a database, and a cursor that may write to it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEAKSCREEN_SOURCE_PASSWORD", PASSWORD)
        if request.param == "sqlite":
            file = tmp_path_factory.mktemp("sqlite") / "ward 1.db"
            connection = sqlite3.connect(file, isolation_level=None)
            fill(connection, "BLOB", "?")
            yield f"sqlite://{file}", connection
            connection.close()
            return
        with postgres() if request.param == "postgresql" else mariadb() as (address, owner, authority):
            patch.setenv("SSL_CERT_FILE", str(authority))
            fill(owner, "BYTEA" if request.param == "postgresql" else "LONGBLOB", "%s")
            yield address, owner


def fill(cursor: Any, blob: str, mark: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("letter.txt", "words in a cell")
    cursor.execute(PATIENTS.format(blob=blob))
    insert = f"INSERT INTO patients VALUES ({mark}, {mark}, {mark}, {mark})"
    cursor.execute(insert, (1, "Ada Løvelace", "1815-12-10", packed.getvalue()))
    cursor.execute(insert, (2, "Charles Babbage", "1791-12-26", None))
    cursor.execute("CREATE TABLE empty_one (a INTEGER)")
    cursor.execute("CREATE TABLE many (id INTEGER PRIMARY KEY, word VARCHAR(20))")
    rows = ", ".join(f"({number}, 'word{number}')" for number in range(1, 501))
    cursor.execute(f"INSERT INTO many VALUES {rows}")


def keys(server: Server, prefix: str = "", **settings: Any) -> list[str]:
    found = store_of(server[0], SourceSettings(**settings)).objects(prefix)
    return [stored.key.removeprefix("public/") for stored in found]


def within(server: Server, key: str) -> str:
    return f"public/{key}" if server[0].startswith("postgresql") else key


def read(server: Server, sandbox: Sandbox, *names: str, **settings: Any) -> list[Document]:
    mark = "//" if server[0].startswith("sqlite") else "/"
    refs = [
        FileRef(uri=address, path=address.encode(), size=0, mtime_ns=0)
        for address in (f"{server[0]}{mark}{within(server, name)}" for name in names)
    ]
    return list(examine_each(refs, sandbox, SourceSettings(**settings)))


def test_tables_are_files_rows_are_lines_and_documents_in_cells_are_members(server: Server, sandbox: Sandbox) -> None:
    assert keys(server) == ["empty_one/all rows", "many/all rows", "patients/all rows"]
    assert keys(server, within(server, "patients/")) == ["patients/all rows"]
    member, archive, table, empty = read(server, sandbox, "patients/all rows", "empty_one/all rows")
    assert member.text == "words in a cell" and archive.status is Status.CONTAINER
    assert table.status is empty.status is Status.COMPLETE
    assert "Ada Løvelace" in table.text and "1791-12-26" in table.text and "Charles Babbage" in table.text


def test_a_long_table_comes_in_parts(server: Server, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "ROWS", 200)
    parts = [key for key in keys(server, connections=3) if key.startswith("many")]
    assert parts == ["many/rows 1-200", "many/rows 201-400", "many/rows 401-500"]
    documents = read(server, sandbox, *parts)
    words = [word for document in documents for word in document.text.split() if word.startswith("word")]
    assert sorted(word for word in words if word != "word") == sorted(f"word{number}" for number in range(1, 501))


def test_a_sample_is_drawn_by_its_seed(server: Server, sandbox: Sandbox) -> None:
    (key,) = (key for key in keys(server, sql_rows=20) if key.startswith("many"))
    assert key == "many/20 of 500 rows"
    drawn = [
        [word for word in document.text.split() if word[4:].isdigit()]
        for seed in (1, 1, 2)
        for document in read(server, sandbox, key, sql_rows=20, sql_seed=seed)
    ]
    assert len(drawn[0]) == len(set(drawn[0])) == 20
    assert drawn[0] == drawn[1] != drawn[2]


def test_nothing_can_be_written(server: Server) -> None:
    store: Any = store_of(server[0])
    with store._reading() as connection, pytest.raises(SQLAlchemyError):
        connection.execute(sa.text("INSERT INTO many VALUES (9999, 'x')"))


def test_a_server_by_name_must_show_a_certificate_that_is_trusted(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The address of this machine itself is the one exception."""
    if server[0].startswith("sqlite"):
        return
    by_name = (server[0].replace("127.0.0.1", "localhost"), server[1])
    assert "many/all rows" in keys(by_name)
    with store_of(by_name[0])._reading() as connection:  # type: ignore[attr-defined]
        asked = {"postgresql": "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"}
        told = connection.exec_driver_sql(asked.get(server[0].partition(":")[0], "SHOW STATUS LIKE 'Ssl_cipher'"))
        assert any(value for value in told.one()[-1:])
    trustme.CA().cert_pem.write_to_path(tmp_path / "other.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "other.pem"))
    with pytest.raises(ObjectError, match="certificate is not valid"):
        keys(by_name, connections=2)


def test_a_table_that_is_gone_is_a_reason(server: Server, sandbox: Sandbox) -> None:
    (gone,) = read(server, sandbox, "gone/all rows")
    assert (gone.status, gone.reason) == (Status.UNREADABLE, "vanished")


def test_a_wrong_password_is_a_reason_that_does_not_quote_it(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAKSCREEN_SOURCE_PASSWORD", "wr0ng")
    if server[0].startswith("sqlite"):
        with pytest.raises(SourceError, match="no such file"):
            store_of("sqlite:///nowhere.db")
        return
    with pytest.raises(ObjectError, match=r"^permission denied \(the server refused user or password\)$"):
        list(store_of(server[0], SourceSettings(connections=5)).objects(""))


def test_a_server_that_is_gone_is_a_reason() -> None:
    for scheme in ("postgresql", "mysql"):
        with pytest.raises(ObjectError, match="the server cannot be reached"):
            list(store_of(f"{scheme}://a@127.0.0.1:9/x", SourceSettings(connections=6)).objects(""))


def test_a_table_larger_than_the_read_limit_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "large.db") as connection:
        connection.execute("CREATE TABLE long (word TEXT)")
        connection.executemany("INSERT INTO long VALUES (?)", [["x" * 1000]] * 1000)
    part = store_of(f"sqlite://{tmp_path}/large.db").fetch("long/all rows", 100_001)
    assert part.size > 100_001 and sum(map(len, part.chunks)) == 100_001
