"""A design and dice -> one scan of the simulated source, with its verified sample, counted as the library counts."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import cast

import numpy as np

from benchmarks.simulation.designs import RULES, Design, Kind
from evaluation.design import NEGATIVE, REFERRED
from evaluation.labels import Label
from evaluation.tally import (
    _MERGED,
    Examined,
    Judged,
    Key,
    Number,
    Sums,
    container_contributions,
    contents_contributions,
    contributions,
)

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
    # Pairs of members are many, and exact fractions slow: a float is as good for a simulation.
    for key, number in container_contributions([_rounded(judged) for judged in members], RULES):
        added[key] += number
    return added


def _rounded(judged: Judged) -> Judged:
    if judged.label is None or judged.label.probability is None:
        return judged
    return judged._replace(label=replace(judged.label, probability=cast(Fraction, float(judged.label.probability))))


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
