"""Verified files, each with the probability of its draw -> weighted sums and their covariances (Horvitz-Thompson).

Two random steps are at work: which files were there to scan, and which of them were drawn for verification. The
variance of a total is the sum of both. If everything was verified, the second is zero, and the result is exactly that
of the plain formulas.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evaluation.rates import Interval, interval, wilson

PHI, NOT_PHI = "phi", "not_phi"
_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Files drawn at random with one probability: how many were verified, and how many of those fell into each cell.

    Each stands for `weight` files of the source. `contents` are the number of contents and `squares` their squared
    numbers of files, summed: without copies, both are the number of files.
    """

    name: str
    probability: Fraction
    verified: int
    cells: Mapping[str, int]
    weight: Fraction = Fraction(1)
    squares: Mapping[str, int] | None = None
    contents: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        if not 0 < self.probability <= 1:
            raise ValueError(f"stratum {self.name!r}: a probability is above 0 and at most 1")
        if min(self.cells.values(), default=0) < 0 or sum(self.cells.values()) > self.verified:
            raise ValueError(f"stratum {self.name!r}: the cells hold more files than were verified")


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
    for stratum in strata:
        if stratum.probability == 1:
            continue
        products, first, second = _sums(stratum, u, v)
        if stratum.verified > 1:
            spread = (products - first * second / stratum.verified) * stratum.verified / (stratum.verified - 1)
        else:
            spread = products
        covariance += (1 - stratum.probability) / stratum.probability**2 * stratum.weight**2 * spread
    return covariance


Values = Mapping[str, Fraction | int]


@dataclass(frozen=True, slots=True)
class Clusters:
    """What clusters add to sums of products: for two cells, or a cell and all files (`every`).

    `squares` is the sum of the squared weights of all files: their number, where every file stands for itself.
    """

    excess: Mapping[tuple[str, str], Fraction]
    squares: Fraction
    every: str = "n"

    def products(self, u: Values, v: Values) -> Fraction:
        """Of a cluster's sum of u with its sum of v."""
        added = Fraction(0)
        for (first, second), amount in self.excess.items():
            added += amount * u.get(first, 0) * v.get(second, 0)
            if first != second:
                added += amount * u.get(second, 0) * v.get(first, 0)
        return added

    def sizes(self, u: Values) -> Fraction:
        """Of a cluster's sum of u with its number of files."""
        return sum((self.excess.get((name, self.every), Fraction(0)) * value for name, value in u.items()), Fraction(0))


def file_covariance(
    strata: Sequence[Stratum], n: int, u: Values, v: Values, clusters: Clusters | None = None
) -> Fraction:
    """Covariance of the same sums over other sets of n files from the same source, cluster by cluster."""
    known = clusters or Clusters({}, Fraction(n))
    products, first, second = known.products(u, v), Fraction(0), Fraction(0)
    with_first, with_second = known.sizes(u), known.sizes(v)
    for stratum in strata:
        sums = _weighted_sums(stratum, u, v)
        products += sums[0] * stratum.weight**2
        first += sums[1] * stratum.weight
        second += sums[2] * stratum.weight
        with_first += sums[1] * stratum.weight**2
        with_second += sums[2] * stratum.weight**2
    every = known.squares + known.excess.get((known.every, known.every), Fraction(0))
    return products - first / n * with_second - second / n * with_first + first * second / n**2 * every


def _weighted_sums(stratum: Stratum, u: Values, v: Values) -> tuple[Fraction, Fraction, Fraction]:
    products = first = second = Fraction(0)
    for cell, count in stratum.cells.items():
        weighted = count / stratum.probability
        products += weighted * u.get(cell, 0) * v.get(cell, 0)
        first += weighted * u.get(cell, 0)
        second += weighted * v.get(cell, 0)
    return products, first, second


def _sums(stratum: Stratum, u: Values, v: Values) -> tuple[Fraction, Fraction, Fraction]:
    """Of what was drawn: products content by content, and the two sums."""
    squares = stratum.cells if stratum.squares is None else stratum.squares
    products = first = second = Fraction(0)
    for cell, count in stratum.cells.items():
        products += squares[cell] * Fraction(u.get(cell, 0)) * v.get(cell, 0)
        first += count * Fraction(u.get(cell, 0))
        second += count * Fraction(v.get(cell, 0))
    return products, first, second


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
