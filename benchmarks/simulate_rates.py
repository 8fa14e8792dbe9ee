"""Scans with known truth, verified by design -> how often each printed 95 % interval contains the truth.

`python -m benchmarks.simulate_rates [--runs 500] [--json FILE] [--plot docs/benchmarks/coverage.svg]`, or in parts
(`--part 1/11 --json 1.json` ..., then `--join *.json`), which gives the same figures: each run draws
contents from a source with known rates, gives them copies or containers, screens them by two rules and a health stage,
draws the verified sample by the design, and measures it with the functions that `leakscreen evaluate` calls. A second
table shows what binomial intervals cover that take copies for files of their own.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from multiprocessing import Pool
from pathlib import Path

from benchmarks.simulation.coverage import WANTED, Coverage, ignoring_copies, outside, simulate
from benchmarks.simulation.designs import COPIED, DESIGNS, PREVALENCES, Design
from leakscreen.benchmarking.dot_plot import Dot, dot_plot


def plot(coverages: Sequence[Coverage]) -> str:
    dots = [
        Dot(f"{row.design}, {100 * row.prevalence:.3g} %", row.covered, group=row.figure)
        for row in coverages
        if row.covered is not None
    ]
    runs = " or ".join(f"{number:,}" for number in sorted({row.runs for row in coverages}))
    title = f"How often 95 % intervals hold the truth ({runs} runs each; wanted: 0.93 to 0.97)"
    return dot_plot(title, dots, (0.88, 1.0), (0.88, 0.90, 0.93, 0.95, 0.97, 1.0), WANTED)


def report(coverages: Sequence[Coverage]) -> str:
    figures = list(dict.fromkeys(row.figure for row in coverages))
    lines = [
        f"| design | prevalence | verified PHI contents, mean | {' | '.join(figures)} |",
        "|---" * (3 + len(figures)) + "|",
    ]
    for design, prevalence in dict.fromkeys((row.design, row.prevalence) for row in coverages):
        rows = {row.figure: row for row in coverages if (row.design, row.prevalence) == (design, prevalence)}
        found = " | ".join(_written(row) for row in rows.values())
        lines.append(f"| {design} | {100 * prevalence:.3g} % | {rows['TDP'].verified_phi:.1f} | {found} |")
    return "\n".join(lines)


def _written(row: Coverage) -> str:
    """In brackets where it rests on few files in most runs."""
    if row.covered is None:
        return "–"
    return f"({row.covered:.3f})" if row.is_small else f"{row.covered:.3f}"


def _job(arguments: tuple[Design, float, int, int]) -> list[Coverage]:
    return simulate(*arguments)


def copied(runs: int, seed: int) -> Iterator[str]:
    """What copies do to an interval that does not know of them, and to ours."""
    yield "| copies | binomial over files | TDP |"
    yield "|---|---|---|"
    for design in COPIED:
        plain, ours = simulate(design, PREVALENCES[1], runs, seed, ignoring_copies)
        yield f"| {design.name} | {plain.covered:.3f} | {ours.covered:.3f} |"


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--runs", type=int, default=500)
    words.add_argument("--seed", type=int, default=20)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--only", default="", help="designs with this in their names")
    words.add_argument("--part", default="1/1", metavar="K/N", help="every Nth design from the Kth on, to be joined")
    words.add_argument("--join", nargs="+", type=Path, default=[], metavar="JSON", help="parts that were measured")
    words.add_argument("--plot", type=Path, help="SVG file to write")
    words.add_argument("--json", type=Path, help="JSON file to write")
    arguments = words.parse_args()
    coverages = joined(arguments.join) if arguments.join else measured(arguments)
    print(report(coverages))
    for row in outside(coverages):
        print(f"outside: {row.design}, {row.prevalence}, {row.figure}: {row.covered}")
    if not arguments.only and arguments.part == "1/1":
        print("", *copied(arguments.runs, arguments.seed), sep="\n")
    if arguments.plot:
        arguments.plot.write_text(plot(coverages), encoding="utf-8")
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in coverages], indent=1), encoding="utf-8")


def measured(arguments: argparse.Namespace) -> list[Coverage]:
    """A design has the same dice alone, in a part and among all."""
    part, parts = map(int, arguments.part.split("/"))
    jobs = [
        (design, prevalence, arguments.runs, arguments.seed + number)
        for number, (design, prevalence) in enumerate((one, share) for one in DESIGNS for share in PREVALENCES)
        if arguments.only in design.name and DESIGNS.index(design) % parts == part - 1
    ]
    with Pool(arguments.processes) as pool:
        return [row for rows in pool.map(_job, jobs, chunksize=1) for row in rows]


def joined(files: Sequence[Path]) -> list[Coverage]:
    rows = [Coverage(**row) for file in files for row in json.loads(file.read_text(encoding="utf-8"))]
    order = [design.name for design in DESIGNS]
    return sorted(rows, key=lambda row: (order.index(row.design), row.prevalence))


if __name__ == "__main__":
    main()
