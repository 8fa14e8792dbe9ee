"""The names under which counts are added up: what a key counts comes first, then the row, the stage and the draw."""

from fractions import Fraction
from functools import lru_cache

Key = tuple[str, ...]
Pair = tuple[str, str]
Number = int | Fraction
ALL, SCREENED = "*", "+"  # rows beside those of rules: all examined files, and the screened positives
BY_AUDIT = "audit"  # instead of a probability: as many of the negatives as the audit has

POSITIVE, RULE = "positive", "rule"  # files of a row, and those of them that are verified
PAIR, UNVERIFIED = "pair", "unverified"  # files that one of two rules flagged, verified or not
MERGED, SQUARE = "merged", "square"  # of contents in a draw: files after the first, and m² - m for m files
FLAGGED = "flagged"  # the cell of what a rule flagged: it needs no label
OF = " of "  # between how many were drawn for a sheet and how many there were
EXCESS = "excess"  # for two cells: what clusters add to sums of products over single files


def place_of(weight: str, folder: str) -> str:
    """Where a scanned file was drawn: how many files of the source it stands for, and the folder, if drawn apart."""
    return f"{weight} {folder}" if folder else weight


@lru_cache(maxsize=65_536)
def weight_of(place: str) -> Fraction:
    return Fraction(place.partition(" ")[0])


def every(place: str) -> str:
    """The cell of all files that were drawn there: it needs no label."""
    return f"n:{place}"


NOT_DRAWN = "1"  # the place of files of a scan of everything
