"""A file of verified labels (CSV or JSON lines) -> for each file URI, PHI or not, and the probability of its draw."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from core.errors import LabelError
from evaluation.design import CONTENT, design_of

YES = frozenset({"yes", "true", "1"})
NO = frozenset({"no", "false", "0"})
REQUIRED = ("uri", "phi")
OPTIONAL = ("probability", "stratum", "scan_id", "draw", "unit")


@dataclass(frozen=True, slots=True)
class Label:
    """The verdict on a file; `probability` is that of having been drawn for verification, None if nobody drew.

    `draw` is instead the design of a draw over all stages of a scan, the same on each line, so that nobody who fills
    the sheet in learns from which stage a file is; see evaluation/design.py. `unit` is `content` where all copies of a
    content were drawn as one.
    """

    phi: bool
    probability: Fraction | None = None
    stratum: str = ""
    scan_id: str = ""
    draw: str = ""
    unit: str = ""

    @property
    def is_drawn(self) -> bool:
        return self.probability is not None or bool(self.draw)


def read_labels(path: Path | str) -> dict[str, bool]:
    """PHI or not, per file."""
    return {uri: label.phi for uri, label in read_verified(path).items()}


def read_verified(path: Path | str) -> dict[str, Label]:
    """Reads labels; whatever cannot be one is named with its line, and nothing is guessed."""
    try:
        with Path(path).open("rb") as file:
            return gather(path, parse(path, file))
    except OSError as error:
        raise LabelError(f"{path}: labels cannot be read: {error.strerror}") from None


def gather(path: Path | str, rows: Iterable[tuple[int, str, Label]]) -> dict[str, Label]:
    """Rows -> labels by file; a file that is labelled twice must be labelled alike."""
    labels: dict[str, Label] = {}
    drawn = None
    for line, uri, label in rows:
        before = labels.setdefault(uri, label)
        if before != label:
            raise LabelError(f"{path}: line {line}: {contradiction(uri, before, label)}; keep one of them")
        drawn = label.is_drawn if drawn is None else drawn
        if drawn != label.is_drawn:
            raise LabelError(
                f"{path}: line {line}: some lines have a probability and some have none; give all of them one, or none"
            )
    if not labels:
        raise LabelError(
            f"{path}: there is no label in it; "
            f"expected the columns {' and '.join(REQUIRED)} and a line for each verified file"
        )
    return labels


def contradiction(uri: str, before: Label, label: Label) -> str:
    if before.phi != label.phi:
        return f"{uri} was labelled {_word(before.phi)} before and {_word(label.phi)} here"
    return f"{uri} was listed before with another probability, stratum or scan"


def parse(path: Path | str, lines: Iterable[bytes]) -> Iterator[tuple[int, str, Label]]:
    """Line number, uri and label, one after the other, so that a file of any size can be read."""
    for line, row in table_rows(path, lines):
        yield line, row["uri"], _label(path, line, row)


def table_rows(path: Path | str, lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of CSV or of JSON lines, by column; each has a uri and a column phi."""
    decoded = _decoded(path, lines)
    blank = []
    for first in decoded:
        blank.append(first)
        if first.strip():
            whole = chain(blank, decoded)
            is_json = first.lstrip().startswith("{")
            yield from _json_rows(path, whole) if is_json else _csv_rows(path, whole, _separator(first))
            return


def label_of(path: Path | str, line: int, row: Mapping[str, Any]) -> Label:
    """A row of a table with the columns of a labels file -> its label."""
    if not isinstance(row.get("uri"), str) or not row["uri"]:
        _refuse(path, line, "uri must be a text")
    return _label(path, line, row)


def _decoded(path: Path | str, lines: Iterable[bytes]) -> Iterator[str]:
    before = 0
    for number, line in enumerate(lines):
        try:
            yield line.decode("utf-8-sig" if number == 0 else "utf-8")
        except UnicodeDecodeError as error:
            raise LabelError(
                f"{path}: labels must be UTF-8; byte {before + error.start} is not; save it as CSV in UTF-8"
            ) from None
        before += len(line)


def _csv_rows(path: Path | str, lines: Iterable[str], separator: str) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        header: list[str] = []
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if not header:
                header = _header(path, reader.line_num, row)
                continue
            named = dict(zip(header, row, strict=False))
            if not named.get("uri") or "phi" not in named:
                _refuse(path, reader.line_num, "uri or phi is missing")
            yield reader.line_num, named
    except csv.Error as error:
        _refuse(path, reader.line_num, f"not a line of CSV: {error}")


def _separator(header: str) -> str:
    """Spreadsheets of some countries write semicolons, because there the comma is in numbers."""
    for separator in (";", "\t"):
        if {*REQUIRED} <= {name.strip().strip('"').lower() for name in header.split(separator)}:
            return separator
    return ","


def _header(path: Path | str, line: int, row: list[str]) -> list[str]:
    header = [name.strip().lower() for name in row]
    missing = [name for name in REQUIRED if name not in header]
    if missing:
        _refuse(path, line, f"the header lacks {' and '.join(missing)}; it must name {' and '.join(REQUIRED)}")
    return header


def _json_rows(path: Path | str, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, content in enumerate(lines, start=1):
        if not content.strip():
            continue
        try:
            row: Any = json.loads(content, parse_float=str)
        except ValueError:
            _refuse(path, line, "not a JSON object")
        if not isinstance(row, dict):
            _refuse(path, line, "not a JSON object")
        missing = [name for name in REQUIRED if name not in row]
        if missing:
            _refuse(path, line, f"{' and '.join(missing)} is missing")
        if not isinstance(row["uri"], str) or not row["uri"]:
            _refuse(path, line, "uri must be a text")
        yield line, row


def _label(path: Path | str, line: int, row: Mapping[str, Any]) -> Label:
    probability = _probability(path, line, row.get("probability"))
    stratum, scan_id, draw, unit = (str(row.get(name) or "").strip() for name in ("stratum", "scan_id", "draw", "unit"))
    if unit not in ("", CONTENT):
        _refuse(path, line, f"unit must be empty or {CONTENT}")
    if draw:
        _check_design(path, line, draw, probability)
    if stratum and probability is None:
        _refuse(
            path, line, "a stratum needs a probability: the share of the stratum's files that was drawn, such as 50/127"
        )
    return Label(_phi(path, line, row["phi"]), probability, stratum, scan_id, draw, unit)


def _check_design(path: Path | str, line: int, draw: str, probability: Fraction | None) -> None:
    if probability is not None:
        _refuse(path, line, "a draw has its own probabilities; leave the column probability empty")
    try:
        design_of(draw)
    except ValueError:
        _refuse(path, line, "draw must be as `leakscreen sample` writes it")


def _phi(path: Path | str, line: int, value: object) -> bool:
    word = "" if value is None else str(value).strip().lower()
    if not word:
        _refuse(path, line, "phi is empty; write yes or no, or remove the lines that nobody has judged")
    if word in YES:
        return True
    if word not in NO:
        _refuse(path, line, "phi must be yes or no (or true, false, 1, 0)")
    return False


def _probability(path: Path | str, line: int, value: object) -> Fraction | None:
    """Decimals and fractions such as 50/127 are kept exactly, so that sums do not depend on their order."""
    if value is None or not str(value).strip():
        return None
    try:
        probability = Fraction(str(value).strip())
    except (ValueError, ZeroDivisionError):
        _refuse(path, line, "probability must be a number such as 0.25, or a fraction such as 50/127")
    if not 0 < probability <= 1:
        _refuse(path, line, "probability must be above 0 and at most 1")
    return probability


def _refuse(path: Path | str, line: int, why: str) -> NoReturn:
    raise LabelError(f"{path}: line {line}: {why}")


def _word(label: bool) -> str:
    return "yes" if label else "no"
