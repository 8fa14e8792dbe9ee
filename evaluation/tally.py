"""Examined files with the rules that fired, and verified labels -> counts per rule and stage, as sums in any order.

Files are counted one by one. Files that belong together (copies of one content, members of one container) add beside
that what their cluster adds to sums of squares; for two ways of clustering at once, the sums of both without those of
what they share (Cameron, Gelbach & Miller 2011).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from evaluation.comparison import BOTH, FIRST, PATTERNS, SECOND, PairCounts, cell
from evaluation.copies import Sizes
from evaluation.design import NEGATIVE, REFERRED, SCREENED_ONLY, STAGES, design_of
from evaluation.estimate import FLAGGED, covered, design_effect
from evaluation.keys import (
    ALL,
    BY_AUDIT,
    EXCESS,
    MERGED,
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
)
from evaluation.labels import Label
from evaluation.rates import RuleCounts
from evaluation.rows import Domain, Drawn, Row
from evaluation.sampling import NOT_PHI, PHI, Stratum
from evaluation.scanned import Scanned

_TRUTHS = (PHI, NOT_PHI)
_OF = " of "


class Examined(NamedTuple):
    """A file whose text was examined, wholly or in part, and the ids of the rules that fired on it."""

    uri: str
    rules: frozenset[str] | tuple[str, ...] = ()
    screened: bool = False
    referred: bool = False
    content: str = ""  # what copies have in common; empty where a file is known to be the only one
    container: str = ""  # the file on disk that it is a member of
    weight: str = "1"  # how many files of the source it stands for, where a sample was scanned

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
    drawn: Key = () if label is None else (row.stage, label.stratum, _drawn(label), row.weight, _truth(label))
    for rule in row.rows:
        yield (POSITIVE, rule, row.stage, row.weight)
        if label is not None:
            yield (RULE, rule, *drawn)
    pattern = _pattern(row, pair)
    if pattern:
        yield (UNVERIFIED, row.stage, pattern, row.weight) if label is None else (PAIR, *drawn, pattern)


def contents_contributions(files: Sequence[Judged], pair: Pair | None = None) -> Iterator[tuple[Key, Number]]:
    """What files of one content add, beside what each adds by itself."""
    if len(files) < 2:
        return
    yield from _excess(files, pair, 1)
    draws: Counter[Key] = Counter()
    for file, label, draw in files:
        if label is not None:
            key = (file.stage, label.stratum, _drawn(label), file.weight, _truth(label))
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
    everything = {every(file.weight) for file, _, _ in files}
    for file, label, draw in files:
        weight, all_of_weight = _number(file.weight), every(file.weight)
        for name in (all_of_weight, *(f"{FLAGGED}:{rule}" for rule in file.rows)):
            known[name] += weight
            alone[name, name] += weight * weight
            if name != all_of_weight:
                alone[name, all_of_weight] += weight * weight
        if label is None:
            continue
        times = chances.setdefault(draw, 1 / label.probability if label.probability else 1)
        for name in _cells(file, label, pair):
            sums[name] += weight * times
            by_draw[draw, name] += weight
            for other in {all_of_weight, name, _of_all(name)}:
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
        return f"{drawn}{_OF}{there}"
    if label.probability is None:
        return BY_AUDIT if label.stratum == BY_AUDIT else ""
    return str(label.probability)


def _truth(label: Label) -> str:
    return PHI if label.phi else NOT_PHI


@lru_cache(maxsize=1024)
def _number(weight: str) -> Number:
    number = Fraction(weight)
    return int(number) if number.denominator == 1 else number


class Sums:
    """Added-up contributions -> counts of rules, of pairs of rules, and of stages."""

    def __init__(self, counts: Mapping[Key, Number]) -> None:
        self._counts = counts
        self._by_row: defaultdict[tuple[str, str], dict[Key, Number]] = defaultdict(dict)
        for key, count in counts.items():
            if key[0] in (POSITIVE, RULE, MERGED, SQUARE):
                self._by_row[key[0], key[1]][key[2:]] = count
        everything = self._by_row[POSITIVE, ALL]
        self.stages = {
            stage: int(sum(count for key, count in everything.items() if key[0] == stage)) for stage in STAGES
        }
        self.n = sum(self.stages.values())
        self.screened = self.stages[REFERRED] + self.stages[SCREENED_ONLY]
        self.unverified = int(sum(count for key, count in counts.items() if key[0] == UNVERIFIED))
        verified = self._by_row[RULE, ALL]
        self.verified = {
            truth: int(sum(count for key, count in verified.items() if key[4] == truth)) for truth in _TRUTHS
        }
        self.verified_in = {
            stage: int(sum(count for key, count in verified.items() if key[0] == stage)) for stage in STAGES
        }
        self.sampled = any(key[2] for key in verified)
        self._files = _scanned(everything)
        self.weighted = self._files.weighted
        self._usual = {truth: self._sizes(truth) for truth in _TRUTHS}
        self._otherwise: Fraction | None = None
        if 0 < self.screened < self.n:
            self._otherwise = design_effect(self.row(SCREENED), FLAGGED).clusters

    def ids(self, named: Iterable[str] = ()) -> list[str]:
        """`named` rules, fired or not, and any other that fired, in the order of their ids."""
        fired = {rule for kind, rule in self._by_row if kind == POSITIVE}
        return sorted({*named, *fired} - {ALL, SCREENED, REFERRED})

    def rules(self, ids: Iterable[str] = ()) -> list[RuleCounts]:
        """Plain counts of each rule."""
        return [self.counts(rule) for rule in self.ids(ids)]

    def counts(self, rule: str) -> RuleCounts:
        positive, verified = self._by_row.get((POSITIVE, rule), {}), self._by_row.get((RULE, rule), {})
        phi, not_phi = (int(sum(count for key, count in verified.items() if key[4] == truth)) for truth in _TRUTHS)
        return RuleCounts(rule, self.n, int(sum(positive.values())), phi, not_phi)

    def row(self, rule: str, stages: Sequence[str] = STAGES) -> Row:
        """A rule, or one of the rows ALL, SCREENED and REFERRED."""
        return Row(
            rule,
            self._files,
            tuple(self._domain(rule, stage) for stage in stages),
            self._row_excess(rule),
            self._otherwise,
        )

    def rest(self, rule: str) -> Row:
        """All files that the rule did not flag."""
        both = zip(self.row(ALL).domains, self.row(rule).domains, strict=True)
        domains = tuple(_without(domain, flagged) for domain, flagged in both)
        return Row(f"not {rule}", self._files, domains, self._rest_excess(rule), self._otherwise)

    def stage(self, stage: str) -> Row:
        """The files of one stage by themselves, as if nothing else had been scanned."""
        domain = self._domain(ALL, stage)
        return Row(stage, domain.files, (domain,), {})

    def _domain(self, rule: str, stage: str) -> Domain:
        positive = {key: count for key, count in self._by_row.get((POSITIVE, rule), {}).items() if key[0] == stage}
        groups: defaultdict[Key, dict[str, int]] = defaultdict(dict)
        for key, count in self._by_row.get((RULE, rule), {}).items():
            if key[0] == stage:
                groups[key[1:4]][key[4]] = int(count)
        return Domain(
            stage,
            _scanned(positive),
            tuple(self._group(rule, stage, key, groups[key]) for key in sorted(groups)),
        )

    def _group(self, rule: str, stage: str, key: Key, files: dict[str, int]) -> Drawn:
        stratum, probability, weight = key

        def more(kind: str, row: str, truth: str) -> int:
            return int(self._by_row.get((kind, row), {}).get((stage, *key, truth), 0))

        contents = {truth: count - more(MERGED, rule, truth) for truth, count in files.items()}
        squares = {truth: count + more(SQUARE, rule, truth) for truth, count in files.items()}
        draws = self._labelled(stage, stratum, probability)
        judged = self._judged(stage, stratum, probability)
        chance = self._probability(probability, stage) * judged
        return Drawn(chance, files, stratum, Fraction(weight), contents, squares, draws, self._usual, judged)

    def _sizes(self, truth: str) -> Sizes:
        """Of the verified contents of all stages."""
        files, merged, more = (
            int(sum(count for key, count in self._by_row.get((kind, ALL), {}).items() if key[4] == truth))
            for kind in (RULE, MERGED, SQUARE)
        )
        return Sizes(files - merged, files, files + more)

    def _probability(self, probability: str, stage: str) -> Fraction:
        """A file that nobody drew at random counts for itself alone."""
        if probability != BY_AUDIT:
            return Fraction(probability.replace(_OF, "/") or 1)
        audited = sum(
            int(count) for key, count in self._by_row[RULE, ALL].items() if key[0] == stage and key[2] == BY_AUDIT
        )
        return Fraction(audited, self.stages[stage])

    def _judged(self, stage: str, stratum: str, probability: str) -> Fraction:
        """The share of a sheet's stratum that people judged; what was drawn otherwise counts as judged whole."""
        drawn, of, _ = probability.partition(_OF)
        return (
            min(Fraction(1), Fraction(self._labelled(stage, stratum, probability), int(drawn))) if of else Fraction(1)
        )

    def _labelled(self, stage: str, stratum: str, probability: str) -> int:
        """The contents with a label that were drawn so."""
        files, merged = (
            sum(
                count
                for key, count in self._by_row.get((kind, ALL), {}).items()
                if key[:3] == (stage, stratum, probability)
            )
            for kind in (RULE, MERGED)
        )
        return int(files - merged)

    def drawn_and_judged(self) -> tuple[int, int]:
        """Of the sheets behind the labels: how many contents were drawn, and how many of them have a label."""
        strata = {key[:3] for key in self._by_row[RULE, ALL] if _OF in key[2]}
        drawn = sum(int(probability.partition(_OF)[0]) for _, _, probability in strata)
        return drawn, sum(self._labelled(*one) for one in strata)

    def _row_excess(self, rule: str) -> dict[tuple[str, str], Fraction]:
        names = {FLAGGED: f"{FLAGGED}:{rule}", PHI: f"{PHI}:{rule}", NOT_PHI: f"{NOT_PHI}:{rule}"}
        wanted = {(cell, cell): (name, name) for cell, name in names.items()}
        wanted |= {(cell, other): (name, other) for cell, name in names.items() for other in self._everything()}
        wanted |= {pair: pair for pair in combinations_with_replacement(self._everything(), 2)}
        return self._excess(wanted)

    def _rest_excess(self, rule: str) -> dict[tuple[str, str], Fraction]:
        """Of (all - flagged): squares are all² - 2 all · flagged + flagged²."""
        left, flagged = self._row_excess(ALL), self._row_excess(rule)
        both = self._excess({(cell, cell): (f"{cell}:{rule}", f"{cell}:{ALL}") for cell in _TRUTHS})
        with_all = (flagged.get((FLAGGED, other), Fraction(0)) for other in self._everything())
        both[FLAGGED, FLAGGED] = sum(with_all, Fraction(0))
        for pair, amount in flagged.items():
            if pair[0] in (FLAGGED, *_TRUTHS):
                left[pair] = left.get(pair, Fraction(0)) + (amount if pair[0] == pair[1] else -amount)
        for pair, amount in both.items():
            left[pair] = left.get(pair, Fraction(0)) - 2 * amount
        return left

    def _excess(self, wanted: Mapping[Pair, Pair]) -> dict[Pair, Fraction]:
        amounts = {pair: self._counts.get((EXCESS, *key), 0) for pair, key in wanted.items()}
        return {pair: Fraction(amount) for pair, amount in amounts.items() if amount}

    def _everything(self) -> list[str]:
        return sorted(every(weight) for weight in self._files.by_weight)

    def pair(self, first: str, second: str) -> PairCounts:
        cells: defaultdict[Key, dict[str, int]] = defaultdict(dict)
        squares: defaultdict[Key, dict[str, int]] = defaultdict(dict)
        contents: defaultdict[Key, dict[str, int]] = defaultdict(dict)
        for key, count in self._counts.items():
            if key[0] == PAIR:
                name, draw = cell(key[5], key[6]), key[1:5]
                cells[draw][name] = int(count)
                more, merged = (
                    int(self._counts.get((kind, f"{PAIR}:{key[6]}", *key[1:6]), 0)) for kind in (SQUARE, MERGED)
                )
                squares[draw][name], contents[draw][name] = int(count) + more, int(count) - merged
        flagged = {key[0] for rule in (first, second) for key in self._by_row.get((POSITIVE, rule), {})}
        of_all: Counter[Key] = Counter()
        for rest, count in self._by_row[RULE, ALL].items():
            if rest[0] in flagged:
                of_all[rest[:4]] += int(count)
        strata = tuple(
            Stratum(
                f"{draw[0]}: {draw[1]}",
                self._probability(draw[2], draw[0]) * self._judged(*draw[:3]),
                size,
                dict(sorted(cells[draw].items())),
                Fraction(draw[3]),
                dict(sorted(squares[draw].items())),
                dict(sorted(contents[draw].items())),
            )
            for draw, size in sorted(of_all.items())
        )
        return PairCounts(
            first,
            second,
            round(self.weighted),
            strata,
            self.unverified,
            self._pair_excess(),
            self._files,
            self._unknown(),
        )

    def _unknown(self) -> dict[str, Fraction]:
        """Flagged files that no label speaks for, by which of two rules flagged them: their stage is not drawn from."""
        drawn = {stage: covered(self._domain(ALL, stage)) for stage in STAGES}
        found: defaultdict[str, Fraction] = defaultdict(Fraction)
        for key, count in self._counts.items():
            if key[0] == UNVERIFIED and not drawn[key[1]]:
                found[key[2]] += count * Fraction(key[3])
        return dict(sorted(found.items()))

    def _pair_excess(self) -> dict[Pair, Fraction]:
        everything = self._everything()
        names = [cell(truth, pattern) for truth in _TRUTHS for pattern in PATTERNS]
        of_names = combinations_with_replacement(sorted(names), 2)
        wanted = {pair: (f"{PAIR}:{pair[0]}", f"{PAIR}:{pair[1]}") for pair in of_names}
        wanted |= {(name, other): (f"{PAIR}:{name}", other) for name in names for other in everything}
        wanted |= {pair: pair for pair in combinations_with_replacement(everything, 2)}
        return self._excess(wanted)


def _without(domain: Domain, flagged: Domain) -> Domain:
    """A domain's files except those that a rule flagged."""
    of_rule = {(one.stratum, one.probability, one.weight): one for one in flagged.drawn}
    left = []
    for one in domain.drawn:
        own = of_rule.get((one.stratum, one.probability, one.weight))
        if own is not None:
            files, contents = (
                {truth: count(one, truth) - count(own, truth) for truth in _TRUTHS}
                for count in (lambda drawn, truth: int(drawn.files.get(truth, 0)), Drawn.content)
            )
            squares = {truth: one.square(truth) - own.square(truth) for truth in _TRUTHS}
            one = replace(one, files=files, contents=contents, squares=squares)
        left.append(one)
    return Domain(domain.stage, domain.files.without(flagged.files), tuple(left))


def _scanned(files: Mapping[Key, Number]) -> Scanned:
    """Files by stage and weight."""
    by_weight: Counter[Fraction] = Counter()
    for key, count in files.items():
        by_weight[Fraction(key[1])] += int(count)
    return Scanned(by_weight)


def tally(rows: Iterable[Examined], labels: Mapping[str, bool], rules: Iterable[str] = ()) -> list[RuleCounts]:
    """Counts per rule of files that all count alike."""
    counts: Counter[Key] = Counter()
    for row in rows:
        label = labels.get(row.uri)
        counts.update(contributions(row, None if label is None else Label(label)))
    return Sums(counts).rules(rules)
