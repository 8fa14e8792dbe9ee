"""A scan of an unchanged tree against `find` over the same tree, in turn: `python -m benchmarks.rescan`."""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

FIND = ("-printf", "%s %T@ %i\\n")
_IN_FOLDER = 100


def make_tree(folder: Path, files: int, in_folder: int = _IN_FOLDER) -> None:
    """Small texts, all different, whose times are long past."""
    for number in range(files):
        place = folder / f"{number // (in_folder * _IN_FOLDER):04}" / f"{number // in_folder:05}"
        if number % in_folder == 0:
            place.mkdir(parents=True)
        (place / f"note-{number:07}.txt").write_text(
            f"Minutes of meeting {number}\nnothing to see here\n" * (1 + number % 5)
        )
    subprocess.run(["find", folder, "-exec", "touch", "-d", "2020-01-01", "{}", "+"], check=True)


def seconds(command: Sequence[str]) -> float:
    """By the clock; what it prints goes nowhere, so that reading it costs nothing."""
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--in-folder", type=int, default=_IN_FOLDER, help="how many of them share a folder")
    parser.add_argument("--rounds", type=int, default=20, help="both run this often, in turn; the best of each counts")
    parser.add_argument(
        "--share", type=Path, help="a tree that is there already, such as one that was scanned into --out"
    )
    parser.add_argument("--out", type=Path, help="results that are there already")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        share, out = arguments.share or Path(folder, "share"), arguments.out or Path(folder, "out")
        if arguments.share is None:
            make_tree(share, arguments.files, arguments.in_folder)
        scan = [sys.executable, "-m", "leakscreen", "scan", str(share), "--quiet", "--out", str(out)]
        if arguments.out is None:
            print(f"  first scan        {seconds(scan):8.2f} s", flush=True)
        pairs = [(seconds(["find", str(share), *FIND]), seconds(scan)) for _ in range(arguments.rounds)]
    finds, scans = [listed for listed, _ in pairs], [scanned for _, scanned in pairs]
    print(f"  find              {min(finds):8.3f} s   (median {median(finds):.3f})")
    print(f"  first re-scan     {scans[0]:8.3f} s   (measured once)")
    print(f"  re-scan           {min(scans):8.3f} s   (median {median(scans):.3f})")
    typical = median(scanned / listed for listed, scanned in pairs)
    print(
        f"  ratio             {min(scans) / min(finds):8.2f}     (goal: at most 3; median of the rounds {typical:.2f})"
    )


if __name__ == "__main__":
    main()
