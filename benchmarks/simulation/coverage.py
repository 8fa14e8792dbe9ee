"""Many scans by one design -> how often each interval that `leakscreen evaluate` prints holds the truth."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.simulation.designs import RULES, Design, kinds, truths
from benchmarks.simulation.folders import scan_of_folders
from benchmarks.simulation.scans import scan
from evaluation.audit import Fractions, fractions
from evaluation.cells import sums_of
from evaluation.comparison import compare
from evaluation.design import NEGATIVE, REFERRED
from evaluation.estimate import row_rates
from evaluation.keys import ALL
from evaluation.rates import FEW, Interval, interval
from evaluation.tally import Sums

WANTED = (0.93, 0.97)
MOSTLY = 0.5  # a figure of which so many intervals rest on few files, or do not exist, is shown apart

Printed = tuple[Interval | None, bool]  # an interval, and whether it is marked or rests on fewer than ten files


def intervals(sums: Sums) -> dict[str, Printed]:
    rates, tool = row_rates(sums.row(RULES[0])), row_rates(sums.row(REFERRED))
    parts = Fractions(RULES[0])
    if sums.verified_in[NEGATIVE]:  # else there are only bounds, which take time
        parts = fractions(sums.row(RULES[0]), sums.rest(RULES[0]), sums.row(ALL))
    found = compare(sums.pair(*RULES))
    rtpf, rfpf = found.rtpf, found.rfpf
    return {
        "TDP": (rates.tdp_interval, rates.tdp_few or rates.phi < FEW),
        "FRP": (rates.frp_interval, rates.frp_few or rates.not_phi < FEW),
        "tool TDP": (tool.tdp_interval, tool.tdp_few or tool.phi < FEW),
        "coverage": (rates.coverage_interval, False),
        "rTPF": (rtpf.interval, rtpf.few),
        "rFPF": (rfpf.interval, rfpf.few),
        "exchange": (found.exchange.interval, found.exchange.few),
        "P[PHI]": (parts.prevalence_interval, parts.prevalence_few),
        "TPF": (parts.tpf_interval, parts.tpf_few),
        "FPF": (parts.fpf_interval, parts.fpf_few),
    }


def ignoring_copies(sums: Sums) -> dict[str, Printed]:
    """TDP as if every file stood for itself."""
    counts = sums.counts(RULES[0])
    return {"binomial": (interval(counts.phi, counts.n), False), "TDP": intervals(sums)["TDP"]}


@dataclass(frozen=True, slots=True)
class Coverage:
    design: str
    prevalence: float
    figure: str
    runs: int
    undefined: int
    covered: float | None
    few: float  # share of the intervals that rest on few files
    verified_phi: float  # contents, mean of the runs

    @property
    def is_small(self) -> bool:
        return self.few >= MOSTLY or self.undefined >= MOSTLY * self.runs


def simulate(
    design: Design,
    prevalence: float,
    runs: int,
    seed: int,
    measured: Callable[[Sums], Mapping[str, Printed]] = intervals,
) -> list[Coverage]:
    dice = np.random.default_rng(seed)
    wanted = truths(kinds(prevalence), design.copies)
    wanted["binomial"] = wanted["TDP"]
    held, defined, few = Counter[str](), Counter[str](), Counter[str]()
    verified = 0
    for _ in range(runs):
        sums, found = _scanned(design, prevalence, dice)
        verified += found
        for figure, (limits, marked) in measured(sums).items():
            defined[figure] += limits is not None
            few[figure] += marked and limits is not None
            held[figure] += limits is not None and limits[0] <= wanted[figure] <= limits[1]
    return [
        Coverage(
            design.name,
            prevalence,
            figure,
            runs,
            runs - defined[figure],
            held[figure] / defined[figure] if defined[figure] else None,
            few[figure] / defined[figure] if defined[figure] else 0.0,
            verified / runs,
        )
        for figure in defined
    ]


def _scanned(design: Design, prevalence: float, dice: np.random.Generator) -> tuple[Sums, int]:
    if design.folders:
        return scan_of_folders(design, prevalence, dice)
    fired, judged = scan(design, kinds(prevalence), dice)
    return sums_of(fired, judged, RULES), sum(int(cells.contents.sum()) for cells in judged if cells.phi)


def outside(coverages: Sequence[Coverage]) -> Iterator[Coverage]:
    """Those beyond the wanted limits, figures that rest on few files apart."""
    return (
        row
        for row in coverages
        if row.covered is not None and not row.is_small and not WANTED[0] <= row.covered <= WANTED[1]
    )
