"""A database -> its tables as small SQLite files: the parser reads their rows, and documents in cells as members.

By SQLAlchemy, in transactions that cannot write. A table with a primary key comes in parts of some thousand rows.
"""

import os
import random
import sqlite3
import ssl
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from core.settings import SourceSettings
from extraction.opening.credentials import Credentials, credentials_for, split_port, split_user
from extraction.opening.object_store import Fetched, ObjectError, StoredObject
from extraction.opening.servers import REFUSED, SECONDS

ROWS = 20_000  # of one part
_AT_ONCE = 1_000
_KEYS_AT_ONCE = 500
_DRIVERS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "postgresql": ("postgresql+psycopg", 5432, {"connect_timeout": int(SECONDS)}),
    "mysql": ("mysql+pymysql", 3306, {"connect_timeout": int(SECONDS), "read_timeout": int(SECONDS)}),
}
_OF_THE_SERVER = frozenset(("information_schema", "pg_catalog", "performance_schema", "mysql", "sys"))
_WRONG_LOGIN, _NO_PERMISSION, _GONE = (1045, "28P01", "28000"), (1044, 1142, "42501"), (2003, 2006, 2013)
_THIS_MACHINE = ("127.0.0.1", "::1")
_PLAIN = (int, float, str, bytes, type(None))


def open_store(place: str, settings: SourceSettings) -> "Database":
    scheme, _, rest = place.partition("://")
    if scheme == "sqlite":
        if not Path(rest).is_file():
            raise ObjectError("no such file")
        # Read-only; a database that another program has open stays as it is.
        url: Any = f"sqlite:///file:{quote(rest)}?mode=ro&uri=true"
        return Database(sa.create_engine(url, poolclass=sa.NullPool), settings, schemas=False)
    server, _, database = rest.partition("/")
    return Database(_engine(scheme, server, database, credentials_for(place, settings), settings), settings)


def _engine(scheme: str, server: str, database: str, credentials: Credentials, settings: SourceSettings) -> Any:
    driver, usual_port, options = _DRIVERS[scheme]
    host, port = split_port(split_user(server)[1], usual_port)
    options = {**options, "password": credentials.password.encode()} if scheme == "mysql" else options
    if settings.sql_tls == "verify" and host not in _THIS_MACHINE:
        options = {**options, **_checked_tls(scheme)}
    url = sa.URL.create(driver, credentials.user or None, credentials.password or None, host, port, unquote(database))
    return sa.create_engine(
        url, pool_size=settings.connections, max_overflow=0, connect_args=options, hide_parameters=True
    )


def _checked_tls(scheme: str) -> dict[str, Any]:
    if scheme == "mysql":
        return {"ssl": ssl.create_default_context()}
    return {"sslmode": "verify-full", "sslrootcert": os.environ.get("SSL_CERT_FILE") or "system"}


class Database:
    def __init__(self, engine: Any, settings: SourceSettings, *, schemas: bool = True) -> None:
        self._engine = engine
        self._settings = settings
        self._schemas = schemas and engine.dialect.name == "postgresql"

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """The time is now: a database does not tell whether a table changed, so each scan reads it."""
        try:
            for schema, table in self._tables():
                name = _name(schema, table)
                if prefix and name != prefix.rstrip("/") and not f"{name}/".startswith(prefix):
                    if prefix.startswith(f"{name}/"):
                        yield from (part for part in self._parts(schema, table) if part.key == prefix)
                    continue
                if not prefix or prefix.endswith("/"):
                    yield from self._parts(schema, table)
        except SQLAlchemyError as error:
            raise _reason(error) from None

    def close(self) -> None:
        self._engine.dispose()

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        """Rows are read until the file is larger than what may be read, so that nobody takes it for the whole."""
        *names, part = (unquote(name) for name in key.split("/"))
        try:
            with self._reading() as connection:
                table = self._table(names)
                data = _as_file(
                    table.name, [column.name for column in table.columns], self._rows(connection, table, part), most
                )
        except SQLAlchemyError as error:
            raise _reason(error) from None
        return Fetched(len(data), iter((data[start : start + most],)))

    def _parts(self, schema: str | None, name: str) -> Iterator[StoredObject]:
        folder = _name(schema, name)
        try:
            with self._reading() as connection:
                table = self._table([schema, name] if schema else [name])
                count = connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        except SQLAlchemyError as error:
            yield StoredObject(folder, 0, 0, fault=f"table not read: {_reason(error)}")
            return
        guess = 64 * max(1, len(table.columns))  # bytes of a row, for the plan alone
        if self._settings.sql_rows and count > self._settings.sql_rows:
            parts = [(f"{self._settings.sql_rows} of {count} rows", self._settings.sql_rows)]
        elif table.primary_key.columns and count > ROWS:
            parts = [(f"rows {at + 1}-{min(at + ROWS, count)}", ROWS) for at in range(0, count, ROWS)]
        else:
            parts = [("all rows", count)]
        for part, rows in parts:
            yield StoredObject(f"{folder}/{part}", rows * guess, time.time_ns())

    def _rows(self, connection: Any, table: Any, part: str) -> Iterator[Sequence[Any]]:
        key = list(table.primary_key.columns)
        chosen = sa.select(*table.columns).order_by(*key)
        words = part.split()
        if words[1:2] == ["of"]:
            yield from self._drawn(connection, table, key, int(words[0]))
            return
        if words[0] == "rows":
            first, _, last = words[1].partition("-")
            chosen = chosen.offset(int(first) - 1).limit(int(last) - int(first) + 1)
        with connection.execution_options(stream_results=True, yield_per=_AT_ONCE).execute(chosen) as rows:
            yield from rows

    def _drawn(self, connection: Any, table: Any, key: list[Any], wanted: int) -> Iterator[Sequence[Any]]:
        """Every row has the same chance. With a primary key only the keys are read of the others."""
        dice = random.Random(f"{self._settings.sql_seed} {table.fullname}")  # noqa: S311 - a sample, not a secret
        columns = key or list(table.columns)
        kept: list[Any] = []
        streamed = connection.execution_options(stream_results=True, yield_per=_AT_ONCE)
        with streamed.execute(sa.select(*columns).order_by(*key)) as rows:
            for number, row in enumerate(rows):
                if number < wanted:
                    kept.append(tuple(row))
                elif (place := dice.randrange(number + 1)) < wanted:
                    kept[place] = tuple(row)
        if not key:
            yield from kept
            return
        for at in range(0, len(kept), _KEYS_AT_ONCE):
            some = kept[at : at + _KEYS_AT_ONCE]
            among = key[0].in_([row[0] for row in some]) if len(key) == 1 else sa.tuple_(*key).in_(some)
            yield from connection.execute(sa.select(*table.columns).where(among).order_by(*key))

    def _tables(self) -> Iterator[tuple[str | None, str]]:
        inspector = sa.inspect(self._engine)
        for schema in sorted(inspector.get_schema_names()) if self._schemas else [None]:
            if schema not in _OF_THE_SERVER and not str(schema).startswith("pg_"):
                for table in sorted(inspector.get_table_names(schema)):
                    yield schema, table

    def _table(self, names: Sequence[str]) -> Any:
        schema = names[0] if self._schemas else None
        try:
            return sa.Table(names[-1], sa.MetaData(), schema=schema, autoload_with=self._engine)
        except sa.exc.NoSuchTableError:
            raise ObjectError("vanished") from None

    def _reading(self) -> Any:
        """A connection whose transaction cannot write; it ends with its block, and nothing is committed."""
        return _Reading(self._engine)


class _Reading:
    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def __enter__(self) -> Any:
        connection = self._engine.connect()
        try:
            if self._engine.dialect.name == "postgresql":
                connection = connection.execution_options(postgresql_readonly=True, isolation_level="REPEATABLE READ")
            elif self._engine.dialect.name == "mysql":
                connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def __exit__(self, *fault: object) -> None:
        self._connection.close()


def _as_file(table: str, columns: Sequence[str], rows: Iterator[Sequence[Any]], most: int) -> bytes:
    names = ", ".join(_quoted(column) for column in columns)
    kept = sqlite3.connect(":memory:", isolation_level=None)
    try:
        kept.execute(f"CREATE TABLE {_quoted(table)} ({names})")
        insert = f"INSERT INTO {_quoted(table)} VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 - quoted
        kept.execute("BEGIN")
        size = 0
        for row in rows:
            values = [_plain(value) for value in row]
            kept.execute(insert, values)
            size += sum(len(value) if isinstance(value, str | bytes) else 8 for value in values)
            if size > most:
                break
        kept.execute("COMMIT")
        return bytes(kept.serialize())
    finally:
        kept.close()


def _plain(value: Any) -> Any:
    """What SQLite can keep; everything else as it would be printed."""
    if isinstance(value, memoryview | bytearray):
        return bytes(value)
    if isinstance(value, bool) or not isinstance(value, _PLAIN):
        return str(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return str(value)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""').replace("\0", "") + '"'


def _name(schema: str | None, table: str) -> str:
    return "/".join(quote(name, safe=" ") for name in (schema, table) if name)


def _reason(error: SQLAlchemyError) -> ObjectError:
    """Codes and class names alone: messages quote statements and values."""
    raw = getattr(error, "orig", None)
    code = getattr(raw, "sqlstate", None) or next(iter(getattr(raw, "args", ())), "")
    said = str(raw).lower()
    if code in _WRONG_LOGIN or "password authentication failed" in said or "no password supplied" in said:
        return ObjectError(REFUSED)
    if "certificate" in said or "server does not support ssl" in said or "ssl" in said.split("(")[0]:
        return ObjectError("the server offers no TLS, or its certificate is not valid (sources.sql_tls)")
    if code in _NO_PERMISSION:
        return ObjectError("permission denied")
    if "OperationalError" in type(error).__name__ and ("connect" in said or code in _GONE):
        return ObjectError(f"the server cannot be reached ({type(raw).__name__})")
    shown = code if isinstance(code, int) or len(str(code)) == 5 else type(raw or error).__name__
    return ObjectError(f"the database refused it ({shown})")
