"""Verified files, each with the probability of its draw -> weighted sums and their covariances (Horvitz-Thompson).

Two random steps are at work: which files were there to scan, and which of them were drawn for verification. The
variance of a total is the sum of both. If everything was verified, the second is zero, and the result is exactly that
of the plain formulas.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evaluation.keys import NOT_DRAWN, every, weight_of
from evaluation.rates import Interval, interval, wilson
from evaluation.scanned import Scanned

PHI, NOT_PHI = "phi", "not_phi"
_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Files drawn at random with one probability: how many were verified, and how many of those fell into each cell.

    Strata of one name and probability were drawn as one, and differ in `place` only: there each stands for `weight`
    files of the source. `contents` are the number of contents and `squares` their squared
    numbers of files, summed: without copies, both are the number of files.
    """

    name: str
    probability: Fraction
    verified: int
    cells: Mapping[str, int]
    place: str = NOT_DRAWN
    squares: Mapping[str, int | Fraction] | None = None
    contents: Mapping[str, int] | None = None

    @property
    def weight(self) -> Fraction:
        return weight_of(self.place)

    def __post_init__(self) -> None:
        if not 0 < self.probability <= 1:
            raise ValueError(f"stratum {self.name!r}: a probability is above 0 and at most 1")
        if min(self.cells.values(), default=0) < 0 or sum(self.cells.values()) > self.verified:
            raise ValueError(f"stratum {self.name!r}: the cells hold more files than were verified")


def satterthwaite(parts: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """A variance that is the sum of parts, each known from so many cases: as from how many it is known altogether."""
    known = list(parts)
    spread = sum((variance**2 / max(cases, _HALF) for variance, cases in known), Fraction(0))
    return sum((variance for variance, _ in known), Fraction(0)) ** 2 / spread if spread else Fraction(0)


def cases_apart(strata: Sequence[Stratum], cells: Sequence[str], files: Scanned) -> Fraction | None:
    """Of so many contents a variance is known, each draw and folder counting by its part; None without folders.

    Where few files stand for many, they are what it is known from.
    """
    groups = files.apart()
    if len(groups) < 2:
        return None
    parts = []
    for draw in draws_of(strata):
        for group in groups:
            here = [one for one in draw if one.place in group.by_place]
            weighted = sum((total(here, cell) for cell in cells), Fraction(0))
            spread = sum(
                (
                    (one.squares or one.cells).get(cell, 0) * (one.weight / one.probability) ** 2
                    for one in here
                    for cell in cells
                ),
                Fraction(0),
            )
            parts.append((spread, weighted**2 / spread if spread else Fraction(0)))
    return satterthwaite(parts)


def evenness(strata: Sequence[Stratum], cells: Sequence[str]) -> Fraction:
    """The share of a variance that would be left if all files of a draw stood for as many; 1 where they do."""
    even, whole = Fraction(0), Fraction(0)
    for draw in draws_of(strata):
        counts = [(one.weight, sum(one.cells.get(cell, 0) for cell in cells)) for one in draw]
        files, weighted, squares = (sum(weight**power * count for weight, count in counts) for power in (0, 1, 2))
        if files:
            even += weighted**2 / files / draw[0].probability ** 2
            whole += squares / draw[0].probability ** 2
    return even / whole if whole else Fraction(1)


def total(strata: Sequence[Stratum], cell: str) -> Fraction:
    """Each verified file of the cell counts with one over its probability."""
    return sum((stratum.cells.get(cell, 0) * stratum.weight / stratum.probability for stratum in strata), Fraction(0))


def sampling_covariance(
    strata: Sequence[Stratum], u: Mapping[str, Fraction | int], v: Mapping[str, Fraction | int]
) -> Fraction:
    """Covariance of two weighted sums under draws without replacement inside each stratum.

    A file of cell c adds u[c] to the one and v[c] to the other.
    """
    covariance = Fraction(0)
    for draw in draws_of(strata):
        probability = draw[0].probability
        if probability == 1:
            continue
        sums = [_sums(stratum, u, v) for stratum in draw]
        products, first, second = (sum((one[place] for one in sums), Fraction(0)) for place in range(3))
        verified = sum(stratum.verified for stratum in draw)
        spread = (products - first * second / verified) * verified / (verified - 1) if verified > 1 else products
        covariance += (1 - probability) / probability**2 * spread
    return covariance


def draws_of(strata: Sequence[Stratum]) -> list[list[Stratum]]:
    """What was drawn as one, however many files of the source each stands for."""
    draws: dict[tuple[str, Fraction], list[Stratum]] = {}
    for stratum in strata:
        draws.setdefault((stratum.name, stratum.probability), []).append(stratum)
    return list(draws.values())


Values = Mapping[str, Fraction | int]


@dataclass(frozen=True, slots=True)
class Clusters:
    """All `files`, and what clusters add to sums of products: for two cells, or a cell and `every` file of a place."""

    files: Scanned
    excess: Mapping[tuple[str, str], Fraction]

    def products(self, u: Values, v: Values) -> Fraction:
        """Of a cluster's sum of u with its sum of v."""
        added = Fraction(0)
        for (first, second), amount in self.excess.items():
            added += amount * u.get(first, 0) * v.get(second, 0)
            if first != second:
                added += amount * u.get(second, 0) * v.get(first, 0)
        return added


def file_covariance(strata: Sequence[Stratum], clusters: Clusters, u: Values, v: Values) -> Fraction:
    """Covariance of the same sums over other sets of files from the same source, cluster by cluster.

    What was drawn apart (folders) is known apart: only how far files differ from the mean of their own folder counts.
    """
    groups = clusters.files.apart()
    around: tuple[dict[str, Fraction | int], dict[str, Fraction | int]] = ({**u}, {**v})
    covariance = Fraction(0)
    for group in groups:
        if not group.number:
            continue
        inside = [stratum for stratum in strata if stratum.place in group.by_place]
        sums = [_weighted_sums(stratum, u, v) for stratum in inside]
        first, second = (
            sum((one[which] * stratum.weight for one, stratum in zip(sums, inside, strict=True)), Fraction(0))
            / group.weighted
            for which in (1, 2)
        )
        for values, mean in zip(around, (first, second), strict=True):
            values |= {every(place): -mean for place in group.by_place}
        for (products, of_u, of_v, same), stratum in zip(sums, inside, strict=True):
            covariance += stratum.weight**2 * (products - first * of_v - second * of_u)
            if len(groups) > 1:  # a mean that is known from few files is close to them by chance
                covariance += stratum.weight**2 * same * group.squares / group.weighted**2
        covariance += first * second * group.squares
    return covariance + clusters.products(*around)


def _weighted_sums(stratum: Stratum, u: Values, v: Values) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Of all that the stratum stands for: products, the two sums, and what products of a file with itself add up to."""
    products = first = second = Fraction(0)
    for cell, count in stratum.cells.items():
        weighted = count / stratum.probability
        products += weighted * u.get(cell, 0) * v.get(cell, 0)
        first += weighted * u.get(cell, 0)
        second += weighted * v.get(cell, 0)
    return products, first, second, products / stratum.probability


def _sums(stratum: Stratum, u: Values, v: Values) -> tuple[Fraction, Fraction, Fraction]:
    """Of what was drawn, by weight: products content by content, and the two sums."""
    squares = stratum.cells if stratum.squares is None else stratum.squares
    products = first = second = Fraction(0)
    for cell, count in stratum.cells.items():
        products += squares[cell] * Fraction(u.get(cell, 0)) * v.get(cell, 0)
        first += count * Fraction(u.get(cell, 0))
        second += count * Fraction(v.get(cell, 0))
    return products * stratum.weight**2, first * stratum.weight, second * stratum.weight


def sampled_interval(strata: Sequence[Stratum], cell: str, n: int, level: float = 0.95) -> Interval | None:
    """A Wilson interval with as many trials as the sample is worth; plain Wilson over n where every file was verified.

    A stratum in which no file (or every file) fell into the cell would have no variance; half a file is added, for the
    variance only.
    """
    if n == 0:
        return None
    estimate = total(strata, cell)
    if all(stratum.probability == 1 for stratum in strata):
        return interval(int(estimate), n, level=level)
    share = estimate or sum((_HALF / stratum.probability for stratum in strata if stratum.probability < 1), Fraction(0))
    share = min(share / n, Fraction(n - 1, n) if n > 1 else _HALF)
    by_draw = sum((_cautious_variance(stratum, stratum.cells.get(cell, 0)) for stratum in strata), Fraction(0))
    worth = share * (1 - share) / (share * (1 - share) / n + by_draw / n**2)
    return wilson(min(1.0, float(estimate / n)), float(worth), level)


def _cautious_variance(stratum: Stratum, count: int) -> Fraction:
    share = (count + _HALF) / (stratum.verified + 1)
    return (1 - stratum.probability) / stratum.probability**2 * stratum.verified * share * (1 - share)
