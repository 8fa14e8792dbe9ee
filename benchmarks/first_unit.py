"""A folder of a million files -> what it costs until its first work unit is done: `python -m benchmarks.first_unit`.

The scan is then stopped: what is asked is whether one huge folder is listed lazily, and what planning it costs.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.planning_cost import make_files

_SEEN = {"walk begun": "scan=*/.*.walk", "planned": "scan=*/plan.arrow", "first unit": "scan=*/files/unit-*.parquet"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1_000_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make_files(Path(folder, "share"), arguments.files, in_folder=arguments.files)
        milestones = first_unit(Path(folder, "share"), Path(folder, "out"))
    print(
        f"{arguments.files:,} files in one folder: seconds since the start, processor seconds of the "
        f"launcher, memory of "
        "its own in MB"
    )
    for what, (seconds, cpu, memory) in milestones.items():
        print(f"  {what:12} {seconds:7.1f}  {cpu:7.1f}  {memory / 1e6:7.0f}")


def first_unit(share: Path, out: Path) -> dict[str, tuple[float, float, int]]:
    """When each step was first seen, and the most memory up to then."""
    words = ["scan", str(share), "--out", str(out), "--workers", "1", "--quiet"]
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "leakscreen", *words])
    milestones: dict[str, tuple[float, float, int]] = {}
    peak = 0
    while process.poll() is None and "first unit" not in milestones:
        peak = max(peak, _own_memory(process.pid))
        for what, sign in _SEEN.items():
            if what not in milestones and any(out.glob(sign)):
                milestones[what] = time.perf_counter() - began, _cpu_seconds(process.pid), peak
        time.sleep(0.05)
    process.kill()
    process.wait()
    return milestones


def _own_memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon")), 0)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
