"""Scans with known truth, verified by design -> how often each printed 95 % interval contains the truth.

`python -m benchmarks.simulate_rates [--runs 500] [--json FILE] [--plot docs/benchmarks/coverage.svg]`: each run draws
contents from a source with known rates, gives them copies or containers, screens them by two rules and a health stage,
draws the verified sample by the design, and measures it with the functions that `leakscreen evaluate` calls. A second
table shows what binomial intervals cover that take copies for files of their own.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evaluation.audit import fractions
from evaluation.comparison import compare
from evaluation.design import NEGATIVE, REFERRED, SCREENED_ONLY
from evaluation.estimate import row_rates
from evaluation.labels import Label
from evaluation.rates import Interval, interval
from evaluation.tally import (
    _MERGED,
    ALL,
    Examined,
    Judged,
    Key,
    Number,
    Sums,
    container_contributions,
    contents_contributions,
    contributions,
)
from leakscreen.benchmarking.dot_plot import Dot, dot_plot

PREVALENCES = (0.0098, 0.165)
WANTED = (0.93, 0.97)
MOSTLY = 0.5  # a figure that is marked in so many runs is one of those that rest on few contents
RULES = ("first", "second")
# PHI files flagged by both rules, by the first only, by the second only; the same for the others; the rest by neither.
FLAGGED = {True: (0.60, 0.20, 0.10), False: (0.03, 0.02, 0.02)}
REFERRED_SHARE = {True: 0.85, False: 0.25}  # of what was screened positive
HIGH_RISK = {True: 0.85, False: 0.25}
Copies = Mapping[int, float]  # number of copies -> share of contents
ONCE: Copies = {1: 1.0}
THREE: Copies = {3: 1.0}
MIXED: Copies = {1: 0.7, 2: 0.2, 10: 0.1}
HALVING: Copies = {1: 0.5, 2: 0.25, 4: 0.125, 8: 0.0625, 16: 0.0625}


class Kind(NamedTuple):
    """Files that look alike: PHI or not, how far they came, their risk, and which of the two rules fired."""

    phi: bool
    stage: str
    risk: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Design:
    """How many contents are scanned, how often each is there, and which share of each stratum is verified."""

    name: str
    contents: int
    shares: Mapping[str, Fraction]
    copies: Mapping[bool, Copies]
    container: int = 0  # members of a container, half of which stand or fall together

    def share(self, kind: Kind) -> Fraction:
        return self.shares.get(f"{kind.stage}/{kind.risk}", self.shares.get(kind.stage, Fraction(0)))

    def stratum(self, kind: Kind) -> str:
        name = f"{kind.stage}/{kind.risk}"
        return name if name in self.shares else kind.stage


def shares(referred: object, screened: object, negative: object = 0) -> dict[str, Fraction]:
    given = {REFERRED: referred, SCREENED_ONLY: screened, NEGATIVE: negative}
    return {stage: Fraction(str(share)) for stage, share in given.items()}


def by_risk(high: str, low: str) -> dict[str, Fraction]:
    return {
        f"{stage}/{risk}": Fraction(share)
        for stage in (REFERRED, SCREENED_ONLY)
        for risk, share in (("high", high), ("low", low))
    }


def alike(copies: Copies) -> dict[bool, Copies]:
    return {True: copies, False: copies}


def geometric(mean: int) -> Copies:
    """Each further copy is as likely as the one before."""
    shares = {number: (1 - 1 / mean) ** (number - 1) / mean for number in range(1, 8 * mean)}
    return {number: share / sum(shares.values()) for number, share in shares.items()}


BY_STAGE = shares("1/2", "1/4", "1/10")  # of the referred, of the screened only, of the others
DESIGNS = (
    Design("all flagged verified", 10_000, shares(1, 1), alike(ONCE)),
    Design("half of the flagged", 10_000, shares("1/2", "1/2"), alike(ONCE)),
    Design("a quarter of the flagged", 10_000, shares("1/4", "1/4"), alike(ONCE)),
    Design("high risk half, low a tenth", 10_000, by_risk("1/2", "1/10"), alike(ONCE)),
    Design("all flagged, negatives a tenth", 10_000, shares(1, 1, "1/10"), alike(ONCE)),
    Design("three stages: half, a quarter, a tenth", 10_000, BY_STAGE, alike(ONCE)),
    Design("everything verified", 10_000, shares(1, 1, 1), alike(ONCE)),
    Design("three copies each, all flagged", 10_000, shares(1, 1), alike(THREE)),
    Design("three copies each, half of the flagged", 10_000, shares("1/2", "1/2"), alike(THREE)),
    Design("one to ten copies, all flagged", 10_000, shares(1, 1), alike(MIXED)),
    Design("one to ten copies, half of the flagged", 10_000, shares("1/2", "1/2"), alike(MIXED)),
    Design("PHI five times, others once, half", 10_000, shares("1/2", "1/2"), {True: {5: 1.0}, False: ONCE}),
    Design("one to ten copies, three stages", 10_000, BY_STAGE, alike(MIXED)),
    Design("one to sixteen copies, three stages", 10_000, BY_STAGE, alike(HALVING)),
    Design("PHI one to ten times, others once, three stages", 10_000, BY_STAGE, {True: MIXED, False: ONCE}),
    Design("PHI once, others one to ten times, three stages", 10_000, BY_STAGE, {True: ONCE, False: MIXED}),
    Design("one to ten copies, everything verified", 10_000, shares(1, 1, 1), alike(MIXED)),
    Design("containers of ten, all flagged", 5_000, shares(1, 1), alike(ONCE), 10),
    Design("containers of ten, half of the flagged", 5_000, shares("1/2", "1/2"), alike(ONCE), 10),
    Design("containers of ten, three stages", 5_000, BY_STAGE, alike(ONCE), 10),
    Design("450 files, all flagged", 450, shares(1, 1), alike(ONCE)),
    Design("450 files, half of the flagged", 450, shares("1/2", "1/2"), alike(ONCE)),
)
COPIED = (
    Design("three copies each", 3_000, shares(1, 1), alike(THREE)),
    Design("three copies on average", 3_000, shares(1, 1), alike(geometric(3))),
    Design("ten copies each", 3_000, shares(1, 1), alike({10: 1.0})),
    Design("ten copies on average", 3_000, shares(1, 1), alike(geometric(10))),
)


def kinds(prevalence: float) -> dict[Kind, float]:
    """The share of each kind among contents."""
    table: dict[Kind, float] = {}
    patterns = (RULES, RULES[:1], RULES[1:])
    for phi, share in ((True, prevalence), (False, 1 - prevalence)):
        for rules, flagged in zip(patterns, FLAGGED[phi], strict=True):
            for stage, going_on in ((REFERRED, REFERRED_SHARE[phi]), (SCREENED_ONLY, 1 - REFERRED_SHARE[phi])):
                for risk, of_risk in (("high", HIGH_RISK[phi]), ("low", 1 - HIGH_RISK[phi])):
                    table[Kind(phi, stage, risk, rules)] = share * flagged * going_on * of_risk
        table[Kind(phi, NEGATIVE, "none", ())] = share * (1 - sum(FLAGGED[phi]))
    return table


def truths(table: Mapping[Kind, float], copies: Mapping[bool, Copies]) -> dict[str, float]:
    """The figures of the source itself, file by file: a content with more copies counts more."""
    size = {phi: sum(number * share for number, share in of_kind.items()) for phi, of_kind in copies.items()}
    files = {kind: share * size[kind.phi] for kind, share in table.items()}
    everything = sum(files.values())

    def of(wanted: Callable[[Kind], bool]) -> float:
        return sum(share for kind, share in files.items() if wanted(kind)) / everything

    phi = of(lambda kind: kind.phi)
    tdp = of(lambda kind: kind.phi and RULES[0] in kind.rules)
    frp = of(lambda kind: not kind.phi and RULES[0] in kind.rules)
    second = of(lambda kind: kind.phi and RULES[1] in kind.rules)
    tool = of(lambda kind: kind.phi and kind.stage == REFERRED)
    return {
        "TDP": tdp,
        "FRP": frp,
        "tool TDP": tool,
        "rTPF": tdp / second,
        "P[PHI]": phi,
        "TPF": tdp / phi,
        "FPF": frp / (1 - phi),
    }


Printed = tuple[Interval | None, bool]  # an interval, and whether it is marked as estimated from few contents


def intervals(sums: Sums) -> dict[str, Printed]:
    rates, tool = row_rates(sums.row(RULES[0])), row_rates(sums.row(REFERRED))
    parts = fractions(sums.row(RULES[0]), sums.rest(RULES[0]), sums.row(ALL))
    ratio = compare(sums.pair(*RULES)).rtpf
    return {
        "TDP": (rates.tdp_interval, rates.tdp_few),
        "FRP": (rates.frp_interval, rates.frp_few),
        "tool TDP": (tool.tdp_interval, tool.tdp_few),
        "rTPF": (ratio.interval, ratio.few),
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
    few: float  # share of the runs in which the interval was marked
    verified_phi: float  # contents, mean of the runs

    @property
    def is_small(self) -> bool:
        return self.few >= MOSTLY


def simulate(
    design: Design,
    prevalence: float,
    runs: int,
    seed: int,
    measured: Callable[[Sums], Mapping[str, Printed]] = intervals,
) -> list[Coverage]:
    dice = np.random.default_rng(seed)
    table = kinds(prevalence)
    wanted = truths(table, design.copies)
    wanted["binomial"] = wanted["TDP"]
    held, defined, few = Counter[str](), Counter[str](), Counter[str]()
    verified = 0
    scan = in_containers if design.container else with_copies
    for _ in range(runs):
        sums, labelled = scan(design, table, dice)
        verified += labelled
        for figure, (limits, marked) in measured(sums).items():
            defined[figure] += limits is not None
            few[figure] += marked
            held[figure] += limits is not None and limits[0] <= wanted[figure] <= limits[1]
    return [
        Coverage(
            design.name,
            prevalence,
            figure,
            runs,
            runs - defined[figure],
            held[figure] / defined[figure] if defined[figure] else None,
            few[figure] / runs,
            verified / runs,
        )
        for figure in defined
    ]


Scanned = tuple[Sums, int]  # what was measured, and the number of verified PHI contents


def with_copies(design: Design, table: Mapping[Kind, float], dice: np.random.Generator) -> Scanned:
    """Contents of each kind and number of copies are alike, so that one is counted and taken many times."""
    cells = [
        (kind, number, share * of_size)
        for kind, share in table.items()
        for number, of_size in design.copies[kind.phi].items()
    ]
    there = dice.multinomial(design.contents, [share for _, _, share in cells])
    strata: defaultdict[str, list[int]] = defaultdict(list)
    for place, (kind, _, _) in enumerate(cells):
        strata[design.stratum(kind)].append(place)
    counts: defaultdict[Key, Number] = defaultdict(int)
    labelled = 0
    for stratum, places in strata.items():
        size, share = int(there[places].sum()), design.share(cells[places[0]][0])
        drawn = min(size, max(1, round(size * share))) if size and share else 0
        chosen = dice.multivariate_hypergeometric(there[places], drawn) if drawn else np.zeros(len(places), dtype=int)
        for place, taken in zip(places, chosen.tolist(), strict=True):
            kind, copies, _ = cells[place]
            labelled += taken if kind.phi else 0
            label = Label(kind.phi, Fraction(drawn, size), stratum) if drawn else None
            add(counts, kind, copies, None, int(there[place]) - taken)
            add(counts, kind, copies, label, taken)
    return Sums(counts), labelled


def add(counts: defaultdict[Key, Number], kind: Kind, copies: int, label: Label | None, times: int) -> None:
    for key, number in _content(kind, copies, label) if times else ():
        counts[key] += number * times


@lru_cache(maxsize=1 << 14)
def _content(kind: Kind, copies: int, label: Label | None) -> tuple[tuple[Key, Number], ...]:
    """What a content with so many copies adds: all copies are alike, so pairs of them add what two do."""
    file = _file(kind, "x")
    alone = tuple((key, copies) for key in contributions(file, label, RULES))
    pairs = copies * (copies - 1) // 2
    two = contents_contributions([Judged(file, label, "x")] * 2, RULES) if copies > 1 else ()
    return alone + tuple((key, number * (copies - 1 if key[0] == _MERGED else pairs)) for key, number in two)


def _file(kind: Kind, uri: str, container: str = "") -> Examined:
    screened, referred = kind.stage != NEGATIVE, kind.stage == REFERRED
    return Examined(uri, kind.rules, screened, referred, container=container)


def in_containers(design: Design, table: Mapping[Kind, float], dice: np.random.Generator) -> Scanned:
    """Each container has a kind of its own, which its members have one time in two; else theirs are drawn apart."""
    names = list(table)
    chances = np.array(list(table.values()))
    groups = design.contents // design.container
    common = np.repeat(dice.choice(len(names), groups, p=chances), design.container)
    own = dice.choice(len(names), len(common), p=chances)
    of_file = np.where(dice.random(len(common)) < 0.5, common, own).tolist()
    labels = _labels(design, [names[place] for place in of_file], dice)
    counts: defaultdict[Key, Number] = defaultdict(int)
    like: dict[tuple[int, ...], dict[Key, Number]] = {}  # containers whose members look alike add the same
    for low in range(0, len(of_file), design.container):
        places = range(low, low + design.container)
        look = tuple(sorted(2 * of_file[place] + (place in labels) for place in places))
        if look not in like:
            members = [
                Judged(_file(names[of_file[place]], str(place), str(low)), labels.get(place), str(place))
                for place in places
            ]
            like[look] = _container(members)
        for key, number in like[look].items():
            counts[key] += number
    return Sums(counts), sum(label.phi for label in labels.values())


def _container(members: Sequence[Judged]) -> dict[Key, Number]:
    added: defaultdict[Key, Number] = defaultdict(int)
    for file, label, _ in members:
        for key in contributions(file, label, RULES):
            added[key] += 1
    for key, number in container_contributions(members, RULES):
        added[key] += number
    return added


def _labels(design: Design, files: Sequence[Kind], dice: np.random.Generator) -> dict[int, Label]:
    strata: defaultdict[str, list[int]] = defaultdict(list)
    for place, kind in enumerate(files):
        strata[design.stratum(kind)].append(place)
    labels = {}
    for stratum, places in strata.items():
        share = design.share(files[places[0]])
        drawn = min(len(places), max(1, round(len(places) * share))) if share else 0
        for place in dice.choice(places, drawn, replace=False).tolist() if drawn else []:
            labels[place] = Label(files[place].phi, Fraction(drawn, len(places)), stratum)
    return labels


def plot(coverages: Sequence[Coverage]) -> str:
    dots = [
        Dot(f"{row.design}, {100 * row.prevalence:.3g} %", row.covered, group=row.figure)
        for row in coverages
        if row.covered is not None
    ]
    title = f"How often 95 % intervals hold the truth ({coverages[0].runs:,} runs each; wanted: 0.93 to 0.97)"
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
    """In brackets where most runs marked it as estimated from few contents."""
    if row.covered is None:
        return "–"
    return f"({row.covered:.3f})" if row.is_small else f"{row.covered:.3f}"


def outside(coverages: Sequence[Coverage]) -> Iterator[Coverage]:
    """Those beyond the wanted limits, figures that rest on few contents apart."""
    return (
        row
        for row in coverages
        if row.covered is not None and not row.is_small and not WANTED[0] <= row.covered <= WANTED[1]
    )


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
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    words.add_argument("--runs", type=int, default=500)
    words.add_argument("--seed", type=int, default=20)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--only", default="", help="designs with this in their names")
    words.add_argument("--plot", type=Path, help="SVG file to write")
    words.add_argument("--json", type=Path, help="JSON file to write")
    arguments = words.parse_args()
    jobs = [
        (design, prevalence, arguments.runs, arguments.seed + number)
        for number, (design, prevalence) in enumerate((one, share) for one in DESIGNS for share in PREVALENCES)
        if arguments.only in design.name
    ]
    with Pool(arguments.processes) as pool:
        coverages = [row for rows in pool.map(_job, jobs, chunksize=1) for row in rows]
    print(report(coverages))
    for row in outside(coverages):
        print(f"outside: {row.design}, {row.prevalence}, {row.figure}: {row.covered}")
    if not arguments.only:
        print("", *copied(arguments.runs, arguments.seed), sep="\n")
    if arguments.plot:
        arguments.plot.write_text(plot(coverages), encoding="utf-8")
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in coverages], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
