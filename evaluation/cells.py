"""Counts of files in cells, and verified files among them -> the same sums as file by file, at the speed of arrays."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.comparison import BOTH, FIRST, SECOND
from evaluation.design import NEGATIVE, REFERRED, SCREENED_ONLY
from evaluation.keys import (
    ALL,
    EXCESS,
    FLAGGED,
    MERGED,
    NOT_DRAWN,
    PAIR,
    POSITIVE,
    RULE,
    SCREENED,
    SQUARE,
    UNVERIFIED,
    Key,
    Number,
    every,
)
from evaluation.members import Members, Part, Products
from evaluation.sampling import NOT_PHI, PHI
from evaluation.tally import Sums

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]
_EVERY = every(NOT_DRAWN)
_TRUTHS = (PHI, NOT_PHI)
_ROWS = {REFERRED: (ALL, SCREENED, REFERRED), SCREENED_ONLY: (ALL, SCREENED), NEGATIVE: (ALL,)}


@dataclass(frozen=True, slots=True)
class Fired:
    """For each cell: its number of files by stage, and (a column a rule) which rules fired.

    `copies` is for each cell the sum of m² - m over its contents, m being a content's number of files.
    """

    rules: tuple[str, ...]
    flags: Flags
    stages: Mapping[str, Counts]
    copies: Counts
    members: Members | None = None


@dataclass(frozen=True, slots=True)
class Inside:
    """Verified contents in containers, side by side: the container, the cell, and how many files of it are there."""

    container: Counts
    cell: Counts
    files: Counts

    def kept(self, cells: Flags) -> "Inside":
        """Those in some cells, which are numbered anew."""
        stays, number = cells[self.cell], np.cumsum(cells) - 1
        return Inside(self.container[stays], number[self.cell[stays]], self.files[stays])


@dataclass(frozen=True, slots=True)
class VerifiedCells:
    """Files of each cell, of one stage, that people verified and found alike; `probability` is empty where none drew.

    `contents` and `squares` are the number of contents and the sum of their squared numbers of files.
    """

    phi: bool
    stage: str
    files: Counts
    contents: Counts
    squares: Counts
    stratum: str = ""
    probability: str = ""
    inside: Inside | None = None


def sums_of(fired: Fired, verified: Sequence[VerifiedCells], pair: tuple[str, str] | None = None) -> Sums:
    return Sums(counts_of(fired, verified, pair))


def counts_of(
    fired: Fired, verified: Sequence[VerifiedCells], pair: tuple[str, str] | None = None
) -> dict[Key, Number]:
    """One probability makes all of them drawn: a file that nobody drew then counts with 1."""
    drawn = any(group.probability for group in verified)
    counts: defaultdict[Key, Number] = defaultdict(int)
    for stage, files in fired.stages.items():
        for rule, count in _by_rule(fired, files, stage).items():
            counts[POSITIVE, rule, stage, NOT_DRAWN] += count
    _add_copies(counts, fired)
    patterns = _patterns(fired, pair) if pair else {}
    if fired.members is not None:
        _add_members(counts, fired, fired.members, verified, patterns)
    for group in verified:
        probability = str(Fraction(group.probability or 1)) if drawn else ""
        _add_verified(counts, fired, group, probability, patterns)
    for stage, of_stage in patterns.items():
        for pattern, cells in of_stage.items():
            judged = sum(int(group.files[cells].sum()) for group in verified if group.stage == stage)
            counts[UNVERIFIED, stage, pattern, NOT_DRAWN] += int(fired.stages[stage][cells].sum()) - judged
    return {key: count for key, count in counts.items() if count}


def _add_verified(
    counts: defaultdict[Key, Number],
    fired: Fired,
    group: VerifiedCells,
    probability: str,
    patterns: Mapping[str, Mapping[str, Flags]],
) -> None:
    truth = PHI if group.phi else NOT_PHI
    key = (group.stage, group.stratum, probability, NOT_DRAWN, truth)
    times = 1 / Fraction(probability or 1)
    by_kind = {
        RULE: group.files,
        MERGED: group.files - group.contents,
        SQUARE: group.squares - group.files,
    }
    for kind, amounts in by_kind.items():
        for rule, count in _by_rule(fired, amounts, group.stage).items():
            counts[kind, rule, *key] += count
            if kind == SQUARE and count:
                counts[EXCESS, f"{truth}:{rule}", f"{truth}:{rule}"] += count * times
                counts[EXCESS, f"{truth}:{rule}", _EVERY] += count * times
                if rule != ALL:
                    counts[EXCESS, f"{truth}:{rule}", f"{truth}:{ALL}"] += count * times
    for pattern, cells in (patterns.get(group.stage) or {}).items():
        counts[PAIR, *key, pattern] += int(group.files[cells].sum())
        copies = int(by_kind[SQUARE][cells].sum())
        counts[SQUARE, f"{PAIR}:{pattern}", *key] += copies
        counts[MERGED, f"{PAIR}:{pattern}", *key] += int(by_kind[MERGED][cells].sum())
        name = f"{PAIR}:{truth}:{pattern}"
        counts[EXCESS, name, name] += copies * times
        counts[EXCESS, name, _EVERY] += copies * times


def _add_copies(counts: defaultdict[Key, Number], fired: Fired) -> None:
    """What copies add to the variance of coverage; a cell of several stages has its copies in its strongest one."""
    left = fired.copies
    for stage in (REFERRED, SCREENED_ONLY, NEGATIVE):
        here = np.where(fired.stages[stage] > 0, left, 0)
        left = left - here
        for rule, count in _by_rule(fired, here, stage).items():
            counts[EXCESS, f"{FLAGGED}:{rule}", f"{FLAGGED}:{rule}"] += count
            counts[EXCESS, f"{FLAGGED}:{rule}", _EVERY] += count
    counts[EXCESS, _EVERY, _EVERY] += int(fired.copies.sum())


def _add_members(
    counts: defaultdict[Key, Number],
    fired: Fired,
    members: Members,
    verified: Sequence[VerifiedCells],
    patterns: Mapping[str, Mapping[str, Flags]],
) -> None:
    """What members of one container add, beside copies."""
    products = Products(members)
    parts: defaultdict[str, list[Part]] = defaultdict(list)
    screened = fired.stages[NEGATIVE][members.cell] == 0
    of_row = {ALL: np.ones(len(screened), dtype=bool), SCREENED: screened, REFERRED: members.referred}
    for rule in (*fired.rules, *of_row):
        chosen = of_row[rule] if rule in of_row else fired.flags[members.cell, fired.rules.index(rule)]
        parts[f"{FLAGGED}:{rule}"] = [Part(members.container[chosen], members.files[chosen], members.squares[chosen])]
    for group in verified:
        _add_inside(parts, fired, group, patterns.get(group.stage) or {})
    counts[EXCESS, _EVERY, _EVERY] += products.own(parts[f"{FLAGGED}:{ALL}"])
    for name, of_name in parts.items():
        counts[EXCESS, name, name] += products.own(of_name)
        counts[EXCESS, name, _EVERY] += products.with_all(of_name)
        of_all = f"{name.partition(':')[0]}:{ALL}"
        if name.startswith(_TRUTHS) and name != of_all:
            counts[EXCESS, name, of_all] += products.within(of_name, parts[of_all])
    for first, second in combinations(sorted(name for name in parts if name.startswith(PAIR)), 2):
        counts[EXCESS, first, second] += products.of(parts[first], parts[second])


def _add_inside(
    parts: defaultdict[str, list[Part]], fired: Fired, group: VerifiedCells, patterns: Mapping[str, Flags]
) -> None:
    if group.inside is None or not len(group.inside.cell):
        return
    inside, truth, times = group.inside, PHI if group.phi else NOT_PHI, 1 / Fraction(group.probability or 1)
    chosen = {f"{truth}:{row}": np.ones(len(inside.cell), dtype=bool) for row in _ROWS[group.stage]}
    chosen |= {f"{truth}:{rule}": fired.flags[inside.cell, place] for place, rule in enumerate(fired.rules)}
    chosen |= {f"{PAIR}:{truth}:{pattern}": cells[inside.cell] for pattern, cells in patterns.items()}
    for name, which in chosen.items():
        if which.any():
            files = inside.files[which]
            parts[name].append(Part(inside.container[which], files, files * files, times))


def _by_rule(fired: Fired, files: Counts, stage: str) -> Counter[str]:
    """How many of these files each rule fired on, and how many belong to the rows of their stage."""
    # einsum takes integers and booleans without a conversion: five times as fast as `@`.
    of_rules = np.einsum("i,ij->j", files, fired.flags).tolist()
    found = Counter({rule: count for rule, count in zip(fired.rules, of_rules, strict=True) if count})
    for row in _ROWS[stage]:
        found[row] = int(files.sum())
    return found


def _patterns(fired: Fired, pair: tuple[str, str]) -> dict[str, dict[str, Flags]]:
    """By stage, the cells in which both rules fired, or one of them; a rule may be the tool as a whole."""
    found = {}
    for stage in fired.stages:
        first, second = (_cells_of(fired, rule, stage) for rule in pair)
        found[stage] = {BOTH: first & second, FIRST: first & ~second, SECOND: second & ~first}
    return found


def _cells_of(fired: Fired, rule: str, stage: str) -> Flags:
    if rule in fired.rules:
        return fired.flags[:, fired.rules.index(rule)]
    return np.full(len(fired.copies), rule in _ROWS[stage], dtype=bool)
