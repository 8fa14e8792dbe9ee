"""Rows -> CEF lines, one a file, with everything escaped that could end a field or a line."""

from collections.abc import Iterable
from typing import Any, BinaryIO

from leakscreen.export.rows import Row, ScanFacts, counted, masked

_SEVERITIES = {"high": 9, "medium": 6, "low": 3, "none": 1}
_LONGEST = 1_000
_EVIDENCE = 10


def write(rows: Iterable[Row], facts: ScanFacts, sink: BinaryIO) -> None:
    for row in rows:
        sink.write(line(row, facts).encode("utf-8", "backslashreplace") + b"\n")


def line(row: Row, facts: ScanFacts) -> str:
    event, name = event_of(row)
    header = (
        "CEF:0",
        "leakscreen",
        "leakscreen",
        facts.version,
        event,
        name,
        str(_SEVERITIES[row["risk"]] if row["referred"] else 1),
    )
    return (
        "|".join(in_header(part) for part in header)
        + "|"
        + " ".join(f"{key}={in_extension(value)}" for key, value in _fields(row, facts))
    )


def event_of(row: Row) -> tuple[str, str]:
    if row["referred"]:
        return "referred", "File that tells of somebody's health"
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


def _fields(row: Row, facts: ScanFacts) -> list[tuple[str, Any]]:
    rules = " ".join(sorted({hit["rule"] for hit in row["rules"] or ()}))
    told = [
        ("rt", int(facts.finished.timestamp() * 1000)),
        ("externalId", facts.scan_id),
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
        ("cs2", "rules", rules),
        ("cs3", "characteristics", counted(row)),
        ("cs4", "evidence", "; ".join(masked(row, _EVIDENCE))),
        ("cn1", "persons", row["persons"] or 0),
    )
    for key, label, value in labelled:
        if value != "":
            told += [(f"{key}Label", label), (key, _cut(value) if isinstance(value, str) else value)]
    return [(key, value) for key, value in told if value != ""]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
