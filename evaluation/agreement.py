"""Decisions of people on the same items -> kappas, F and Krippendorff's alpha, in all, over time, by group."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum

from evaluation.ratios import share


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decided what about which item; when, and for which rule or category, where that is known."""

    item: str
    person: str
    value: Hashable
    when: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """None where undefined: nobody decided the same item twice, or everybody said the same of everything."""

    items: int
    decided_twice: int
    people: int
    observed: float | None
    kappa: float | None
    f: float | None
    fleiss: float | None
    alpha: float | None


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """(Ao - Ae) / (1 - Ae) of two people who decided the same items, in the same order."""
    if len(first) != len(second):
        raise ValueError("both people must have decided the same items")
    return kappa_of(Counter(zip(first, second, strict=True)))


def kappa_of(counts: Mapping[tuple[Hashable, Hashable], int]) -> float | None:
    """The same from how often the two people said what."""
    n = sum(counts.values())
    if n == 0:
        return None
    agreed = sum(count for (ours, theirs), count in counts.items() if ours == theirs) * n
    first: Counter[Hashable] = Counter()
    second: Counter[Hashable] = Counter()
    for (ours, theirs), count in counts.items():
        first[ours] += count
        second[theirs] += count
    by_chance = sum(count * second[value] for value, count in first.items())
    return share(agreed - by_chance, n * n - by_chance)


def f_measure(first: Sequence[Hashable], second: Sequence[Hashable], positive: Hashable = True) -> float | None:
    """F with either person as the reference: twice what both called positive over what each did."""
    return f_of(Counter(zip(first, second, strict=True)), positive)


def f_of(counts: Mapping[tuple[Hashable, Hashable], int], positive: Hashable = True) -> float | None:
    both = sum(count for (ours, theirs), count in counts.items() if ours == theirs == positive)
    return share(
        2 * both, sum(count * ((ours == positive) + (theirs == positive)) for (ours, theirs), count in counts.items())
    )


def fleiss_kappa(items: Iterable[Sequence[Hashable]]) -> float | None:
    """Fleiss' kappa of any number of people; where items have different numbers, each counts with its own."""
    units = [Counter(values) for values in items if len(values) > 1]
    totals: Counter[Hashable] = Counter()
    for unit in units:
        totals.update(unit)
    n = sum(totals.values())
    if not units:
        return None
    agreed = fsum(
        sum(count * (count - 1) for count in unit.values()) / (sum(unit.values()) * (sum(unit.values()) - 1))
        for unit in units
    ) / len(units)
    by_chance = sum(count * count for count in totals.values()) / (n * n)
    return share(agreed - by_chance, 1 - by_chance) if len(totals) > 1 else None


def krippendorff_alpha(items: Iterable[Sequence[Hashable]]) -> float | None:
    """Alpha for nominal values; each item lists the decisions there are, so missing ones are simply not listed."""
    units = [Counter(values) for values in items if len(values) > 1]
    totals: Counter[Hashable] = Counter()
    for unit in units:
        totals.update(unit)
    n = sum(totals.values())
    expected = n * n - sum(count * count for count in totals.values())
    if not expected:
        return None
    disagreed = fsum(
        (sum(unit.values()) ** 2 - sum(count * count for count in unit.values())) / (sum(unit.values()) - 1)
        for unit in units
    )
    return 1 - (n - 1) * disagreed / expected


def agreement(decisions: Iterable[Decision], positive: Hashable = True) -> Agreement:
    """Kappa and F are means over pairs of people, weighted by the items they share; the others take all at once."""
    table: dict[str, dict[str, Hashable]] = defaultdict(dict)
    for decision in decisions:
        before = table[decision.item].setdefault(decision.person, decision.value)
        if before != decision.value:
            raise ValueError(f"{decision.item}: {decision.person} decided twice, and differently")
    shared = [list(values.values()) for values in table.values() if len(values) > 1]
    pairs = [
        _shared(table, *pair)
        for pair in combinations(sorted({person for values in table.values() for person in values}), 2)
    ]
    agreeing = sum(sum(count * (count - 1) for count in Counter(values).values()) for values in shared)
    return Agreement(
        items=len(table),
        decided_twice=len(shared),
        people=len({person for values in table.values() for person in values}),
        observed=share(agreeing, sum(len(values) * (len(values) - 1) for values in shared)),
        kappa=_mean(pairs, cohen_kappa),
        f=_mean(pairs, lambda first, second: f_measure(first, second, positive)),
        fleiss=fleiss_kappa(shared),
        alpha=krippendorff_alpha(shared),
    )


def by_group(decisions: Iterable[Decision], positive: Hashable = True) -> dict[str, Agreement]:
    """Agreement per rule or category."""
    return _parted(decisions, lambda decision: decision.group, positive)


def over_time(decisions: Iterable[Decision], digits: int = 7, positive: Hashable = True) -> dict[str, Agreement]:
    """Agreement by period: the first characters of an ISO time, 4 for years, 7 for months, 10 for days.

    An item belongs to the period in which it was first decided, so that two decisions about it are never parted. Items
    of which nobody says when are left out.
    """
    all_decisions = list(decisions)
    first: dict[str, str] = {}
    for decision in all_decisions:
        if decision.when:
            first[decision.item] = min(first.get(decision.item, decision.when), decision.when)
    dated = (decision for decision in all_decisions if decision.item in first)
    return _parted(dated, lambda decision: first[decision.item][:digits], positive)


def _parted(decisions: Iterable[Decision], part: Callable[[Decision], str], positive: Hashable) -> dict[str, Agreement]:
    parts: dict[str, list[Decision]] = defaultdict(list)
    for decision in decisions:
        parts[part(decision)].append(decision)
    return {name: agreement(parts[name], positive) for name in sorted(parts)}


Pair = tuple[list[Hashable], list[Hashable]]


def _shared(table: Mapping[str, Mapping[str, Hashable]], first: str, second: str) -> Pair:
    both = [values for values in table.values() if first in values and second in values]
    return [values[first] for values in both], [values[second] for values in both]


def _mean(
    pairs: Sequence[Pair], figure: Callable[[Sequence[Hashable], Sequence[Hashable]], float | None]
) -> float | None:
    weighted = [(len(pair[0]), value) for pair in pairs if (value := figure(*pair)) is not None]
    return share(fsum(size * value for size, value in weighted), sum(size for size, _ in weighted))
