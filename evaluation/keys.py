"""The names under which counts are added up: what a key counts comes first, then the row, the stage and the draw."""

from fractions import Fraction

Key = tuple[str, ...]
Pair = tuple[str, str]
Number = int | Fraction
ALL, SCREENED = "*", "+"  # rows beside those of rules: all examined files, and the screened positives
BY_AUDIT = "audit"  # instead of a probability: as many of the negatives as the audit has

POSITIVE, RULE = "positive", "rule"  # files of a row, and those of them that are verified
PAIR, UNVERIFIED = "pair", "unverified"  # files that one of two rules flagged, verified or not
MERGED, SQUARE = "merged", "square"  # of contents in a draw: files after the first, and m² - m for m files
EXCESS = "excess"  # for two cells: what clusters add to sums of products over single files


def every(weight: object) -> str:
    """The cell of all files that stand for so many of the source: it needs no label."""
    return f"n:{weight}"
