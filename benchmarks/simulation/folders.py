"""A design with folders and dice -> the sums of a scan that drew from each folder apart, and of its verified sample."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from benchmarks.simulation.designs import RULES, Copies, Design, Folder, Kind, kinds
from benchmarks.simulation.scans import TOGETHER, by_truth, drawn_of, flags_of, stages_of, strata_of
from evaluation.cells import Counts, Fired, Inside, VerifiedCells, counts_of
from evaluation.design import REFERRED
from evaluation.keys import EXCESS, NOT_DRAWN, PAIR, POSITIVE, UNVERIFIED, Key, Number, every
from evaluation.members import Members
from evaluation.tally import Sums

_MORE = 1.1  # so many times the expected number of contents is drawn, and those that a folder has room for are kept
_WEIGHT_AT = {POSITIVE: 3, UNVERIFIED: 3, PAIR: 4}


@dataclass(frozen=True, slots=True)
class Content:
    """Scanned contents of a folder, side by side: their kinds, numbers of scanned files, and containers."""

    kind: Counts
    files: Counts
    container: Counts | None = None


def scan_of_folders(design: Design, prevalence: float, dice: np.random.Generator) -> tuple[Sums, int]:
    """The sums, and how many verified contents are PHI; the verified sample is drawn from all folders together."""
    table = list(kinds(prevalence))
    folders = [_scanned(design, folder, prevalence, dice) for folder in design.folders]
    kind = np.concatenate([one.kind for one in folders])
    starts = np.cumsum([0, *(len(one.kind) for one in folders)])
    verified: list[list[VerifiedCells]] = [[] for _ in folders]
    for stratum, places in strata_of(design, table).items():
        there = np.flatnonzero(np.isin(kind, places))
        drawn = drawn_of(design, table[places[0]], len(there))
        chosen = dice.choice(there, drawn, replace=False)
        probability = str(Fraction(drawn, len(there) or 1))
        for number, folder in enumerate(folders):
            inside = chosen[(starts[number] <= chosen) & (chosen < starts[number + 1])] - starts[number]
            verified[number] += _verified(table, folder, inside, stratum, probability)
    counts: defaultdict[Key, Number] = defaultdict(int)
    for one, folder, judged in zip(design.folders, folders, verified, strict=True):
        for key, amount in counts_of(_fired(table, folder), judged, RULES).items():
            name, weighted = _standing_for(1 / one.share, key, amount)
            counts[name] += weighted
    return Sums(counts), sum(int(cells.contents.sum()) for judged in verified for cells in judged if cells.phi)


def _scanned(design: Design, folder: Folder, prevalence: float, dice: np.random.Generator) -> Content:
    chances = np.array(list(kinds(prevalence * folder.prevalence).values()))
    if design.container:
        boxes = round(folder.files * folder.share / design.container)
        container = np.repeat(np.arange(boxes), design.container)
        common = dice.choice(len(chances), boxes, p=chances)[container]
        own = dice.choice(len(chances), len(container), p=chances)
        kind = np.where(dice.random(len(container)) < TOGETHER, common, own)
        return Content(kind, np.ones_like(kind), container)
    if all(copies.keys() == {1} for copies in design.copies.values()):
        kind = dice.choice(len(chances), round(folder.files * folder.share), p=chances)
        return Content(kind, np.ones_like(kind))
    kind, sizes = _source(design.copies[True], folder.files, chances, dice)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    drawn = owner[dice.choice(len(owner), round(folder.files * folder.share), replace=False)]
    files = np.bincount(drawn, minlength=len(sizes))
    return Content(kind[files > 0], files[files > 0])


def _source(
    copies: Copies, files: int, chances: np.ndarray[tuple[int], np.dtype[np.float64]], dice: np.random.Generator
) -> tuple[Counts, Counts]:
    """Contents and their copies, exactly as many files as the folder has; copies do not depend on the kind."""
    mean = sum(number * share for number, share in copies.items())
    numbers = dice.choice(list(copies), round(_MORE * files / mean), p=list(copies.values()))
    ends = np.cumsum(numbers)
    last = int(np.searchsorted(ends, files))
    sizes = numbers[: last + 1]
    sizes[last] -= ends[last] - files
    return dice.choice(len(chances), len(sizes), p=chances), sizes


def _verified(
    table: list[Kind], folder: Content, chosen: Counts, stratum: str, probability: str
) -> list[VerifiedCells]:
    kind, files = folder.kind[chosen], folder.files[chosen]
    found = []
    for phi, of_truth in by_truth(table, np.bincount(kind, minlength=len(table))):
        here = of_truth[kind] > 0
        contents, squares = np.bincount(kind[here], minlength=len(table)), files[here] ** 2
        amounts = (_sums(kind[here], files[here], table), contents, _sums(kind[here], squares, table))
        inside = None
        if folder.container is not None:
            inside = Inside(folder.container[chosen[here]], kind[here], files[here])
        stage = table[int(kind[here][0])].stage
        found.append(VerifiedCells(phi, stage, *amounts, stratum, probability, inside))
    return found


def _fired(table: list[Kind], folder: Content) -> Fired:
    files, squares = _sums(folder.kind, folder.files, table), _sums(folder.kind, folder.files**2, table)
    members = None
    if folder.container is not None:
        referred = np.array([kind.stage == REFERRED for kind in table])[folder.kind]
        members = Members(folder.container, folder.kind, referred, folder.files, folder.files**2)
    return Fired(RULES, flags_of(table), stages_of(table, files), squares - files, members)


def _sums(kind: Counts, amounts: Counts, table: list[Kind]) -> Counts:
    return np.bincount(kind, weights=amounts, minlength=len(table)).astype(np.int64)


def _standing_for(weight: Fraction, key: Key, amount: Number) -> tuple[Key, Number]:
    """What files count that stand each for so many; those of one cluster all do."""
    if key[0] == EXCESS:
        return tuple(every(str(weight)) if name == every(NOT_DRAWN) else name for name in key), amount * weight**2
    at = _WEIGHT_AT.get(key[0], 5)
    return (*key[:at], str(weight), *key[at + 1 :]), amount
