"""Rows -> CEF lines, one a file, with everything escaped that could end a field or a line."""

from collections.abc import Iterable
from typing import Any, BinaryIO

from leakscreen.export.rows import ExportedScan, Row, counted, fired, masked

_SEVERITIES = {"high": 9, "medium": 6, "low": 3, "none": 1}
_LONGEST = 1_000
_EVIDENCE = 10


def write(rows: Iterable[Row], scan: ExportedScan, sink: BinaryIO) -> None:
    for row in rows:
        sink.write(line(row, scan).encode("utf-8", "backslashreplace") + b"\n")


def line(row: Row, scan: ExportedScan) -> str:
    event, name = event_of(row)
    header = (
        "CEF:0",
        "leakscreen",
        "leakscreen",
        scan.version,
        event,
        name,
        str(_SEVERITIES[row["risk"]] if row["referred"] else 1),
    )
    return (
        "|".join(in_header(part) for part in header)
        + "|"
        + " ".join(f"{key}={in_extension(value)}" for key, value in _fields(row, scan))
    )


def event_of(row: Row) -> tuple[str, str]:
    if row["referred"]:
        return "referred", "File with someone's health information"
    return "recorded", "File that was scanned"


def in_header(text: str) -> str:
    return _visible(text.replace("\\", "\\\\").replace("|", "\\|").replace("\r", " ").replace("\n", " "))


def in_extension(value: Any) -> str:
    text = str(value).replace("\\", "\\\\").replace("=", "\\=").replace("\r", "\\r").replace("\n", "\\n")
    return _visible(text)


def _visible(text: str) -> str:
    """Other controls, and what some readers take for the end of a line, become blanks."""
    return "".join(
        " " if letter in "\x85\u2028\u2029" or ord(letter) < 32 or ord(letter) == 127 else letter for letter in text
    )


def _fields(row: Row, scan: ExportedScan) -> list[tuple[str, Any]]:
    fields = [
        ("rt", int(scan.finished.timestamp() * 1000)),
        ("externalId", scan.scan_id),
        ("cat", "phi"),
        ("outcome", row["status"]),
        ("reason", _cut(row["reason"] or "")),
        ("filePath", row["uri"]),
        ("fsize", row["size"]),
        ("fileType", row["media_type"]),
        ("fileHash", row["sha256"] or ""),
        ("duser", row["owner"] or ""),
    ]
    labelled: tuple[tuple[str, str, Any], ...] = (
        ("cs1", "risk", row["risk"]),
        ("cs2", "rules", fired(row)),
        ("cs3", "characteristics", counted(row)),
        ("cs4", "evidence", "; ".join(masked(row, _EVIDENCE))),
        ("cn1", "persons", row["persons"] or 0),
    )
    for key, label, value in labelled:
        if value != "":
            fields += [(f"{key}Label", label), (key, _cut(value) if isinstance(value, str) else value)]
    return [(key, value) for key, value in fields if value != ""]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
