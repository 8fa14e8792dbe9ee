"""Exports of hostile rows: no formula, no second line, no broken field, and nothing half written."""

import csv
import io
import json
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from core.atomic import whole_output
from core.errors import OutputError, SettingsError
from core.settings.notify import SyslogSettings
from leakscreen.cli.app import app
from leakscreen.export.formats import cef, parquet, sarif, syslog
from leakscreen.export.formats import csv as csv_cells
from leakscreen.export.formats import jsonl as json_lines
from leakscreen.export.registry import format_names, load_format
from leakscreen.export.rows import COLUMNS, ExportedScan

FACTS = ExportedScan(
    "scan-1",
    datetime(2026, 1, 5, 8, tzinfo=UTC),
    datetime(2026, 1, 5, 9, tzinfo=UTC),
    "0.1|0",
    ("name-and-contact", "email"),
)
NAMES = [
    "/srv/plain.txt",
    "/srv/a=b|c\\d.txt",
    "/srv/two\r\nlines=x.txt",
    "=HYPERLINK(1)",
    "/srv/é\u2028\x85\0.txt",
    "/srv/a.zip!b c/d#e?.docx",
]


def row(uri: str, **more: Any) -> dict[str, Any]:
    made = {
        "scan_id": "scan-1",
        "uri": uri,
        "container_uri": None,
        "size": 12,
        "mtime": datetime(2026, 1, 1, tzinfo=UTC),
        "owner": "ann",
        "access": "everyone",
        "deleted": False,
        "carved_at": None,
        "sha256": "a" * 64,
        "media_type": "text/plain",
        "status": "complete",
        "reason": "",
        "language": "en",
        "judged": True,
        "chars": 10,
        "pii_counts": {"email": 2, "last_name": 1},
        "persons": 1,
        "people": 1,
        "known": 0,
        "rules": [
            {"rule": "email", "prototype": "p", "distance": 1},
            {"rule": "name-and-contact", "prototype": "p", "distance": 0},
        ],
        "screened_positive": True,
        "health_distance": 0.25,
        "health_positive": True,
        "health_terms": ["asthma"],
        "health_class": "personal-record",
        "passages": {"judged": 7, "positive": 2},
        "strongest": "row 3,112",
        "health_role": "subject",
        "referred": True,
        "risk": "high",
        "evidence": [
            {
                "characteristic": "email",
                "start": 0,
                "end": 9,
                "masked": "j***@e***.org",
                "hmac": "f" * 32,
                "where": "page 1",
                "person": 1,
                "role": "",
                "passage": "row 3,112",
            }
        ],
        "source": "/srv",
    }
    return {**made, **more}


ROWS = [row(name) for name in NAMES]


def written(module: Any, rows: list[dict[str, Any]]) -> bytes:
    sink = io.BytesIO()
    module.write(rows, FACTS, sink)
    return sink.getvalue()


def test_every_module_of_the_folder_is_a_format() -> None:
    assert format_names() == ("cef", "csv", "jsonl", "parquet", "sarif", "syslog")
    for name in format_names():
        assert written(load_format(name), ROWS)


def test_an_unknown_format_is_refused_by_name() -> None:
    ran = CliRunner().invoke(app, ["export", "somewhere", "--format", "yaml"])
    assert ran.exit_code == 2
    assert "'yaml' is not one of cef, csv, jsonl, parquet, sarif, syslog" in " ".join(ran.output.split())


def test_columns_of_csv_keep_their_names_and_places() -> None:
    first = "scan_id uri container_uri size mtime owner sha256 media_type status reason chars persons screened_positive"
    then = (
        "health_positive health_distance health_class referred risk source characteristics rules health_terms evidence"
    )
    later = "strongest health_role passages"
    assert list(csv_cells.HEADER[:26]) == f"{first} {then} {later}".split()
    assert csv_cells.HEADER[-1] == "access"


def test_json_lines_have_every_exported_column() -> None:
    (line,) = written(json_lines, ROWS[:1]).splitlines()
    event = json.loads(line)
    assert set(event) == set(COLUMNS) == set(ROWS[0])
    assert event["mtime"] == "2026-01-01T00:00:00+00:00"


def test_json_lines_are_one_object_a_line() -> None:
    lines = written(json_lines, ROWS).decode("ascii").splitlines()
    assert [json.loads(line)["uri"] for line in lines] == NAMES


def test_csv_can_be_read_back_and_has_no_formula() -> None:
    rows = [*ROWS, row("@x", owner="+1", reason="  -2"), row("＝x")]
    cells = list(csv.DictReader(io.StringIO(written(csv_cells, rows).decode("utf-8"), newline="")))
    assert len(cells) == len(rows)
    assert [each["uri"].removeprefix("'") for each in cells] == [each["uri"] for each in rows]
    assert (cells[-2]["owner"], cells[-2]["reason"], cells[3]["uri"][0]) == ("'+1", "'  -2", "'")
    assert cells[0]["evidence"] == "email j***@e***.org (page 1)"


def test_cef_fields_cannot_be_forged() -> None:
    lines = written(cef, ROWS).decode("utf-8").split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(ROWS)
    for line, name in zip(lines, NAMES, strict=True):
        parts = re.split(r"(?<!\\)\|", line, maxsplit=7)
        assert parts[:4] == ["CEF:0", "leakscreen", "leakscreen", "0.1\\|0"]
        assert parts[6] == "9"
        fields = dict(re.findall(r"(\w+)=((?:[^=\\]|\\.)*?)(?= \w+=|$)", parts[7]))
        if name.isprintable():
            assert re.sub(r"\\(.)", r"\1", fields["filePath"]) == name
        assert fields["cs1"] == "high"


@given(st.text())
def test_cef_escapes_hold_any_text_on_one_line(text: str) -> None:
    for escaped in (cef.in_header(text), cef.in_extension(text)):
        assert len(escaped.splitlines()) <= 1
    assert not re.search(r"(?<!\\)(\\\\)*\|", cef.in_header(text))
    assert not re.search(r"(?<!\\)(\\\\)*=", cef.in_extension(text))


def test_sarif_has_what_the_standard_asks_for() -> None:
    rows = [
        *ROWS,
        row(
            "/srv/locked.pdf",
            referred=False,
            status="encrypted",
            reason="a password",
            rules=[],
            risk="none",
            sha256=None,
        ),
    ]
    rows += [row("/srv/clear.txt", referred=False, rules=[], risk="none", evidence=[], pii_counts={})]
    log = json.loads(written(sarif, rows))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run = log["runs"][0]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids))
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        assert (
            result["level"] in ("error", "warning", "note") if result["kind"] == "fail" else result["level"] == "none"
        )
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", uri)
    assert [result["kind"] for result in run["results"]] == ["fail"] * len(NAMES) + ["open", "pass"]
    assert run["results"][0]["ruleId"] == "name-and-contact"


def test_an_export_of_nothing_is_whole_too() -> None:
    assert json.loads(written(sarif, []))["runs"][0]["results"] == []
    assert written(csv_cells, []).decode().count("\r\n") == 1
    assert pq.read_table(io.BytesIO(written(parquet, []))).num_rows == 0


def test_parquet_keeps_types() -> None:
    table = pq.read_table(io.BytesIO(written(parquet, ROWS)))
    assert table["uri"].to_pylist() == NAMES
    assert table.to_pylist(maps_as_pydicts="strict")[0]["pii_counts"] == {"email": 2, "last_name": 1}
    assert not {"metadata", "path"} & set(table.column_names)


SYSLOG = re.compile(rb"<(\d{1,3})>1 2026-01-05T09:00:00Z \S+ leakscreen - referred - CEF:0\|.*")


def test_syslog_lines_have_the_form_of_rfc_5424() -> None:
    lines = written(syslog, ROWS).split(b"\n")[:-1]
    assert len(lines) == len(ROWS)
    for line in lines:
        match = SYSLOG.fullmatch(line)
        assert match and match[1] == b"107"


def framed(stream: bytes) -> Iterator[bytes]:
    while stream:
        length, _, rest = stream.partition(b" ")
        yield rest[: int(length)]
        stream = rest[int(length) :]


@pytest.mark.parametrize("kind", ["tcp", "tls"])
def test_syslog_lines_reach_a_collector(kind: str, tmp_path: Path) -> None:
    authority, got = trustme.CA(), list[bytes]()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def collect() -> None:
            plain, _ = listening.accept()
            connection = context.wrap_socket(plain, server_side=True) if kind == "tls" else plain
            with connection:
                while piece := connection.recv(65_536):
                    got.append(piece)

        collector = threading.Thread(target=collect, daemon=True)
        collector.start()
        url = f"{kind}://localhost:{listening.getsockname()[1]}"
        assert syslog.send(ROWS, FACTS, SyslogSettings(url=url, ca_file=str(tmp_path / "authority.pem"))) == len(ROWS)
        collector.join(10)
    assert list(framed(b"".join(got))) == list(syslog.lines(ROWS, FACTS))


def test_syslog_datagrams_are_one_a_line() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(10)
        syslog.send(ROWS, FACTS, SyslogSettings(url=f"udp://127.0.0.1:{receiver.getsockname()[1]}"))
        assert [receiver.recv(70_000) for _ in ROWS] == list(syslog.lines(ROWS, FACTS))


def test_nobody_there_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(OutputError, match=r"syslog\.url"):
        syslog.send(ROWS, FACTS, SyslogSettings(url=f"tcp://127.0.0.1:{port}"))


@pytest.mark.parametrize(
    "url", ["", "host", "http://host", "udp://", "tcp://host:x", "tls://a@host", "udp://host/path"]
)
def test_unfit_collectors_are_refused(url: str) -> None:
    with pytest.raises(SettingsError, match=r"syslog\.url"):
        syslog.place(url)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "export.csv"
    out.write_text("before")
    with pytest.raises(RuntimeError), whole_output(out) as sink:
        sink.write(b"half")
        raise RuntimeError
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("export.csv", "before")]
    with whole_output(out) as sink:
        sink.write(b"all")
    assert out.read_text() == "all"
    assert out.stat().st_mode & 0o077 == 0
    for unfit in (tmp_path, tmp_path / "none" / "x.csv"):
        with pytest.raises(OutputError), whole_output(unfit) as sink:
            sink.write(b"all")
