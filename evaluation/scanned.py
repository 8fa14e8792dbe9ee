"""Examined files by how many files of the source each stands for -> their number, their sums, and what drew them apart.

A scan that drew from each folder apart weighs the files of a folder alike, so that weights tell folders apart. Folders
of one weight count as one, which errs on the wide side.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

_FEWEST = 10  # files of a folder whose mean says anything of it


@dataclass(frozen=True, slots=True)
class Scanned:
    """`weighted` is the number of files of the source, `squares` the sum of the squared weights."""

    by_weight: Mapping[Fraction, int]
    number: int = field(init=False)
    weighted: Fraction = field(init=False)
    squares: Fraction = field(init=False)

    def __post_init__(self) -> None:
        powers = (
            sum((files * weight**power for weight, files in self.by_weight.items()), Fraction(0)) for power in (1, 2)
        )
        object.__setattr__(self, "number", sum(self.by_weight.values()))
        object.__setattr__(self, "weighted", next(powers))
        object.__setattr__(self, "squares", next(powers))

    @property
    def is_alike(self) -> bool:
        """Whether every file stands for as many."""
        return self.squares * self.number == self.weighted**2

    def without(self, others: "Scanned") -> "Scanned":
        left = {weight: files - others.by_weight.get(weight, 0) for weight, files in self.by_weight.items()}
        return Scanned({weight: files for weight, files in left.items() if files})

    def apart(self) -> "list[Scanned]":
        """What was drawn apart, by weight; few files are put together with those of the next weight."""
        groups: list[dict[Fraction, int]] = []
        for weight, files in sorted(self.by_weight.items()):
            if groups and sum(groups[-1].values()) < _FEWEST:
                groups[-1][weight] = files
            else:
                groups.append({weight: files})
        if len(groups) > 1 and sum(groups[-1].values()) < _FEWEST:
            last = groups.pop()
            groups[-1] |= last
        return [Scanned(group) for group in groups]


def once(files: int) -> Scanned:
    """Files that stand each for itself."""
    return Scanned({Fraction(1): files} if files else {})
