"""A mask of ink -> the boxes of its connected parts."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from extraction.lazy_import import LazyModule

if TYPE_CHECKING:
    from numpy.typing import NDArray

NUMPY = LazyModule("numpy")
MOST_RUNS = 400_000  # a picture with more is noise
MOST_ROUNDS = 200

Numbers: TypeAlias = "NDArray[Any]"


@dataclass(frozen=True, slots=True)
class Boxes:
    """One entry per connected part: the columns and rows that it spans, and how many pixels it has."""

    left: Numbers
    top: Numbers
    right: Numbers
    bottom: Numbers
    area: Numbers

    @property
    def across(self) -> Numbers:
        return (self.left + self.right) / 2

    @property
    def down(self) -> Numbers:
        return (self.top + self.bottom) / 2

    def __len__(self) -> int:
        return len(self.left)

    def where(self, wanted: "Numbers | slice") -> "Boxes":
        return Boxes(self.left[wanted], self.top[wanted], self.right[wanted], self.bottom[wanted], self.area[wanted])


def components(mask: Numbers) -> Boxes | None:
    """Joins runs of ink that touch, also at corners, in neighbouring rows; None if there is no ink, or only noise."""
    numpy = NUMPY.load()
    height, width = mask.shape
    stride = width + 1  # an empty column ends every row
    flat = numpy.zeros((height, stride), numpy.int8)
    flat[:, :width] = mask
    steps = numpy.diff(flat.ravel(), prepend=numpy.int8(0))
    starts, ends = numpy.flatnonzero(steps == 1), numpy.flatnonzero(steps == -1)
    if not 0 < len(starts) <= MOST_RUNS:
        return None
    labels = _joined(*_touching(starts, ends, stride), len(starts))
    order = numpy.argsort(labels, kind="stable")
    ordered = labels[order]
    firsts = numpy.flatnonzero(numpy.concatenate(([True], ordered[1:] != ordered[:-1])))
    rows, left, right = (starts // stride)[order], (starts % stride)[order], (ends % stride)[order]
    return Boxes(
        numpy.minimum.reduceat(left, firsts),
        numpy.minimum.reduceat(rows, firsts),
        numpy.maximum.reduceat(right, firsts),
        numpy.maximum.reduceat(rows, firsts) + 1,
        numpy.add.reduceat(right - left, firsts),
    )


def _touching(starts: Numbers, ends: Numbers, stride: int) -> tuple[Numbers, Numbers]:
    """Pairs of runs, one of them in the row below the other."""
    numpy = NUMPY.load()
    first = numpy.searchsorted(ends, starts + stride, "left")
    counts = numpy.maximum(numpy.searchsorted(starts, ends + stride, "right") - first, 0)
    above = numpy.repeat(numpy.arange(len(starts)), counts)
    below = numpy.arange(counts.sum()) + numpy.repeat(first - (numpy.cumsum(counts) - counts), counts)
    return above, below


def _joined(above: Numbers, below: Numbers, count: int) -> Numbers:
    """The smallest number of a run that each run is joined to; long spirals, which no letter is, may fall apart."""
    numpy = NUMPY.load()
    labels: Numbers = numpy.arange(count)
    for _ in range(MOST_ROUNDS):
        upper, lower = labels[above], labels[below]
        least = numpy.minimum(upper, lower)
        joined = labels.copy()
        numpy.minimum.at(joined, upper, least)
        numpy.minimum.at(joined, lower, least)
        joined = joined[joined]
        joined = joined[joined]
        if numpy.array_equal(joined, labels):
            break
        labels = joined
    return labels
