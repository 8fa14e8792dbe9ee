"""Rows -> JSON lines, one object a file."""

import json
from collections.abc import Iterable
from typing import BinaryIO

from leakscreen.export.rows import Row, ScanFacts


def write(rows: Iterable[Row], facts: ScanFacts, sink: BinaryIO) -> None:
    """ASCII only, so that no name can break a line or a terminal."""
    for row in rows:
        shown = {**row, "mtime": row["mtime"].isoformat() if row["mtime"] else None}
        sink.write(json.dumps(shown, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n")
