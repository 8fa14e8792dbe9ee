"""Examined files with the rules that fired, and verified labels -> counts per rule, as sums in any order."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from evaluation.comparison import BOTH, FIRST, PATTERNS, SECOND, PairCounts, cell
from evaluation.labels import Label
from evaluation.rates import RuleCounts
from evaluation.sampling import NOT_PHI, PHI, Stratum

Key = tuple[str, ...]
Pair = tuple[str, str]
_ALL, _POSITIVE, _SCREENED, _VERIFIED, _RULE, _PAIR, _UNVERIFIED, _AUDIT, _PART = (
    "n",
    "positive",
    "screened",
    "verified",
    "rule",
    "pair",
    "unverified",
    "audit",
    "part",
)


class Examined(NamedTuple):
    """A file whose text was examined, wholly or in part, and the ids of the rules that fired on it."""

    uri: str
    rules: frozenset[str] | tuple[str, ...] = ()
    screened: bool = False
    part: str = ""  # of the source, where a scan drew its files part by part


def contributions(
    row: Examined, label: Label | None, audited: Label | None = None, pair: Pair | None = None
) -> Iterator[Key]:
    """The keys under which one file counts as one."""
    rules = frozenset(row.rules)
    drawn: Key = (
        ()
        if label is None
        else (label.stratum, "" if label.probability is None else str(label.probability), _truth(label))
    )
    yield (_ALL,)
    if row.part:
        yield (_PART, row.part)
        yield from ((_PART, row.part, rule) for rule in rules)
    if row.screened:
        yield (_SCREENED,)
    if label is not None:
        yield (_VERIFIED, *drawn)
        if row.screened:
            yield (_VERIFIED + "-" + _SCREENED, *drawn)
    for rule in rules:
        yield (_POSITIVE, rule)
        if label is not None:
            yield (_RULE, rule, *drawn)
    if audited is not None:
        yield (_AUDIT, _truth(audited))
    if pair is not None and not rules.isdisjoint(pair):
        pattern = BOTH if rules.issuperset(pair) else FIRST if pair[0] in rules else SECOND
        yield (_UNVERIFIED,) if label is None else (_PAIR, *drawn, pattern)


def _truth(label: Label) -> str:
    return PHI if label.phi else NOT_PHI


class Sums:
    """Added-up contributions -> counts of rules, of pairs of rules, and of strata."""

    def __init__(self, counts: Mapping[Key, int]) -> None:
        self._counts = counts
        self.n = counts.get((_ALL,), 0)
        self.screened = counts.get((_SCREENED,), 0)
        self.unverified = counts.get((_UNVERIFIED,), 0)
        self.audited = {truth: counts.get((_AUDIT, truth), 0) for truth in (PHI, NOT_PHI)}
        self.verified = {
            truth: sum(count for key, count in counts.items() if key[0] == _VERIFIED and key[3] == truth)
            for truth in (PHI, NOT_PHI)
        }
        self.sampled = any(key[0] == _VERIFIED and key[2] for key in counts)

    def rules(self, ids: Iterable[str] = ()) -> list[RuleCounts]:
        """Counts for each of `ids`, fired or not, and for any other that fired, in the order of their ids."""
        positive = {key[1]: count for key, count in self._counts.items() if key[0] == _POSITIVE}
        verified: Counter[Key] = Counter()
        for key, count in self._counts.items():
            if key[0] == _RULE:
                verified[key[1], key[4]] += count
        return [
            RuleCounts(rule, self.n, positive.get(rule, 0), verified[rule, PHI], verified[rule, NOT_PHI])
            for rule in sorted({*ids, *positive})
        ]

    def weighed(self, share_of: Callable[[str], Fraction], rule: str = "") -> Fraction:
        """All files, or those on which a rule fired, each weighted by one over the sampled share of its stratum."""
        wanted = (_PART, rule) if rule else (_PART,)
        counts = (
            (key[1], count) for key, count in self._counts.items() if key[0] == _PART and (_PART, *key[2:]) == wanted
        )
        return sum((count / share_of(part) for part, count in counts), Fraction(0))

    def strata(self, rule: str) -> tuple[Stratum, ...]:
        """All verified files by the draw that chose them, and in the cells those on which the rule fired."""
        return self._strata({key[2:]: count for key, count in self._counts.items() if key[:2] == (_RULE, rule)})

    def screened_strata(self) -> tuple[Stratum, ...]:
        """The same for the screen as a whole: in the cells, the screened positives."""
        name = _VERIFIED + "-" + _SCREENED
        return self._strata({key[1:]: count for key, count in self._counts.items() if key[0] == name})

    def pair(self, first: str, second: str) -> PairCounts:
        cells = {
            (*key[1:3], cell(truth, pattern)): self._counts.get((*key, truth, pattern), 0)
            for key in {key[:3] for key in self._counts if key[0] == _PAIR}
            for truth in (PHI, NOT_PHI)
            for pattern in PATTERNS
        }
        return PairCounts(first, second, self.n, self._strata(cells), self.unverified)

    def _strata(self, cells: Mapping[Key, int]) -> tuple[Stratum, ...]:
        """A file that nobody drew at random counts for itself alone."""
        sizes: Counter[Key] = Counter()
        for key, count in self._counts.items():
            if key[0] == _VERIFIED:
                sizes[key[1:3]] += count
        return tuple(
            Stratum(
                draw[0],
                Fraction(draw[1] or 1),
                size,
                {key[2]: count for key, count in sorted(cells.items()) if key[:2] == draw},
            )
            for draw, size in sorted(sizes.items())
        )


def tally(rows: Iterable[Examined], labels: Mapping[str, bool], rules: Iterable[str] = ()) -> list[RuleCounts]:
    """Counts per rule of files that all count alike."""
    counts: Counter[Key] = Counter()
    for row in rows:
        label = labels.get(row.uri)
        counts.update(contributions(row, None if label is None else Label(label)))
    return Sums(counts).rules(rules)
