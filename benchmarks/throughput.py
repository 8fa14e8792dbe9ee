"""Throughput of `leakscreen scan` against the plain loop on many small files: `python -m benchmarks.throughput`."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.process_tree import measure
from leakscreen.share import make_small_files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="both run this often, in turn; the best of each counts")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder, "share")
        make_small_files(share, given.files)
        scan = [sys.executable, "-m", "leakscreen", "scan", str(share), "--workers", str(given.workers), "--quiet", "--out"]
        plain = [sys.executable, "-m", "benchmarks.plain_loop", str(share)]
        scans, loops = [], []
        for turn in range(given.rounds):
            scans.append(measure([*scan, f"{folder}/scan-{turn}"]).seconds)
            loops.append(measure([*plain, f"{folder}/plain-{turn}", str(given.workers)]).seconds)
        busy = min(_pipeline_seconds(Path(folder, f"scan-{turn}")) for turn in range(given.rounds))
    best_scan, best_loop = min(scans), min(loops)
    print(f"{given.files:,} small files, {given.workers} workers, best of {given.rounds}, whole commands from start to exit:")
    print(f"  leakscreen scan  {best_scan:6.1f} s  {given.files / best_scan:8,.0f} files/s (pipeline alone {busy:.1f} s)")
    print(f"  plain loop       {best_loop:6.1f} s  {given.files / best_loop:8,.0f} files/s")
    print(f"  ratio            {best_loop / best_scan:6.2f}      (goal: at least 0.85)")


def _pipeline_seconds(out: Path) -> float:
    (summary,) = out.glob("scan=*/summary.json")
    return float(json.loads(summary.read_text())["seconds"])


if __name__ == "__main__":
    main()
