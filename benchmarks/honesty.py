"""Files that hide a patient's letter where scanners do not look -> whether each is referred or said to be unread.

`python -m benchmarks.honesty [GROUP ...]` makes the files, scans them by the real command and prints a table. It
exits with 1 if a file is silent: `complete` and not referred although it leaks, or not `complete`, or referred,
although it hides nothing. To add cases, write a function that yields them and add it to GROUPS.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import pyarrow.parquet as pq

from benchmarks.honesty_cases.appended import appended
from benchmarks.honesty_cases.bad_neighbours import bad_neighbours
from benchmarks.honesty_cases.behind_pictures import behind_pictures
from benchmarks.honesty_cases.case import Case, Group
from benchmarks.honesty_cases.data_files import data_files
from benchmarks.honesty_cases.encoded import encoded
from benchmarks.honesty_cases.in_cells import in_cells
from benchmarks.honesty_cases.in_codes import in_codes
from benchmarks.honesty_cases.in_dicom import in_dicom
from benchmarks.honesty_cases.in_documents import in_documents
from benchmarks.honesty_cases.in_mail import in_mail
from benchmarks.honesty_cases.in_old_office import in_old_office
from benchmarks.honesty_cases.in_pages import in_pages
from benchmarks.honesty_cases.in_parts import in_parts
from benchmarks.honesty_cases.in_pictures import (
    faint,
    photographed,
    picture_formats,
    skewed,
    turned,
    without_letters,
)
from benchmarks.honesty_cases.languages import languages
from benchmarks.honesty_cases.locked import locked
from benchmarks.honesty_cases.plain import plain
from benchmarks.honesty_cases.unseen_in_pdf import unseen_in_pdf

GROUPS: dict[str, Group] = {
    "plain": plain,
    "behind the end": appended,
    "encoded": encoded,
    "pictures in documents": in_documents,
    "locked": locked,
    "bad neighbours": bad_neighbours,
    "languages": languages,
    "pictures in old Office files": in_old_office,
    "pages with more than text": in_pages,
    "unseen in a PDF": unseen_in_pdf,
    "DICOM pixels": in_dicom,
    "codes": in_codes,
    "turned": turned,
    "skewed": skewed,
    "photographed": photographed,
    "faint, small, blurred": faint,
    "picture formats": picture_formats,
    "without letters": without_letters,
    "behind pictures": behind_pictures,
    "data files": data_files,
    "parts of documents": in_parts,
    "mails and cards": in_mail,
    "cells and columns": in_cells,
}
_DONE = (0, 3)  # exit codes of a scan that ran to its end
_READ = frozenset({"complete", "container"})
_COLUMNS = ["uri", "status", "reason", "referred", "chars"]


class Outcome(StrEnum):
    REFERRED = "referred"
    HONEST = "said unread"
    CLEAR = "clear"  # right only if the file hides nothing
    SILENT = "silent"
    FALSE_ALARM = "false alarm"


@dataclass(slots=True)
class Seen:
    """What the scan says of a file, its members and the files beside it."""

    referred: bool = False
    reasons: list[str] = field(default_factory=list)  # of records that are not all read
    chars: int = 0


def write_cases(cases: Iterable[Case], folder: Path) -> dict[Path, Case]:
    """Each case in a folder of its own."""
    written: dict[Path, Case] = {}
    for number, case in enumerate(cases, 1):
        place = folder / f"{number:03}"
        place.mkdir(parents=True)
        for name, data in {case.name: case.data, **case.beside}.items():
            (place / name).write_bytes(data)
        written[place] = case
    return written


def scan(source: Path, out: Path, options: Sequence[str]) -> dict[Path, Seen]:
    """By the folder of the case."""
    command = [sys.executable, "-m", "leakscreen", "scan", str(source), "--quiet", "--out", str(out), *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode not in _DONE:
        raise RuntimeError(f"the scan exited with {done.returncode}: {done.stderr[-2000:]}")
    seen: dict[Path, Seen] = {}
    for unit in out.glob("scan=*/files/*.parquet"):
        schema = pq.read_schema(unit).names
        columns = [*_COLUMNS, *(name for name in ("judged",) if name in schema)]
        for row in pq.read_table(unit, columns=columns).to_pylist():
            entry = seen.setdefault(Path(row["uri"].partition("!")[0]).parent, Seen())
            entry.referred |= bool(row["referred"])
            entry.chars += row["chars"] or 0
            if row["status"] not in _READ:
                entry.reasons.append(f"{row['status']}: {row['reason']}")
            elif row.get("judged") is False:
                entry.reasons.append("not judged")
    return seen


def judge(case: Case, seen: Seen) -> Outcome:
    if not case.leaks:
        return Outcome.FALSE_ALARM if seen.referred or seen.reasons else Outcome.CLEAR
    if seen.referred:
        return Outcome.REFERRED
    return Outcome.HONEST if seen.reasons else Outcome.SILENT


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"only these of: {', '.join(GROUPS)}")
    parser.add_argument("--verbose", action="store_true", help="print what became of every file")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the scan")
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.groups) - GROUPS.keys()
    if unknown:
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    options = [part for setting in chosen.set for part in ("--set", setting)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder).resolve() / "share"
        names = chosen.groups or list(GROUPS)
        written = {name: write_cases(GROUPS[name](), source / name.replace(" ", "-")) for name in names}
        seen = scan(source, Path(folder) / "out", options)
    judged = {
        name: [(case, seen.get(place, Seen()), judge(case, seen.get(place, Seen()))) for place, case in cases.items()]
        for name, cases in written.items()
    }
    return _print(judged, verbose=chosen.verbose)


def _print(judged: dict[str, list[tuple[Case, Seen, Outcome]]], *, verbose: bool) -> int:
    wrong = (Outcome.SILENT, Outcome.FALSE_ALARM)
    print(f"{'group':<28}{'files':>7}" + "".join(f"{outcome:>13}" for outcome in Outcome))
    total: Counter[Outcome] = Counter()
    for name, rows in judged.items():
        counts = Counter(outcome for _, _, outcome in rows)
        total += counts
        _print_row(name, counts)
    _print_row("all", total)
    for name, rows in judged.items():
        for case, entry, outcome in rows:
            if verbose or outcome in wrong:
                said = "; ".join(dict.fromkeys(entry.reasons)) or "complete"
                print(f"{outcome.upper():<12} {name}: {case.name} ({said}, {entry.chars:,} characters read)")
    return int(any(total[outcome] for outcome in wrong))


def _print_row(name: str, counts: Counter[Outcome]) -> None:
    print(f"{name:<28}{counts.total():>7}" + "".join(f"{counts[outcome]:>13}" for outcome in Outcome))


if __name__ == "__main__":
    sys.exit(main())
