"""Examined files by where they were drawn -> their number, how many files they stand for, and what was drawn apart."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from evaluation.keys import NOT_DRAWN, weight_of

_FEWEST = 10  # files of a folder whose mean says anything of it


@dataclass(frozen=True, slots=True)
class Scanned:
    """`weighted` is the number of files of the source, `squares` the sum of the squared weights."""

    by_place: Mapping[str, int]
    number: int = field(init=False)
    weighted: Fraction = field(init=False)
    squares: Fraction = field(init=False)

    def __post_init__(self) -> None:
        weights = [(weight_of(place), files) for place, files in self.by_place.items()]
        object.__setattr__(self, "number", sum(self.by_place.values()))
        object.__setattr__(self, "weighted", sum((files * weight for weight, files in weights), Fraction(0)))
        object.__setattr__(self, "squares", sum((files * weight**2 for weight, files in weights), Fraction(0)))

    @property
    def is_simple(self) -> bool:
        """Whether everything was drawn as one."""
        return len(self.by_place) < 2

    def without(self, others: "Scanned") -> "Scanned":
        left = {place: files - others.by_place.get(place, 0) for place, files in self.by_place.items()}
        return Scanned({place: files for place, files in left.items() if files})

    def apart(self) -> "list[Scanned]":
        """What was drawn apart; folders with few files are put together with those of the next weight."""
        groups: list[dict[str, int]] = []
        for place, files in sorted(self.by_place.items(), key=lambda item: (weight_of(item[0]), item[0])):
            if groups and sum(groups[-1].values()) < _FEWEST:
                groups[-1][place] = files
            else:
                groups.append({place: files})
        if len(groups) > 1 and sum(groups[-1].values()) < _FEWEST:
            last = groups.pop()
            groups[-1] |= last
        return [Scanned(group) for group in groups]


def once(files: int) -> Scanned:
    """Files that stand each for itself."""
    return Scanned({NOT_DRAWN: files} if files else {})
