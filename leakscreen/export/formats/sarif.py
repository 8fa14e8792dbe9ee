"""Rows -> one SARIF 2.1.0 log: a result for each file, worst as errors."""

import json
import os
from collections.abc import Iterable
from typing import Any, BinaryIO
from urllib.parse import quote

from core.records import EXAMINED
from leakscreen.export.rows import ExportedScan, Row, counted, masked, nearest_rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FILE_RULE = "phi"  # for files that no screening rule found
_LEVELS = {"high": "error", "medium": "warning", "low": "note", "none": "note"}
_EVIDENCE = 20


def write(rows: Iterable[Row], scan: ExportedScan, sink: BinaryIO) -> None:
    """Result by result, so that memory stays flat."""
    ids = (*scan.rules, *(() if FILE_RULE in scan.rules else (FILE_RULE,)))
    numbers = {rule: number for number, rule in enumerate(ids)}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [{**_run(scan, ids), "results": []}]}
    before, _, after = json.dumps(log).rpartition("[]")
    sink.write(before.encode() + b"[")
    for number, row in enumerate(rows):
        sink.write((b"," if number else b"") + b"\n" + json.dumps(_result(row, numbers)).encode())
    sink.write(b"\n]" + after.encode() + b"\n")


def _run(scan: ExportedScan, ids: Iterable[str]) -> dict[str, Any]:
    rules = [{"id": rule, "shortDescription": {"text": _about(rule)}} for rule in ids]
    return {
        "tool": {"driver": {"name": "leakscreen", "version": scan.version, "rules": rules}},
        "automationDetails": {"id": f"leakscreen/{scan.scan_id}"},
        "invocations": [
            {
                "executionSuccessful": True,
                "startTimeUtc": f"{scan.started:%Y-%m-%dT%H:%M:%SZ}",
                "endTimeUtc": f"{scan.finished:%Y-%m-%dT%H:%M:%SZ}",
            }
        ],
        "columnKind": "unicodeCodePoints",
    }


def _about(rule: str) -> str:
    return "The file contains someone's health information" if rule == FILE_RULE else f"Screening rule {rule}"


def _result(row: Row, numbers: dict[str, int]) -> dict[str, Any]:
    """A file that was not examined, or not judged for its language, is open, never passed."""
    rule = nearest_rule(row) or FILE_RULE
    rule = rule if rule in numbers else FILE_RULE
    is_clear = (row["status"] in EXAMINED and row["judged"] is not False) or row["status"] == "container"
    kind = "fail" if row["referred"] else "pass" if is_clear else "open"
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": numbers[rule],
        "kind": kind,
        "level": _LEVELS[row["risk"]] if kind == "fail" else "none",
        "message": {"text": _message(row, kind)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(row["uri"])}}}],
        "properties": {
            "risk": row["risk"],
            "status": row["status"],
            "mediaType": row["media_type"],
            "persons": row["persons"],
            "healthDistance": row["health_distance"],
            "characteristics": row["pii_counts"] or {},
            "evidence": masked(row, _EVIDENCE),
        },
    }
    if row["sha256"]:
        result["fingerprints"] = {"contentSha256/v1": row["sha256"]}
    return result


def _message(row: Row, kind: str) -> str:
    if kind == "open":
        return f"Not examined ({row['status']}): {row['reason'] or 'no reason was given'}."
    if kind == "pass":
        return "Not referred."
    return f"Contains someone's health information; risk {row['risk']}. Found: {counted(row)}."


def _uri(name: str) -> str:
    return (
        "file://" + quote(name, safe="/!", errors="backslashreplace")
        if os.path.isabs(name)
        else quote(name, safe="/!:?&=", errors="backslashreplace")
    )
