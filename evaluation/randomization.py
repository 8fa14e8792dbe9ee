"""Counts of two systems on the same records -> is one better: approximate randomization (Uzuner et al., 2007)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SHUFFLES = 9_999
SIGNIFICANT = 0.1
_AT_ONCE = 512
_ROUNDING = 1e-12

Counts = NDArray[np.float64]  # one row a record
Figure = Callable[[Counts], Counts]  # sums of counts, one row each -> one figure each


@dataclass(frozen=True, slots=True)
class Significance:
    """`p` is the share of shuffles, the real one included, with as large a difference; None if one is undefined."""

    first: float | None
    second: float | None
    difference: float | None
    p: float | None
    significant: bool | None
    shuffles: int


def approximate_randomization(
    first: Any, second: Any, figure: Figure, shuffles: int = SHUFFLES, seed: int = 20
) -> Significance:
    """Swaps the two systems' counts of whole records at random; s = (k + 1) / (N + 1), significant if s <= 0.1."""
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 2:
        raise ValueError("both systems need one row of counts for each record")
    totals = one.sum(axis=0), other.sum(axis=0)
    figures = [float(figure(total[None, :])[0]) for total in totals]
    if not len(one) or not all(np.isfinite(figures)):
        defined = [value if np.isfinite(value) else None for value in figures]
        return Significance(defined[0], defined[1], None, None, None, 0)
    real = abs(figures[0] - figures[1])
    dice, change = np.random.default_rng(seed), other - one
    as_large = 0
    for start in range(0, shuffles, _AT_ONCE):
        coins = dice.integers(0, 2, size=(min(_AT_ONCE, shuffles - start), len(one)))
        moved = coins @ change
        differences = np.abs(figure(totals[0] + moved) - figure(totals[1] - moved))
        # A shuffle in which a figure is undefined is no evidence of a difference; to be safe, it counts as one.
        as_large += int(np.count_nonzero(~(differences < real - _ROUNDING)))
    p = (as_large + 1) / (shuffles + 1)
    return Significance(figures[0], figures[1], figures[0] - figures[1], p, p <= SIGNIFICANT, shuffles)


def f_of(counts: Counts) -> Counts:
    """Columns right, too much, missed -> F."""
    right = counts[:, 0]
    return _divided(2 * right, 2 * right + counts[:, 1] + counts[:, 2])


def precision_of(counts: Counts) -> Counts:
    return _divided(counts[:, 0], counts[:, 0] + counts[:, 1])


def recall_of(counts: Counts) -> Counts:
    return _divided(counts[:, 0], counts[:, 0] + counts[:, 2])


def _divided(above: Counts, below: Counts) -> Counts:
    divided: Counts = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
    return divided
