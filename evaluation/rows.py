"""The counts behind one rule: its verified files by draw and truth, stage by stage, and what clusters add."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from evaluation.copies import Sizes, widening
from evaluation.keys import NOT_DRAWN, weight_of
from evaluation.scanned import Scanned

_ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Verified files of a rule, by truth, that were drawn with one probability.

    Each stands for `weight` files of the source (more than 1 where the scan itself was a sample) and is from one
    `place` of it. `contents` and
    `squares` are the number of different contents and the sum of their squared numbers of files; without copies both
    are the number of files. `draws` are all contents of the draw, whether or not the rule flagged them; `usual` are
    the verified contents of all stages there. `judged` is the share of the
    draw that has labels; `probability` is the chance to be drawn and to have one.
    """

    probability: Fraction
    files: Mapping[str, int]
    stratum: str = ""
    place: str = NOT_DRAWN
    contents: Mapping[str, int] | None = None
    squares: Mapping[str, int | Fraction] | None = None
    draws: int | None = None
    usual: Mapping[str, Sizes] | None = None
    judged: Fraction = _ONE

    def __post_init__(self) -> None:
        if not 0 < self.probability <= 1:
            raise ValueError(f"stratum {self.stratum!r}: a probability is above 0 and at most 1")

    @property
    def weight(self) -> Fraction:
        return weight_of(self.place)

    @property
    def verified(self) -> int:
        return sum(self.files.values())

    def content(self, truth: str) -> int:
        return (self.files if self.contents is None else self.contents).get(truth, 0)

    def square(self, truth: str) -> int | Fraction:
        return (self.files if self.squares is None else self.squares).get(truth, 0)

    def spread(self, truth: str) -> Fraction:
        """The squares, larger where contents of the kind are usually more unequal than those that were drawn."""
        square = self.square(truth)
        if not square or self.usual is None:
            return Fraction(square)
        own = Sizes(self.content(truth), self.files.get(truth, 0), square)
        return square * widening(own, self.usual.get(truth, own))

    def evened(self) -> "Drawn":
        """As if all contents of a kind had the same number of files."""
        if self.contents is None or self.contents == self.files:
            return self
        squares = {truth: Fraction(count**2, self.content(truth)) for truth, count in self.files.items() if count}
        return replace(self, squares=squares, usual=None)

    def weighted(self, truth: str) -> Fraction:
        return self.files.get(truth, 0) * self.weight / self.probability


@dataclass(frozen=True, slots=True)
class Domain:
    """A rule's files in one stage (referred, screened only, screened negative), and what was verified of them."""

    stage: str
    files: Scanned
    drawn: tuple[Drawn, ...] = ()

    @property
    def positive(self) -> int:
        return self.files.number

    @property
    def weighted(self) -> Fraction:
        return self.files.weighted

    @property
    def verified(self) -> int:
        return sum(drawn.verified for drawn in self.drawn)


@dataclass(frozen=True, slots=True)
class Row:
    """A rule (or the tool as a whole) on n examined `files`, which stand for `weighted` ones.

    `excess` has, for two cells, what clusters add to the sum of products over single files: nothing where no two files
    belong together.
    """

    rule: str
    files: Scanned
    domains: tuple[Domain, ...]
    excess: Mapping[tuple[str, str], Fraction]
    otherwise: Fraction | None = None  # by what factor clusters widen the variance of all screened positives

    @property
    def n(self) -> int:
        return self.files.number

    @property
    def weighted(self) -> Fraction:
        return self.files.weighted

    @property
    def positive(self) -> int:
        return sum(domain.positive for domain in self.domains)
