"""Counts of hits, false positives and misses -> precision, recall and F; undefined if there is nothing to count."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scores:
    precision: float | None
    recall: float | None
    f: float | None


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def scores(right: int, too_much: int, missed: int) -> Scores:
    """P = TP / (TP + FP), R = TP / (TP + FN), F = 2PR / (P + R); F is undefined only if all three counts are 0."""
    return Scores(
        share(right, right + too_much), share(right, right + missed), share(2 * right, 2 * right + too_much + missed)
    )
