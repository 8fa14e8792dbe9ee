"""Added-up contributions of examined files -> counts per rule and stage, in whatever order they were added."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement

from evaluation.comparison import PATTERNS, PairCounts, cell
from evaluation.contributions import Examined, contributions
from evaluation.copies import Sizes
from evaluation.design import REFERRED, SCREENED_ONLY, STAGES
from evaluation.effects import design_effect
from evaluation.estimate import covered
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
    weight_of,
)
from evaluation.labels import Label
from evaluation.rates import RuleCounts
from evaluation.rows import Domain, Drawn, Row
from evaluation.sampling import NOT_PHI, PHI, Stratum
from evaluation.scanned import Scanned

_TRUTHS = (PHI, NOT_PHI)


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
        self._usual = {place: {truth: self._sizes(truth, place) for truth in _TRUTHS} for place in self._files.by_place}
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
        stratum, probability, place = key

        def more(kind: str, row: str, truth: str) -> int:
            return int(self._by_row.get((kind, row), {}).get((stage, *key, truth), 0))

        contents = {truth: count - more(MERGED, rule, truth) for truth, count in files.items()}
        squares = {truth: count + more(SQUARE, rule, truth) for truth, count in files.items()}
        draws = self._labelled(stage, stratum, probability)
        judged = self._judged(stage, stratum, probability)
        chance = self._probability(probability, stage) * judged
        return Drawn(chance, files, stratum, place, contents, squares, draws, self._usual[place], judged)

    def _sizes(self, truth: str, place: str) -> Sizes:
        """Of the verified contents of all stages: the more of a place was scanned, the more copies were met."""
        files, merged, more = (
            int(sum(count for key, count in self._by_row.get((kind, ALL), {}).items() if key[3:] == (place, truth)))
            for kind in (RULE, MERGED, SQUARE)
        )
        return Sizes(files - merged, files, files + more)

    def _probability(self, probability: str, stage: str) -> Fraction:
        """A file that nobody drew at random counts for itself alone."""
        if probability != BY_AUDIT:
            return Fraction(probability.replace(OF, "/") or 1)
        audited = sum(
            int(count) for key, count in self._by_row[RULE, ALL].items() if key[0] == stage and key[2] == BY_AUDIT
        )
        return Fraction(audited, self.stages[stage])

    def _judged(self, stage: str, stratum: str, probability: str) -> Fraction:
        """The share of a sheet's stratum that people judged; what was drawn otherwise counts as judged whole."""
        drawn, of, _ = probability.partition(OF)
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
        strata = {key[:3] for key in self._by_row[RULE, ALL] if OF in key[2]}
        drawn = sum(int(probability.partition(OF)[0]) for _, _, probability in strata)
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
        return sorted(every(place) for place in self._files.by_place)

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
                draw[3],
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
                found[key[2]] += count * weight_of(key[3])
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
    of_rule = {(one.stratum, one.probability, one.place): one for one in flagged.drawn}
    left = []
    for one in domain.drawn:
        own = of_rule.get((one.stratum, one.probability, one.place))
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
    """Files by stage and place."""
    by_place: Counter[str] = Counter()
    for key, count in files.items():
        by_place[key[1]] += int(count)
    return Scanned(by_place)


def tally(rows: Iterable[Examined], labels: Mapping[str, bool], rules: Iterable[str] = ()) -> list[RuleCounts]:
    """Counts per rule of files that all count alike."""
    counts: Counter[Key] = Counter()
    for row in rows:
        label = labels.get(row.uri)
        counts.update(contributions(row, None if label is None else Label(label)))
    return Sums(counts).rules(rules)
