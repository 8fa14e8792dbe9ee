"""A file of verified labels (CSV or JSON lines) -> file URI to PHI or not."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import LabelError

YES = frozenset({"yes", "true", "1"})
NO = frozenset({"no", "false", "0"})
COLUMNS = ("uri", "phi")


def read_labels(path: Path | str) -> dict[str, bool]:
    """Reads labels; whatever cannot be one is named with its line, and nothing is guessed."""
    text = _read(Path(path))
    rows = _json_rows(path, text) if text.lstrip().startswith("{") else _csv_rows(path, text)
    labels: dict[str, bool] = {}
    for line, uri, phi in rows:
        label = _label(path, line, phi)
        if labels.setdefault(uri, label) != label:
            raise LabelError(f"{path}: line {line}: {uri} was labelled {_word(not label)} before and {_word(label)} here; keep one of them")
    if not labels:
        raise LabelError(f"{path}: there is no label in it; expected the columns {' and '.join(COLUMNS)} and a line for each verified file")
    return labels


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise LabelError(f"{path}: labels cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise LabelError(f"{path}: labels must be UTF-8; byte {error.start} is not") from None


def _csv_rows(path: Path | str, text: str) -> Iterator[tuple[int, str, object]]:
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        if not header:
            return
        missing = [name for name in COLUMNS if name not in header]
        if missing:
            raise LabelError(f"{path}: line 1: the header lacks {' and '.join(missing)}; it must name {' and '.join(COLUMNS)}")
        uri, phi = header.index("uri"), header.index("phi")
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) <= max(uri, phi) or not row[uri]:
                raise LabelError(f"{path}: line {reader.line_num}: uri or phi is missing")
            yield reader.line_num, row[uri], row[phi]
    except csv.Error as error:
        raise LabelError(f"{path}: line {reader.line_num}: not a line of CSV: {error}") from None


def _json_rows(path: Path | str, text: str) -> Iterator[tuple[int, str, object]]:
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            row: Any = json.loads(content)
        except ValueError:
            raise LabelError(f"{path}: line {line}: not a JSON object") from None
        if not isinstance(row, dict):
            raise LabelError(f"{path}: line {line}: not a JSON object")
        missing = [name for name in COLUMNS if name not in row]
        if missing:
            raise LabelError(f"{path}: line {line}: {' and '.join(missing)} is missing")
        if not isinstance(row["uri"], str) or not row["uri"]:
            raise LabelError(f"{path}: line {line}: uri must be a text")
        yield line, row["uri"], row["phi"]


def _label(path: Path | str, line: int, value: object) -> bool:
    word = str(value).strip().lower()
    if word in YES:
        return True
    if word in NO:
        return False
    raise LabelError(f"{path}: line {line}: phi must be yes or no (or true, false, 1, 0)")


def _word(label: bool) -> str:
    return "yes" if label else "no"
