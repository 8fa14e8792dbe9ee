"""Scans with known truth, verified by design -> how often the 95 % intervals of TDP, FRP and rTPF contain it.

`python -m benchmarks.simulate_rates [--runs 2000] [--plot docs/benchmarks/coverage.svg]`: each run draws files from a
source with known rates, screens them with two rules, draws the verified sample by the design, and measures it. The
source is a model of the three published prevalences or, with `--scan DIR --labels TRUTH --rules A B`, the records of a
scanned share with known truth.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from evaluation.comparison import PATTERNS, PairCounts, cell, compare
from evaluation.labels import read_labels
from evaluation.sampling import NOT_PHI, PHI, Stratum, sampled_interval
from leakscreen.benchmarking.dot_plot import Dot, dot_plot
from pipelines.results.folder import open_scan

PREVALENCES = (0.0044, 0.0098, 0.165)
CELLS = [cell(truth, pattern) for truth in (PHI, NOT_PHI) for pattern in PATTERNS]
WANTED = (0.93, 0.97)
# PHI files flagged by both rules, by the first only, by the second only; the same for the others; the rest by neither.
FLAGGED = {PHI: (0.60, 0.20, 0.10), NOT_PHI: (0.03, 0.02, 0.02)}
# How likely a flagged file is to be in the stratum of high risk.
HIGH_RISK = {PHI: 0.85, NOT_PHI: 0.25}


@dataclass(frozen=True, slots=True)
class Design:
    """How many files are scanned, and which share of the flagged ones is verified, by stratum of risk."""

    name: str
    files: int
    high: Fraction
    low: Fraction

    @property
    def one_stratum(self) -> bool:
        return self.high == self.low


@dataclass(frozen=True, slots=True)
class Source:
    """Where files come from: the probability of each truth (PHI or not), risk and pattern of the two rules."""

    prevalence: float
    shares: tuple[float, ...]

    @property
    def truths(self) -> dict[str, float]:
        table = np.reshape(self.shares, (2, 2, len(PATTERNS))).sum(axis=1)
        both, first, second = table[0]
        return {"TDP": both + first, "FRP": table[1][0] + table[1][1], "rTPF": (both + first) / (both + second)}


def modelled(prevalence: float) -> Source:
    return Source(
        prevalence,
        tuple(
            share * flagged * risk
            for truth, share in ((PHI, prevalence), (NOT_PHI, 1 - prevalence))
            for risk in (HIGH_RISK[truth], 1 - HIGH_RISK[truth])
            for flagged in FLAGGED[truth]
        ),
    )


def scanned(scan: str, labels: Path, first: str, second: str) -> Source:
    """The records of a scanned share, each with its truth."""
    truth, counts, n = read_labels(labels), Counter[tuple[str, bool, str]](), 0
    for row in open_scan(scan).rows(("uri", "status", "rules", "risk")):
        if row["status"] not in ("complete", "partial"):
            continue
        n += 1
        fired = {hit["rule"] for hit in row["rules"]} & {first, second}
        if fired:
            pattern = "both" if len(fired) == 2 else "first" if first in fired else "second"
            counts[PHI if truth.get(row["uri"]) else NOT_PHI, row["risk"] == "high", pattern] += 1
    kinds = ((of, high, pattern) for of in (PHI, NOT_PHI) for high in (True, False) for pattern in PATTERNS)
    return Source(sum(truth.values()) / n, tuple(counts[kind] / n for kind in kinds))


DESIGNS = (
    Design("20,000 files, all verified", 20_000, Fraction(1), Fraction(1)),
    Design("20,000 files, half verified", 20_000, Fraction(1, 2), Fraction(1, 2)),
    Design("20,000 files, a quarter verified", 20_000, Fraction(1, 4), Fraction(1, 4)),
    Design("20,000 files, high risk all, low a fifth", 20_000, Fraction(1), Fraction(1, 5)),
    Design("20,000 files, high risk half, low a tenth", 20_000, Fraction(1, 2), Fraction(1, 10)),
    Design("5,000 files, half verified", 5_000, Fraction(1, 2), Fraction(1, 2)),
    Design("450 files, all verified", 450, Fraction(1), Fraction(1)),
    Design("450 files, half verified", 450, Fraction(1, 2), Fraction(1, 2)),
)


@dataclass(frozen=True, slots=True)
class Coverage:
    design: str
    prevalence: float
    figure: str
    runs: int
    undefined: int
    covered: float | None
    expected_verified_phi: float


def simulate(design: Design, source: Source, runs: int, dice: np.random.Generator) -> Iterator[Coverage]:
    wanted = source.truths
    held, undefined = dict.fromkeys(wanted, 0), dict.fromkeys(wanted, 0)
    verified = 0
    for _ in range(runs):
        pair = PairCounts("first", "second", design.files, one_scan(design, source, dice))
        verified += sum(pair.verified(PHI, pattern) for pattern in PATTERNS)
        limits = {
            "TDP": sampled_interval(_first_rule(pair.strata), PHI, design.files),
            "FRP": sampled_interval(_first_rule(pair.strata), NOT_PHI, design.files),
            "rTPF": compare(pair).rtpf.interval,
        }
        for figure, interval in limits.items():
            undefined[figure] += interval is None
            held[figure] += interval is not None and interval[0] <= wanted[figure] <= interval[1]
    for figure in wanted:
        defined = runs - undefined[figure]
        covered = held[figure] / defined if defined else None
        yield Coverage(design.name, source.prevalence, figure, runs, undefined[figure], covered, verified / runs)


def one_scan(design: Design, source: Source, dice: np.random.Generator) -> tuple[Stratum, ...]:
    """The cells of the verified files by stratum: first the files of a scan, then a draw among the flagged ones."""
    counts = dice.multinomial(design.files, [*source.shares, 1 - sum(source.shares)])[:-1].reshape(2, 2, len(PATTERNS))
    by_stratum = {"high": counts[:, 0].reshape(-1), "low": counts[:, 1].reshape(-1)}
    if design.one_stratum:
        by_stratum = {"": by_stratum["high"] + by_stratum["low"]}
    rates = {"high": design.high, "low": design.low, "": design.high}
    return tuple(stratum for name, cells in by_stratum.items() if (stratum := _drawn(name, cells, rates[name], dice)))


def _drawn(
    name: str, cells: "np.ndarray[tuple[int], np.dtype[np.int64]]", share: Fraction, dice: np.random.Generator
) -> Stratum | None:
    size = int(cells.sum())
    if size == 0:
        return None
    drawn = max(1, round(size * share))
    coverages = dice.multivariate_hypergeometric(cells, drawn)
    return Stratum(name, Fraction(drawn, size), drawn, dict(zip(CELLS, coverages.tolist(), strict=True)))


def _first_rule(strata: tuple[Stratum, ...]) -> tuple[Stratum, ...]:
    """The strata as they look to the first rule alone."""
    return tuple(
        Stratum(
            stratum.name,
            stratum.probability,
            stratum.verified,
            {
                truth: stratum.cells[cell(truth, "both")] + stratum.cells[cell(truth, "first")]
                for truth in (PHI, NOT_PHI)
            },
        )
        for stratum in strata
    )


def plot(coverages: list[Coverage]) -> str:
    dots = [
        Dot(f"{row.design}, {100 * row.prevalence:.3g} %", row.covered, group=row.figure)
        for row in coverages
        if row.covered is not None
    ]
    title = f"How often 95 % intervals hold the truth ({coverages[0].runs:,} runs each; wanted: 0.93 to 0.97)"
    return dot_plot(title, dots, (0.88, 1.0), (0.88, 0.90, 0.93, 0.95, 0.97, 1.0), WANTED)


def table(coverages: list[Coverage]) -> str:
    lines = ["| design | prevalence | verified PHI files, mean | TDP | FRP | rTPF |", "|---|---|---|---|---|---|"]
    for design, prevalence in dict.fromkeys((row.design, row.prevalence) for row in coverages):
        rows = {row.figure: row for row in coverages if (row.design, row.prevalence) == (design, prevalence)}
        shares = " | ".join("–" if row.covered is None else f"{row.covered:.3f}" for row in rows.values())
        lines.append(f"| {design} | {100 * prevalence:.3g} % | {rows['TDP'].expected_verified_phi:.1f} | {shares} |")
    return "\n".join(lines)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    words.add_argument("--runs", type=int, default=2_000)
    words.add_argument("--seed", type=int, default=20)
    words.add_argument("--scan", help="a scanned share, instead of the model")
    words.add_argument("--labels", type=Path, help="the share's truth")
    words.add_argument("--rules", nargs=2, metavar="RULE", default=("organization-name", "street-address"))
    words.add_argument("--plot", type=Path, help="SVG file to write")
    words.add_argument("--json", type=Path, help="JSON file to write")
    arguments = words.parse_args()
    dice = np.random.default_rng(arguments.seed)
    sources = (
        [scanned(arguments.scan, arguments.labels, *arguments.rules)]
        if arguments.scan
        else [modelled(prevalence) for prevalence in PREVALENCES]
    )
    coverages = [
        row for design in DESIGNS for source in sources for row in simulate(design, source, arguments.runs, dice)
    ]
    print(table(coverages))
    if arguments.plot:
        arguments.plot.write_text(plot(coverages), encoding="utf-8")
    if arguments.json:
        fields = Coverage.__slots__
        arguments.json.write_text(
            json.dumps([{name: getattr(row, name) for name in fields} for row in coverages], indent=1), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
