"""The counts behind a rule -> by what factor weights of a scanned sample, and clusters, change a share's variance."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from evaluation.keys import FLAGGED, every
from evaluation.rows import Row
from evaluation.sampling import Clusters, Stratum, file_covariance, total

_ONE = Fraction(1)


class Effect(NamedTuple):
    """By what factor weights and clusters change a variance.

    Weights of a scanned sample may make it smaller, where files of the kind lie where more was scanned, or in some of
    the folders that were drawn apart; clusters only make it larger. `counted` is by how much more weights add to the
    variance of a count of files whose number was not fixed, 1 without weights.
    """

    weights: Fraction
    clusters: Fraction
    counted: Fraction = Fraction(1)

    @property
    def whole(self) -> Fraction:
        return self.weights * self.clusters


def design_effect(row: Row, cell: str) -> Effect:
    """How far the variance of a share is from that of n files that stand each for itself, and for as many others."""
    if not any(row.excess.values()) and row.files.is_simple:
        return Effect(_ONE, _ONE)
    strata = strata_of(row, cell)
    files = total(strata, cell)
    share = files / row.weighted
    if not 0 < share < 1:
        return _otherwise(row, cell)
    only = {cell: 1}
    alone = file_covariance(strata, Clusters(row.files, {}), only, only)
    if alone <= 0:
        return _otherwise(row, cell)
    more = row.excess if cell == FLAGGED else _as_judged(row, cell, files)
    variance = file_covariance(strata, Clusters(row.files, more), only, only) + _hidden(row, cell)
    weights = alone * row.n / (row.weighted**2 * share * (1 - share))
    uncentred = sum((one.cells[cell] * one.weight**2 / one.probability for one in strata), Fraction(0))
    counted = uncentred * row.n / (row.weighted**2 * share)
    return Effect(weights, max(_ONE, variance / alone), counted / weights)


def strata_of(row: Row, cell: str) -> list[Stratum]:
    """The files of a cell, by what they stand for and by their draw."""
    if cell == FLAGGED:
        flagged = [(place, count) for domain in row.domains for place, count in domain.files.by_place.items()]
        return [Stratum("", _ONE, count, {cell: count}, place) for place, count in flagged]
    return [
        Stratum(
            f"{domain.stage}: {one.stratum}",
            one.probability,
            one.verified,
            {cell: one.files.get(cell, 0)},
            one.place,
            {cell: one.spread(cell)},
        )
        for domain in row.domains
        for one in domain.drawn
    ]


def _hidden(row: Row, cell: str) -> Fraction:
    """What clusters would add if the drawn contents were as unequal as contents usually are."""
    drawn = [one for domain in row.domains for one in domain.drawn if cell != FLAGGED]
    return sum(((one.spread(cell) - one.square(cell)) * one.weight**2 / one.probability for one in drawn), Fraction(0))


def _as_judged(row: Row, cell: str, total: Fraction) -> Mapping[tuple[str, str], Fraction]:
    """What clusters add was summed up as drawn; of a draw that was judged in part, that part weighs more.

    Copies that were drawn as one are judged together, others by pairs of which both must have been.
    """
    drawn = [one for domain in row.domains for one in domain.drawn]
    as_drawn = sum((one.weighted(cell) * one.judged for one in drawn), Fraction(0))
    if as_drawn == total:
        return row.excess
    more, apart = total / as_drawn, all(one.content(cell) == one.files.get(cell, 0) for one in drawn)
    squared = more**2 if apart else more
    times = {(cell, cell): squared} | {(cell, every(place)): more for place in row.files.by_place}
    return {pair: amount * times.get(pair, 1) for pair, amount in row.excess.items()}


def _otherwise(row: Row, cell: str) -> Effect:
    """No file of the kind (or nothing else): as what the rule flagged, or as if clusters were alike in everything."""
    if cell != FLAGGED and 0 < row.positive < row.n:
        return design_effect(row, FLAGGED)
    weights, clusters = row.files.squares * row.n / row.weighted**2, row.otherwise
    if clusters is None:
        everything: dict[str, Fraction | int] = {every(place): 1 for place in row.files.by_place}
        added = Clusters(row.files, row.excess).products(everything, everything)
        clusters = max(_ONE, 1 + added / row.files.squares)
    return Effect(weights, clusters)
