"""Throughput of `leakscreen scan` against the plain loop on many small files: `python -m benchmarks.throughput`."""

import argparse
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq

from benchmarks.process_tree import measure
from leakscreen.demo import make_small_files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="both run this often, in turn; the best of each counts")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder, "share")
        make_small_files(share, arguments.files)
        scan = [
            sys.executable,
            "-m",
            "leakscreen",
            "scan",
            str(share),
            "--workers",
            str(arguments.workers),
            "--quiet",
            "--out",
        ]
        plain = [sys.executable, "-m", "benchmarks.plain_loop", str(share)]
        scans, loops = [], []
        for turn in range(arguments.rounds):
            scans.append(measure([*scan, f"{folder}/scan-{turn}"]).seconds)
            loops.append(measure([*plain, f"{folder}/plain-{turn}", str(arguments.workers)]).seconds)
        sustained_scan = max(
            _sustained(Path(folder, f"scan-{turn}"), "scan=*/files/*.parquet") for turn in range(arguments.rounds)
        )
        sustained_loop = max(
            _sustained(Path(folder, f"plain-{turn}"), "files/*.parquet") for turn in range(arguments.rounds)
        )
    whole_scan, whole_loop = arguments.files / min(scans), arguments.files / min(loops)
    print(
        f"{arguments.files:,} small files, {arguments.workers} workers, files per second, best of "
        f"{arguments.rounds} each, in turn:"
    )
    print("                     sustained   whole command (imports, models and report included)")
    print(f"  leakscreen scan  {sustained_scan:11,.0f}   {whole_scan:,.0f} ({min(scans):.1f} s)")
    print(f"  plain loop       {sustained_loop:11,.0f}   {whole_loop:,.0f} ({min(loops):.1f} s)")
    print(
        f"  ratio            {sustained_scan / sustained_loop:11.2f}   {whole_scan / whole_loop:.2f}      (goal: at "
        "least 0.85)"
    )


def _sustained(out: Path, pattern: str) -> float:
    """Files per second between the first and the last finished unit, when every worker has started."""
    finished = sorted((unit.stat().st_mtime, pq.read_metadata(unit).num_rows) for unit in out.glob(pattern))
    return float(sum(rows for _, rows in finished[1:]) / (finished[-1][0] - finished[0][0]))


if __name__ == "__main__":
    main()
