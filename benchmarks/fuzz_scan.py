"""Broken pictures, pages and DICOM files in a folder, scanned by the real command with OCR -> each has one record.

`python -m benchmarks.fuzz_scan [--mutants 400] [--seed 1] [--kind .png ...]`: exits with 1 if a file has no record or
two, if the scan does not end by itself, or if a file that is whole is not read any more among the broken ones.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pyarrow.parquet as pq

from benchmarks.fuzz import Findings, mutants, picture_cases, report, seeds_of
from benchmarks.honesty import write_cases

_DONE = (0, 3)
_FORMATS = (".png", ".jpg", ".tif", ".webp", ".bmp", ".gif", ".dcm", ".pdf", ".docx", ".svg", ".jp2", ".avif")
_HONEST = "honest.txt"


def broken_folder(seeds: dict[str, list[Path]], count: int, seed: int, folder: Path) -> dict[str, str]:
    """The names of the files written, with the format of each."""
    folder.mkdir()
    kinds = {}
    for number, kind, origin, data in mutants(seeds, range(count), seed):
        name = f"{number:05}_{origin.stem.replace(' ', '-')}{kind}"
        (folder / name).write_bytes(data)
        kinds[name] = kind
    (folder / _HONEST).write_text("an honest file")
    return kinds


def scanned(folder: Path, out: Path, seconds: float) -> list[dict[str, str]]:
    command = [sys.executable, "-m", "leakscreen", "scan", str(folder), "--quiet", "--out", str(out)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=seconds)
    if done.returncode not in _DONE:
        raise SystemExit(f"the scan exited with {done.returncode}: {done.stderr[-2000:]}")
    rows = (pq.read_table(unit, columns=["uri", "status", "reason"]) for unit in out.glob("scan=*/files/*.parquet"))
    return list(chain.from_iterable(table.to_pylist() for table in rows))


def judged(kinds: dict[str, str], rows: Iterable[dict[str, str]]) -> Findings:
    findings = Findings(mutants=len(kinds))
    outer: Counter[str] = Counter()
    for row in rows:
        container, _, member = row["uri"].partition("!")
        name = Path(container).name
        kind = kinds.get(name, "none")
        if row["reason"].startswith("crashed"):
            findings.crashes[kind, row["reason"]] += 1
        elif row["reason"].startswith("timed out"):
            findings.time_outs[kind] += 1
        if not member:
            outer[name] += 1
            findings.by_status[kind, row["status"]] += 1
            if name == _HONEST and row["status"] != "complete":
                findings.broken.append(f"a whole file is {row['status']}")
    findings.broken += [f"{name}: {outer[name]} records" for name in (*kinds, _HONEST) if outer[name] != 1]
    return findings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", help="only files with this ending, such as .png; repeatable")
    parser.add_argument("--seconds", type=float, default=3600, help="within which the scan must end")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve()
        write_cases(picture_cases(), folder / "seeds")
        wanted = arguments.kind or _FORMATS
        seeds = {kind: paths for kind, paths in seeds_of([folder / "seeds"]).items() if kind in wanted}
        kinds = broken_folder(seeds, arguments.mutants, arguments.seed, folder / "broken")
        findings = judged(kinds, scanned(folder / "broken", folder / "out", arguments.seconds))
    report(findings)
    raise SystemExit(bool(findings.broken))


if __name__ == "__main__":
    main()
