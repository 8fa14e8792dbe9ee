"""Contents of a kind and their numbers of files -> how unequal they are, and by how much a small draw hides that.

A draw that meets a dozen PHI contents may well miss the one that is there a hundred times, and then claims too much.
So a draw borrows: if the verified contents of the same kind of all stages are more unequal, theirs counts, as long as
the draw does not contradict it.
"""

from dataclasses import dataclass
from fractions import Fraction

CONTRADICTED = 3  # standard errors by which files differ from what is usual, so that it does not count


@dataclass(frozen=True, slots=True)
class Sizes:
    """So many contents, their files, and the sum of their squared numbers of files."""

    contents: int = 0
    files: int = 0
    squares: int | Fraction = 0

    @property
    def cases(self) -> Fraction:
        """As many equal contents would say as much (Kish)."""
        return Fraction(self.files**2, self.squares) if self.squares else Fraction(0)


def widening(own: Sizes, usual: Sizes) -> Fraction:
    """By what factor the squares of a draw's contents are to be taken larger; 1 where they are as unequal as usual.

    The less often usual contents would have as few files as the draw, the less they count.
    """
    if not own.files or usual.squares * own.files <= own.squares * usual.files:
        return Fraction(1)
    mean = Fraction(usual.files, usual.contents)
    variance = Fraction(usual.squares, usual.contents) - mean**2
    short = max(Fraction(0), own.contents * mean - own.files)
    reach = own.contents * variance * CONTRADICTED**2
    if short**2 >= reach and short:
        return Fraction(1)
    trust = 1 - short**2 / reach if short else 1
    return 1 + trust * (Fraction(usual.squares * own.files, usual.files * own.squares) - 1)
