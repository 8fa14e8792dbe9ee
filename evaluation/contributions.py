"""An examined file with the rules that fired, and its label -> the keys under which it counts, alone and with others.

Files are counted one by one. Files that belong together (copies of one content, members of one container) add beside
that what their cluster adds to sums of squares; for two ways of clustering at once, the sums of both without those of
what they share (Cameron, Gelbach & Miller 2011).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from evaluation.comparison import BOTH, FIRST, SECOND, cell
from evaluation.design import NEGATIVE, REFERRED, SCREENED_ONLY, design_of
from evaluation.keys import (
    ALL,
    BY_AUDIT,
    EXCESS,
    FLAGGED,
    MERGED,
    OF,
    PAIR,
    POSITIVE,
    RULE,
    SCREENED,
    SQUARE,
    UNVERIFIED,
    Key,
    Number,
    Pair,
    every,
    place_of,
)
from evaluation.labels import Label
from evaluation.sampling import NOT_PHI, PHI


class Examined(NamedTuple):
    """A file whose text was examined, wholly or in part, and the ids of the rules that fired on it."""

    uri: str
    rules: frozenset[str] | tuple[str, ...] = ()
    screened: bool = False
    referred: bool = False
    content: str = ""  # what copies have in common; empty where a file is known to be the only one
    container: str = ""  # the file on disk that it is a member of
    weight: str = "1"  # how many files of the source it stands for, where a sample was scanned
    folder: str = ""  # what it was drawn from, where folders were drawn apart

    @property
    def place(self) -> str:
        return place_of(self.weight, self.folder)

    @property
    def stage(self) -> str:
        return REFERRED if self.referred else SCREENED_ONLY if self.screened else NEGATIVE

    @property
    def rows(self) -> frozenset[str]:
        more = (ALL, SCREENED, REFERRED) if self.referred else (ALL, SCREENED) if self.screened else (ALL,)
        return frozenset((*self.rules, *more))


class Judged(NamedTuple):
    """A file and its label; `draw` is the same for files that were drawn as one."""

    file: Examined
    label: Label | None = None
    draw: str = ""


def contributions(row: Examined, label: Label | None, pair: Pair | None = None) -> Iterator[Key]:
    """The keys under which one file counts as one."""
    drawn: Key = () if label is None else (row.stage, label.stratum, _drawn(label), row.place, _truth(label))
    for rule in row.rows:
        yield (POSITIVE, rule, row.stage, row.place)
        if label is not None:
            yield (RULE, rule, *drawn)
    pattern = _pattern(row, pair)
    if pattern:
        yield (UNVERIFIED, row.stage, pattern, row.place) if label is None else (PAIR, *drawn, pattern)


def contents_contributions(files: Sequence[Judged], pair: Pair | None = None) -> Iterator[tuple[Key, Number]]:
    """What files of one content add, beside what each adds by itself."""
    if len(files) < 2:
        return
    yield from _excess(files, pair, 1)
    draws: Counter[Key] = Counter()
    for file, label, draw in files:
        if label is not None:
            key = (file.stage, label.stratum, _drawn(label), file.place, _truth(label))
            draws.update((draw, rule, *key) for rule in file.rows)
            pattern = _pattern(file, pair)
            if pattern:
                draws[draw, f"{PAIR}:{pattern}", *key] += 1
    for drawn, count in draws.items():
        if count > 1:
            yield (MERGED, *drawn[1:]), count - 1
            yield (SQUARE, *drawn[1:]), count * count - count


def container_contributions(files: Sequence[Judged], pair: Pair | None = None) -> Iterator[tuple[Key, Number]]:
    """What the members of one container add; copies inside it were counted as copies already."""
    if len(files) < 2:
        return
    yield from _excess(files, pair, 1)
    copies: defaultdict[str, list[Judged]] = defaultdict(list)
    for judged in files:
        copies[judged.file.content or judged.file.uri].append(judged)
    for group in copies.values():
        if len(group) > 1:
            yield from _excess(group, pair, -1)


def _excess(files: Sequence[Judged], pair: Pair | None, sign: int) -> Iterator[tuple[Key, Number]]:
    """For pairs of cells: the product of a cluster's sums, without the products of each file with itself.

    A sum over labels that were drawn is one of weights; its square counts a draw once, not squared.
    """
    known: defaultdict[str, Number] = defaultdict(int)
    sums: defaultdict[str, Number] = defaultdict(int)
    by_draw: defaultdict[tuple[str, str], Number] = defaultdict(int)
    chances: dict[str, Number] = {}
    alone: defaultdict[tuple[str, str], Number] = defaultdict(int)
    everything = {every(file.place) for file, _, _ in files}
    for file, label, draw in files:
        weight, everywhere = _number(file.weight), every(file.place)
        for name in (everywhere, *(f"{FLAGGED}:{rule}" for rule in file.rows)):
            known[name] += weight
            alone[name, name] += weight * weight
            if name != everywhere:
                alone[name, everywhere] += weight * weight
        if label is None:
            continue
        times = chances.setdefault(draw, 1 / label.probability if label.probability else 1)
        for name in _cells(file, label, pair):
            sums[name] += weight * times
            by_draw[draw, name] += weight
            for other in {everywhere, name, _of_all(name)}:
                alone[name, other] += weight * weight * times
    for name, amount in known.items():
        for other in everything if name not in everything else ():
            yield (EXCESS, name, other), sign * (amount * known[other] - alone[name, other])
        if name not in everything:
            yield (EXCESS, name, name), sign * (amount * amount - alone[name, name])
    for first, second in combinations_with_replacement(sorted(everything), 2):
        yield (EXCESS, first, second), sign * (known[first] * known[second] - alone[first, second])
    for name in sums:
        for other in everything:
            yield (EXCESS, name, other), sign * (sums[name] * known[other] - alone[name, other])
    for first, second in _products(sums):
        counted_twice = sum(
            (times * times - times) * by_draw[draw, first] * by_draw[draw, second]
            for draw, times in chances.items()
            if (draw, first) in by_draw and (draw, second) in by_draw
        )
        yield (EXCESS, first, second), sign * (sums[first] * sums[second] - counted_twice - alone[first, second])


def _products(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The cells whose sums are multiplied: each with itself and with all files of its truth; patterns of two rules."""
    named = sorted(names)
    for name in named:
        yield name, name
        if not name.startswith(PAIR) and name != _of_all(name):
            yield name, _of_all(name)
    yield from combinations([name for name in named if name.startswith(PAIR)], 2)


def _of_all(name: str) -> str:
    """All files with the truth of a cell."""
    return f"{name.partition(':')[0]}:{ALL}"


def _cells(file: Examined, label: Label, pair: Pair | None) -> Iterator[str]:
    for rule in file.rows:
        yield f"{_truth(label)}:{rule}"
    pattern = _pattern(file, pair)
    if pattern:
        yield f"{PAIR}:{cell(_truth(label), pattern)}"


def _pattern(file: Examined, pair: Pair | None) -> str:
    """Which of two rules fired: both, one of them, or (empty) neither."""
    if pair is None:
        return ""
    rows = file.rows
    if rows.isdisjoint(pair):
        return ""
    return BOTH if rows.issuperset(pair) else FIRST if pair[0] in rows else SECOND


def _drawn(label: Label) -> str:
    """Of a sheet, how many of how many were drawn: people may not have judged all of them."""
    if label.draw and label.stratum:
        drawn, there = design_of(label.draw).strata[label.stratum]
        return f"{drawn}{OF}{there}"
    if label.probability is None:
        return BY_AUDIT if label.stratum == BY_AUDIT else ""
    return str(label.probability)


def _truth(label: Label) -> str:
    return PHI if label.phi else NOT_PHI


@lru_cache(maxsize=1024)
def _number(weight: str) -> Number:
    number = Fraction(weight)
    return int(number) if number.denominator == 1 else number
