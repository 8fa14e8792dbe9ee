"""SQLite database -> the rows of its tables; documents in its cells as members."""

import re
import sqlite3
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError, fault_of
from extraction.identify.identify import identify
from extraction.limits.budget import Budget
from extraction.readers.ooxml.said_in_attributes import is_prose
from extraction.readers.sqlite.pages import deleted_rows
from extraction.readers.streams.cell_documents import CellDocuments
from extraction.readers.text.table import table_segments

MEDIA_TYPES = frozenset({"application/vnd.sqlite3", "application/x-sqlite3"})
IS_ARCHIVE = False

MOST_STEPS = 20_000  # of 100,000 instructions each
_STEP = 100_000
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ})
_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
_STATEMENTS = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
_SAID = re.compile(r"'((?:[^']|'')*)'|--([^\n]*)|/\*(.*?)\*/", re.S)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    """Never runs views or triggers: it reads stored rows only, and refuses all function calls meanwhile."""
    connection = _open(content.data, budget.limits.member_bytes)
    fault = ""
    documents = CellDocuments(identify)
    widths: set[int] = set()
    try:
        tables = [name for (name,) in connection.execute(_TABLES) if not str(name).startswith("sqlite_")]
        for number, name in enumerate(tables, 1):
            try:
                columns = _columns(connection, name)
                widths.add(len(columns))
                yield from _table(connection, number, name, columns, documents)
            except sqlite3.Error as error:
                fault = fault or fault_of(error)
            yield from documents.members(f"table {number}", budget)
        yield Segment("schema", "\n".join(_said_in_schema(connection)))
    finally:
        connection.close()
    yield from table_segments("deleted rows", [], deleted_rows(content.data, frozenset(widths)))
    if fault:
        raise StoppedError(Status.PARTIAL, fault)


def _open(data: bytes, longest: int) -> sqlite3.Connection:
    image = bytearray(data)
    image[18:20] = b"\x01\x01"  # a database in memory has no write-ahead log
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.deserialize(bytes(image))
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    steps = iter(range(MOST_STEPS))
    connection.set_progress_handler(lambda: next(steps, None) is None, _STEP)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
    connection.execute("SELECT count(*) FROM sqlite_schema")  # now: the schema may use functions, refused from here on
    connection.set_authorizer(_authorize)
    return connection


def _authorize(action: int, first: str | None, *_: str | None) -> int:
    allowed = action in _ALLOWED or (action == sqlite3.SQLITE_PRAGMA and first == "table_info")
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _columns(connection: sqlite3.Connection, name: str) -> list[str]:
    """Without computed ones: they store nothing, and computing them could take forever."""
    return [row[1] for row in connection.execute(f"PRAGMA table_info({_quoted(name)})")]


def _table(
    connection: sqlite3.Connection, number: int, name: str, columns: list[str], documents: CellDocuments
) -> Iterator[Segment]:
    chosen = ", ".join(_quoted(column) for column in columns)
    # All names are quoted, and only reading is allowed.
    cursor = connection.execute(f"SELECT {chosen} FROM {_quoted(name)}")  # noqa: S608
    yield from table_segments(f"table {number}", [name, *columns], (["", *documents.without(row)] for row in cursor))


def _said_in_schema(connection: sqlite3.Connection) -> list[str]:
    """Sentences in views, triggers, default values and comments."""
    statements = [str(sql) for (sql,) in connection.execute(_STATEMENTS)]
    said = ("".join(groups) for sql in statements for groups in _SAID.findall(sql))
    return [text for text in dict.fromkeys(said) if is_prose(text)]
