"""A scan of an unchanged tree against `find` over the same tree, in turn: `python -m benchmarks.rescan`."""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.process_tree import measure

FIND = ("-printf", "%s %T@ %i\\n")
_IN_FOLDER = 100


def make_tree(folder: Path, files: int) -> None:
    """Small texts, all different, whose times are long past."""
    for number in range(files):
        place = folder / f"{number // (_IN_FOLDER * _IN_FOLDER):04}" / f"{number // _IN_FOLDER:05}"
        if number % _IN_FOLDER == 0:
            place.mkdir(parents=True)
        (place / f"note-{number:07}.txt").write_text(f"Minutes of meeting {number}\nnothing to see here\n" * (1 + number % 5))
    subprocess.run(["find", folder, "-exec", "touch", "-d", "2020-01-01", "{}", "+"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5, help="both run this often, in turn; the best of each counts")
    parser.add_argument("--share", type=Path, help="a tree that is there already, such as one that was scanned into --out")
    parser.add_argument("--out", type=Path, help="results that are there already")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        share, out = given.share or Path(folder, "share"), given.out or Path(folder, "out")
        if given.share is None:
            make_tree(share, given.files)
        scan = [sys.executable, "-m", "leakscreen", "scan", str(share), "--quiet", "--out", str(out)]
        if given.out is None:
            print(f"  first scan        {measure(scan).seconds:8.2f} s", flush=True)
        finds, scans = [], []
        for _ in range(given.rounds):
            finds.append(measure(["find", str(share), *FIND]).seconds)
            scans.append(measure(scan).seconds)
    print(f"  find              {min(finds):8.2f} s")
    print(f"  from many units   {scans[0]:8.2f} s   (the first scan after a full one, measured once)")
    print(f"  re-scan           {min(scans[1:] or scans):8.2f} s")
    print(f"  ratio             {min(scans[1:] or scans) / min(finds):8.2f}     (goal: at most 3)")


if __name__ == "__main__":
    main()
