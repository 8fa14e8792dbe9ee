"""The letter in data files that scanners seldom read: deleted rows, logs of databases, pickles, files of programs."""

import io
import pickle
import plistlib
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgpack  # type: ignore[import-untyped]
import pandas as pd  # type: ignore[import-untyped]
import pyarrow as pa
import pyreadstat
from pyarrow import orc

from benchmarks.honesty_cases.case import HARMLESS, HARMLESS_LINES, LETTER, LINES, Case
from benchmarks.honesty_cases.help_file import help_file

_RECORD = dict(line.split(": ", 1) for line in LINES if ": " in line)
_HARMLESS_RECORD = {"event": "spring fair", "opens": 9, "note": HARMLESS}


def data_files() -> Iterator[Case]:
    yield from _databases()
    yield Case("letter.pickle", pickle.dumps({"id": 7, "note": LETTER}))
    yield Case("record.pkl", pickle.dumps([_RECORD] * 2, protocol=2))
    yield Case("frame.pkl", pickle.dumps(pd.DataFrame([_RECORD] * 3)))
    yield Case("harmless.pickle", pickle.dumps(_HARMLESS_RECORD), leaks=False)
    yield Case("table.orc", _orc([_RECORD] * 3))
    yield Case("record.bplist", plistlib.dumps(_RECORD, fmt=plistlib.FMT_BINARY))
    yield Case("record.plist", plistlib.dumps(_RECORD))
    yield Case("harmless.bplist", plistlib.dumps(_HARMLESS_RECORD, fmt=plistlib.FMT_BINARY), leaks=False)
    yield Case("page.webarchive", _web_archive())
    yield Case("record.msgpack", msgpack.packb(_RECORD))
    yield Case("records.msgpack", msgpack.packb([{**_RECORD, "id": number} for number in range(40)]))
    yield Case("harmless.msgpack", msgpack.packb(_HARMLESS_RECORD), leaks=False)
    yield Case("letter.idml", _idml())
    yield Case("letter.sxw", _star_office("writer", "".join(f"<text:p>{line}</text:p>" for line in LINES)))
    yield Case("letter.sxc", _star_office("calc", _sheet()))
    yield Case("letter.sxi", _star_office("impress", _slide()))
    yield from _packed()
    yield from _of_programs()


def _databases() -> Iterator[Case]:
    columns = ", ".join(f'"{name}" TEXT' for name in _RECORD)
    marks = ", ".join("?" for _ in _RECORD)
    with tempfile.TemporaryDirectory() as folder:
        for name, wal, sql in (
            ("deleted-rows.db", False, "DELETE FROM people WHERE rowid > 3"),
            ("dropped-table.db", False, "DROP TABLE people"),
            ("live-rows.db", False, ""),
            ("log.db", True, ""),
        ):
            path = Path(folder) / name
            connection = sqlite3.connect(path, isolation_level=None)
            connection.execute("PRAGMA journal_mode = " + ("WAL" if wal else "DELETE"))
            connection.execute("PRAGMA secure_delete = OFF")
            connection.execute(f"CREATE TABLE people ({columns})")
            for _ in range(3):
                connection.execute(f"INSERT INTO people VALUES ({marks})", ["fair"] * len(_RECORD))
            for _ in range(40):
                connection.execute(f"INSERT INTO people VALUES ({marks})", list(_RECORD.values()))
            if sql:
                connection.execute(sql)
            log = path.with_name(f"{name}-wal").read_bytes() if wal else b""
            data = path.read_bytes()
            connection.close()
            yield Case(name, data, beside={f"{name}-wal": log} if wal else {})


def _orc(records: list[dict[str, str]]) -> bytes:
    out = pa.BufferOutputStream()
    orc.write_table(pa.Table.from_pylist(records), out)
    return bytes(out.getvalue())


def _web_archive() -> bytes:
    page = "<html><body>" + "".join(f"<p>{line}</p>" for line in LINES) + "</body></html>"
    main = {
        "WebResourceData": page.encode(),
        "WebResourceMIMEType": "text/html",
        "WebResourceURL": "https://example.org/note",
    }
    return plistlib.dumps({"WebMainResource": main}, fmt=plistlib.FMT_BINARY)


def _idml() -> bytes:
    content = "<Br/>".join(f"<Content>{line}</Content>" for line in LINES)
    story = (
        '<?xml version="1.0"?><idPkg:Story xmlns:idPkg="http://ns.adobe.com/AdobeInDesign/idml/1.0/packaging">'
        f"<Story><ParagraphStyleRange><CharacterStyleRange>{content}</CharacterStyleRange></ParagraphStyleRange>"
        "</Story></idPkg:Story>"
    )
    return _package("application/vnd.adobe.indesign-idml-package", {"Stories/Story_u1.xml": story})


def _star_office(kind: str, body: str) -> bytes:
    spaces = "".join(
        f' xmlns:{name}="http://openoffice.org/2000/{name}"' for name in ("office", "text", "table", "style", "drawing")
    )
    content = (
        f'<?xml version="1.0"?><office:document-content{spaces}><office:body>{body}</office:body>'
        "</office:document-content>"
    )
    return _package(f"application/vnd.sun.xml.{kind}", {"content.xml": content})


def _sheet() -> str:
    rows = "".join(
        f"<table:table-row><table:table-cell><text:p>{name}:</text:p></table:table-cell>"
        f"<table:table-cell><text:p>{value}</text:p></table:table-cell></table:table-row>"
        for name, value in _RECORD.items()
    )
    return f'<table:table table:name="one">{rows}</table:table>'


def _slide() -> str:
    lines = "".join(f"<text:p>{line}</text:p>" for line in LINES)
    return f'<drawing:page drawing:name="page1"><drawing:text-box>{lines}</drawing:text-box></drawing:page>'


def _package(kind: str, parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", kind)
        for name, text in parts.items():
            archive.writestr(name, text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _packed() -> Iterator[Case]:
    data = LETTER.encode() * 3
    yield Case("letter.zlib", zlib.compress(data))
    snappy = pa.compress(data, codec="snappy", asbytes=True)
    frame = b"\x00" + (len(snappy) + 4).to_bytes(3, "little") + bytes(4) + snappy
    yield Case("letter.sz", b"\xff\x06\x00\x00sNaPpY" + frame)
    yield Case("letter.txt.br", pa.compress(data, codec="brotli", asbytes=True))
    yield Case("letter.brotli", pa.compress(data, codec="brotli", asbytes=True))
    yield Case("letter.snappy", snappy)


def _of_programs() -> Iterator[Case]:
    yield from _statistics()
    sas = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011") + bytes(256)
    yield Case("record.sas7bdat", sas + LETTER.encode() + bytes(64))
    labels = b"".join(
        struct.pack("<HHBHH", 15, len(line) + 7, 0, 0, row) + b"'" + line.encode() + b"\0"
        for row, line in enumerate(LINES)
    )
    yield Case("letter.wk1", b"\x00\x00\x02\x00\x06\x04" + labels + b"\x01\x00\x00\x00")
    cards = ["SIMPLE  =                    T", *(f"COMMENT {line}" for line in LINES), "END"]
    yield Case("picture.fits", "".join(card.ljust(80) for card in cards).ljust(2880).encode() + bytes(2880))
    page = "<html><body>" + "".join(f"<p>{line}</p>" for line in LINES) + "</body></html>"
    manual = help_file({"/start.html": b"<p>Welcome</p>" * 5_000, "/note.html": page.encode()})
    yield Case("help.chm", manual)
    yield Case("cut.chm", manual[:9_000])
    yield Case("harmless.chm", help_file({"/fair.html": f"<p>{HARMLESS}</p>".encode()}), leaks=False)
    yield Case(
        "harmless.csv", "\n".join(f"{number},{line}" for number, line in enumerate(HARMLESS_LINES)).encode(), False
    )


def _statistics() -> Iterator[Case]:
    names = [name.replace(" ", "_")[:8] for name in _RECORD]
    table = pd.DataFrame([dict(zip(names, _RECORD.values(), strict=True))] * 3)
    harmless = pd.DataFrame({"line": list(HARMLESS_LINES)})
    with tempfile.TemporaryDirectory() as folder:
        for ending, write in (
            ("dta", pyreadstat.write_dta),
            ("sav", pyreadstat.write_sav),
            ("por", pyreadstat.write_por),
            ("xpt", pyreadstat.write_xport),
        ):
            for name, rows in (("record", table), ("harmless", harmless)):
                path = Path(folder) / f"{name}.{ending}"
                write(rows, str(path))
                yield Case(path.name, path.read_bytes(), leaks=name == "record")
