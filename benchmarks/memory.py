"""Peak memory of a scan as the number of files grows: `python -m benchmarks.memory`."""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.process_tree import measure
from leakscreen.demo import make_small_files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    peaks = []
    for files in arguments.files:
        with tempfile.TemporaryDirectory() as folder:
            make_small_files(Path(folder, "share"), files)
            command = [
                sys.executable,
                "-m",
                "leakscreen",
                "scan",
                f"{folder}/share",
                "--workers",
                str(arguments.workers),
                "--quiet",
                "--out",
            ]
            measured = measure([*command, f"{folder}/out"], memory=True)
        peaks.append(measured.peak_bytes)
        print(
            f"  {files:>9,} files  peak {measured.peak_bytes / 1e6:6.0f} MB for all processes  "
            f"{files / measured.seconds:7,.0f} files/s",
            flush=True,
        )
    print(f"  growth {(peaks[-1] - peaks[0]) / 1e6:.0f} MB (goal: under 100 MB)")


if __name__ == "__main__":
    main()
