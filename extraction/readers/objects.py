"""Nested maps and lists of values -> one line a value, and the files among the values."""

from datetime import datetime
from typing import Any

from extraction.readers.text.strings import narrow_runs

SMALLEST_FILE = 16
_URL = "WebResourceURL"  # of a file in a web archive


def object_lines(top: Any) -> tuple[list[str], list[tuple[str, bytes]]]:
    """Each object once, however often others refer to it; the files with a name, if they have one."""
    lines: list[str] = []
    files: list[tuple[str, bytes]] = []
    waiting: list[tuple[str, str, Any]] = [("", "", top)]
    seen: set[int] = set()
    while waiting:
        name, where, value = waiting.pop()
        if isinstance(value, dict | list):
            if id(value) in seen:
                continue
            seen.add(id(value))
            entries = list(value.items()) if isinstance(value, dict) else [(name, entry) for entry in value]
            url = str(value.get(_URL, "")) if isinstance(value, dict) else ""
            waiting += [(str(key), url or where, entry) for key, entry in reversed(entries)]
            if isinstance(value, dict) and lines and lines[-1]:
                lines.append("")
        elif isinstance(value, bytes):
            if len(value) >= SMALLEST_FILE:
                files.append((where, value))
            elif runs := narrow_runs(value):
                lines.append(f"{name}: {runs}")
        elif isinstance(value, str | int | float | datetime) and not isinstance(value, bool):
            lines.append(f"{name}: {value}" if name else str(value))
    return lines, files
