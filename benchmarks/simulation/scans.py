"""A design and dice -> a scan of the simulated source and its verified sample, in the library's cells."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from benchmarks.simulation.designs import RULES, Design, Kind
from evaluation.cells import Counts, Fired, Inside, VerifiedCells
from evaluation.design import REFERRED, STAGES
from evaluation.members import Members

Scan = tuple[Fired, list[VerifiedCells]]
TOGETHER = 0.5  # the share of a container's members that have the container's kind


def scan(design: Design, table: Mapping[Kind, float], dice: np.random.Generator) -> Scan:
    return (_in_containers if design.container else _with_copies)(design, table, dice)


def _with_copies(design: Design, table: Mapping[Kind, float], dice: np.random.Generator) -> Scan:
    """A cell has all contents of one kind and number of copies."""
    cells = [
        (kind, number, share * of_size)
        for kind, share in table.items()
        for number, of_size in design.copies[kind.phi].items()
    ]
    kinds, sizes = [kind for kind, _, _ in cells], np.array([number for _, number, _ in cells])
    there = dice.multinomial(design.contents, [share for _, _, share in cells])
    verified: list[VerifiedCells] = []
    for stratum, places in strata_of(design, kinds).items():
        size = int(there[places].sum())
        drawn = drawn_of(design, kinds[places[0]], size)
        chosen = np.zeros_like(there)
        chosen[places] = dice.multivariate_hypergeometric(there[places], drawn) if drawn else 0
        for phi, of_truth in by_truth(kinds, chosen):
            amounts = (of_truth * sizes, of_truth, of_truth * sizes**2)
            verified.append(VerifiedCells(phi, kinds[places[0]].stage, *amounts, stratum, str(Fraction(drawn, size))))
    return Fired(RULES, flags_of(kinds), stages_of(kinds, there * sizes), there * (sizes**2 - sizes)), verified


def _in_containers(design: Design, table: Mapping[Kind, float], dice: np.random.Generator) -> Scan:
    """Each container has a kind of its own, which its members have one time in two; else theirs are drawn apart."""
    kinds, chances = list(table), np.array(list(table.values()))
    container = np.repeat(np.arange(design.contents // design.container), design.container)
    common = dice.choice(len(kinds), design.contents // design.container, p=chances)[container]
    own = dice.choice(len(kinds), len(container), p=chances)
    cell = np.where(dice.random(len(container)) < TOGETHER, common, own)
    verified: list[VerifiedCells] = []
    for stratum, places in strata_of(design, kinds).items():
        files = np.flatnonzero(np.isin(cell, places))
        drawn = drawn_of(design, kinds[places[0]], len(files))
        chosen = dice.choice(files, drawn, replace=False)
        for phi, of_truth in by_truth(kinds, np.bincount(cell[chosen], minlength=len(kinds))):
            judged = chosen[of_truth[cell[chosen]] > 0]
            inside = Inside(container[judged], cell[judged], np.ones_like(judged))
            amounts = (of_truth, of_truth, of_truth)
            probability = str(Fraction(drawn, len(files)))
            verified.append(VerifiedCells(phi, kinds[places[0]].stage, *amounts, stratum, probability, inside))
    once = np.ones_like(cell)
    referred = np.array([kind.stage == REFERRED for kind in kinds])[cell]
    stages = stages_of(kinds, np.bincount(cell, minlength=len(kinds)))
    members = Members(container, cell, referred, once, once)
    return Fired(RULES, flags_of(kinds), stages, np.zeros(len(kinds), dtype=np.int64), members), verified


def strata_of(design: Design, kinds: Sequence[Kind]) -> dict[str, list[int]]:
    strata: defaultdict[str, list[int]] = defaultdict(list)
    for place, kind in enumerate(kinds):
        strata[design.stratum(kind)].append(place)
    return strata


def drawn_of(design: Design, kind: Kind, size: int) -> int:
    """How many of a stratum are verified: at least one, unless the design leaves it out."""
    share = design.share(kind)
    return min(size, max(1, round(size * share))) if share else 0


def by_truth(kinds: Sequence[Kind], contents: Counts) -> Iterator[tuple[bool, Counts]]:
    for phi in (True, False):
        found = contents * np.array([kind.phi == phi for kind in kinds])
        if found.any():
            yield phi, found


def flags_of(kinds: Sequence[Kind]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return np.array([[rule in kind.rules for rule in RULES] for kind in kinds])


def stages_of(kinds: Sequence[Kind], files: Counts) -> dict[str, Counts]:
    return {stage: files * np.array([kind.stage == stage for kind in kinds]) for stage in STAGES}
