"""Rows -> JSON lines, one object a file."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import BinaryIO

from leakscreen.export.rows import ExportedScan, Row


def write(rows: Iterable[Row], scan: ExportedScan, sink: BinaryIO) -> None:
    """ASCII only, so that no name can break a line or a terminal."""
    for row in rows:
        line = json.dumps(row, ensure_ascii=True, separators=(",", ":"), default=_as_text)
        sink.write(line.encode("ascii") + b"\n")


def _as_text(value: datetime) -> str:
    return value.isoformat()
