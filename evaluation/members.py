"""Members of containers, by cell -> what they add to sums of squares, as `tally` adds it up file by file.

Members of one container stand or fall together in part: the product of two sums over a container counts, without the
products inside one content, which copies have added already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Members:
    """Side by side: a container, a cell, whether referred, the number of files, and the sum of squares of contents."""

    container: Counts
    cell: Counts
    referred: Flags
    files: Counts
    squares: Counts

    def kept(self, inside: Flags) -> "Members":
        """Those in cells that are `inside`, which are numbered anew."""
        stays = inside[self.cell]
        number = np.cumsum(inside) - 1
        return Members(
            self.container[stays],
            number[self.cell[stays]],
            self.referred[stays],
            self.files[stays],
            self.squares[stays],
        )


@dataclass(frozen=True, slots=True)
class Part:
    """Some contents in containers, each with its number of files there and how many files of its kind it stands for."""

    container: Counts
    files: Counts
    squares: Counts
    times: Fraction = Fraction(1)


class Products:
    """Sums over containers, multiplied."""

    def __init__(self, members: Members) -> None:
        self._containers = int(members.container.max(initial=-1)) + 1
        self._everything = Part(members.container, members.files, members.squares)

    def own(self, parts: Sequence[Part]) -> Fraction:
        """The squares of the sums, without those of single contents."""
        return self.within(parts, parts)

    def within(self, parts: Sequence[Part], others: Sequence[Part]) -> Fraction:
        """The sums of some contents with those of others, which have all of them, without their own squares."""
        same = sum((part.times**2 * int(part.squares.sum()) for part in parts), Fraction(0))
        return self.of(parts, others) - same

    def of(self, parts: Sequence[Part], others: Sequence[Part]) -> Fraction:
        first, second = ([(part.times, self._sums(part)) for part in side] for side in (parts, others))
        return sum((one[0] * other[0] * int(one[1] @ other[1]) for one in first for other in second), Fraction(0))

    def with_all(self, parts: Sequence[Part]) -> Fraction:
        """With the numbers of all files of the containers, without those of the same content."""
        same = sum((part.times * int(part.squares.sum()) for part in parts), Fraction(0))
        return self.of(parts, [self._everything]) - same

    def _sums(self, part: Part) -> Counts:
        added = np.bincount(part.container, weights=part.files, minlength=self._containers)
        return added.astype(np.int64)
