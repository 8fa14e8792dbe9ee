"""`leakscreen sample`: a scan -> a sheet of files to verify, drawn at random from each stage without naming it."""

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from core.columns import Reader, names_for
from core.errors import LabelError, OutputError
from evaluation.design import CONTENT, FILE, NEGATIVE, STAGES, Design, stratum_of
from evaluation.draw import Reservoir, allocate, chance
from pipelines.measure.units import EXAMINED_STATUSES

COLUMNS = ("uri", "phi", "scan_id", "draw")
_READ = names_for(Reader.SHEET)
_AT_LEAST = 2  # of a stratum, so that its variance can be estimated
_WANTED = {"all": STAGES, "positives": tuple(stage for stage in STAGES if stage != NEGATIVE), "negatives": (NEGATIVE,)}


def run(scan: str, files: int, by_risk: bool, stages: str, seed: int, out: Path | None, unit: str = CONTENT) -> None:
    from pipelines.results.folder import open_scan

    folder = open_scan(scan)
    frame = {
        uri: stratum_of(stage, risk, by_risk)
        for uri, stage, risk, _ in frame_of(folder, unit)
        if stage in _WANTED[stages]
    }
    sizes = Counter(frame.values())
    if not sizes:
        raise LabelError(f"{folder.uri}: the scan has no file of these stages ({stages}), so there is nothing to draw")
    shares = allocate(sizes, files, max(_AT_LEAST, files // len(sizes)))
    reservoirs = {stratum: Reservoir(share, seed) for stratum, share in shares.items()}
    for uri, stratum in frame.items():
        reservoirs[stratum].offer(uri)
    design = Design(unit, {stratum: (shares[stratum], sizes[stratum]) for stratum in sizes})
    drawn = [uri for reservoir in reservoirs.values() for uri in reservoir.drawn()]
    # In an order of its own, so that neighbours on the sheet are of one stage by chance only.
    drawn.sort(key=lambda uri: chance(seed, "sheet", uri))
    _write([(uri, "", folder.scan_id, str(design)) for uri in drawn], out)
    print(
        f"{len(drawn):,} of {sum(sizes.values()):,} {'files on disk' if unit == FILE else 'contents'} drawn;"
        " fill in the column phi with yes or no",
        file=sys.stderr,
    )


def frame_of(folder: Any, unit: str = CONTENT) -> Iterator[tuple[str, str, str, str]]:
    """Each content or file on disk once: the first of its files, its strongest stage, the risk, and its own name."""
    strongest: dict[str, tuple[int, str, str]] = {}
    for row in folder.rows(_READ):
        if row["status"] not in EXAMINED_STATUSES:
            continue
        stage = 0 if row["referred"] else 1 if row["screened_positive"] else 2
        top = (row["container_uri"] or "").partition("!")[0] or row["uri"]
        name = top if unit == FILE else row["sha256"] or row["uri"]
        here = (stage, top if unit == FILE else row["uri"], row["risk"] or "")
        strongest[name] = min(strongest.get(name, here), here)
    for name, (stage, uri, risk) in strongest.items():
        yield uri, STAGES[stage], risk, name


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
