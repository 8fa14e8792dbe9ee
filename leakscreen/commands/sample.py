"""`leakscreen sample`: a scan -> a sheet of files to verify, drawn at random, with the probability that each had."""

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

from core.columns import Reader, names_for
from core.errors import LabelError, OutputError
from core.records import EXAMINED
from evaluation.draw import Reservoir, allocate

COLUMNS = ("uri", "phi", "stratum", "probability", "scan_id")
_READ = names_for(Reader.SHEET)
_EXAMINED = frozenset(status.value for status in EXAMINED)
_AT_LEAST = 2  # files of a stratum, so that its variance can be estimated


def run(scan: str, files: int, by_risk: bool, negatives: bool, seed: int, out: Path | None) -> None:
    from pipelines.results.folder import open_scan

    folder = open_scan(scan)
    sizes = Counter(stratum for _, stratum in _frame(folder, by_risk, negatives))
    if not sizes:
        raise LabelError(
            f"{folder.uri}: no file was screened {'negative' if negatives else 'positive'}, so there is nothing to draw"
        )
    shares = allocate(sizes, files, _AT_LEAST)
    strata = {stratum: Reservoir(share, seed) for stratum, share in shares.items()}
    for uri, stratum in _frame(folder, by_risk, negatives):
        strata[stratum].offer(uri)
    rows = [
        (uri, "", stratum, Fraction(shares[stratum], sizes[stratum]), folder.scan_id)
        for stratum, reservoir in sorted(strata.items())
        for uri in reservoir.drawn()
    ]
    _write(rows, out)
    drawn = f"{len(rows):,} of {sum(sizes.values()):,} screened-{'negative' if negatives else 'positive'} files drawn"
    print(f"{drawn}; fill in the column phi with yes or no", file=sys.stderr)


def _frame(folder: Any, by_risk: bool, negatives: bool) -> Iterator[tuple[str, str]]:
    for row in folder.rows(_READ):
        if row["status"] in _EXAMINED and row["screened_positive"] != negatives:
            yield row["uri"], row["risk"] if by_risk else ""


def _write(rows: list[tuple[Any, ...]], out: Path | None) -> None:
    if out is None:
        _write_rows(sys.stdout, rows)
        return
    try:
        with out.open("x", encoding="utf-8", newline="") as file:
            _write_rows(file, rows)
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {error.strerror}") from None


def _write_rows(file: TextIO, rows: list[tuple[Any, ...]]) -> None:
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    writer.writerows(rows)
