"""A JSON array, one JSON object or JSON lines -> rows, each with its place in the file."""

import json
from collections.abc import Iterator
from typing import Any

from evaluation.formats.source import Source

Row = tuple[str, Any]


def json_rows(source: Source, text: str) -> Iterator[Row]:
    try:
        whole = json.loads(text)
    except ValueError as error:
        first = text.lstrip().partition("\n")[0]
        if first.startswith("[") and not _is_json(first):
            place = f"line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
            source.refuse(place, "not JSON")
        yield from _lines(source, text)
        return
    if isinstance(whole, list):
        yield from ((f"document {number}", row) for number, row in enumerate(whole, 1))
    else:
        yield "line 1", whole


def _lines(source: Source, text: str) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                source.refuse(f"line {number}", "not a JSON object")
            yield f"line {number}", row


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
