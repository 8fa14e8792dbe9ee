"""Counts of what was right, too much and missed -> precision, recall and F; undefined where nothing was there to be counted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scores:
    precision: float | None
    recall: float | None
    f: float | None


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def scores(right: int, too_much: int, missed: int) -> Scores:
    """P = TP / (TP + FP), R = TP / (TP + FN), F = 2PR / (P + R); F is undefined only where nothing was there and nothing was found."""
    return Scores(
        share(right, right + too_much), share(right, right + missed), share(2 * right, 2 * right + too_much + missed)
    )
