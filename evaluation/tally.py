"""Examined files with the rules that fired, and verified labels -> counts per rule."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from evaluation.rates import RuleCounts


class Examined(NamedTuple):
    """A file whose text was examined, wholly or in part, and the ids of the rules that fired on it."""

    uri: str
    rules: frozenset[str] | tuple[str, ...] = ()


def tally(rows: Iterable[Examined], labels: Mapping[str, bool], rules: Iterable[str] = ()) -> list[RuleCounts]:
    """Counts for each of `rules`, fired or not, and for any other that fired, in the order of their ids."""
    n = 0
    positive: Counter[str] = Counter()
    verified: Counter[tuple[str, bool]] = Counter()
    for row in rows:
        n += 1
        for rule in set(row.rules):
            positive[rule] += 1
            if row.uri in labels:
                verified[rule, labels[row.uri]] += 1
    return [
        RuleCounts(rule=rule, n=n, positive=positive[rule], phi=verified[rule, True], not_phi=verified[rule, False])
        for rule in sorted({*rules, *positive})
    ]
