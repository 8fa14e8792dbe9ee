"""`leakscreen sample`: a scan -> a sheet of files to verify, drawn at random, with the probability that each had."""

import csv
import hashlib
import heapq
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

from core.columns import Reader, names_for
from core.errors import LabelError, OutputError
from core.records import EXAMINED

COLUMNS = ("uri", "phi", "stratum", "probability", "scan_id")
_READ = names_for(Reader.SHEET)
_EXAMINED = frozenset(status.value for status in EXAMINED)
_AT_LEAST = 2  # files of a stratum, so that its spread can be told


def run(scan: str, files: int, by_risk: bool, negatives: bool, seed: int, out: Path | None) -> None:
    from pipelines.results.folder import open_scan

    folder = open_scan(scan)
    sizes = Counter(stratum for _, stratum in _frame(folder, by_risk, negatives))
    if not sizes:
        raise LabelError(
            f"{folder.uri}: no file was screened {'negative' if negatives else 'positive'}, so there is nothing to draw"
        )
    shares = allocate(sizes, files)
    drawn: dict[str, list[tuple[bytes, str]]] = {stratum: [] for stratum in sizes}
    for uri, stratum in _frame(folder, by_risk, negatives):
        _keep_smallest(drawn[stratum], (_inverted(seed, uri), uri), shares[stratum])
    rows = [
        (uri, "", stratum, Fraction(shares[stratum], sizes[stratum]), folder.scan_id)
        for stratum in sorted(drawn)
        for _, uri in sorted(drawn[stratum], reverse=True)
    ]
    _write(rows, out)
    told = f"{len(rows):,} of {sum(sizes.values()):,} screened-{'negative' if negatives else 'positive'} files drawn"
    print(f"{told}; fill in the column phi with yes or no", file=sys.stderr)


def allocate(sizes: Mapping[str, int], files: int) -> dict[str, int]:
    """As many files of each stratum as its share of all, but at least two, or all that there are."""
    everything = sum(sizes.values())
    return {stratum: min(size, max(_AT_LEAST, round(files * size / everything))) for stratum, size in sizes.items()}


def _frame(folder: Any, by_risk: bool, negatives: bool) -> Iterator[tuple[str, str]]:
    for row in folder.rows(_READ):
        if row["status"] in _EXAMINED and row["screened_positive"] != negatives:
            yield row["uri"], row["risk"] if by_risk else ""


def _inverted(seed: int, uri: str) -> bytes:
    """A number that the seed and the file decide alone, so that the draw depends on neither order nor machine."""
    digest = hashlib.sha256(f"{seed}\0{uri}".encode("utf-8", "surrogatepass")).digest()
    return bytes(255 - byte for byte in digest)


def _keep_smallest(heap: list[tuple[bytes, str]], entry: tuple[bytes, str], most: int) -> None:
    """The heap's first entry is the largest of the kept numbers, since they are inverted."""
    if len(heap) < most:
        heapq.heappush(heap, entry)
    else:
        heapq.heappushpop(heap, entry)


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
