"""Counts -> bars and slices: labels and widths in percent of a plot."""

from collections.abc import Iterable
from dataclasses import dataclass

from leakscreen.report.format import number

_SMALLEST = 0.6  # percent: anything above zero stays visible


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    value: str
    note: str
    width: float
    tone: str = "plain"
    ghost: float = 0.0  # a paler bar behind it, for the larger total
    flag: str = ""  # the part of the note that needs attention


@dataclass(frozen=True, slots=True)
class Slice:
    """A piece of a stacked bar, with its line of the legend."""

    label: str
    value: str
    share: str
    start: float
    width: float
    tone: str


def width(value: float | None, largest: float | None) -> float:
    amount, scale = number(value), number(largest)
    if not amount or amount < 0 or not scale or scale <= 0:
        return 0.0
    return round(max(_SMALLEST, min(100.0, 100 * amount / scale)), 3)


def stack(parts: Iterable[tuple[str, str, str, float, str]]) -> list[Slice]:
    """(label, value, share, amount, tone) -> slices side by side that fill the bar together."""
    kept = list(parts)
    widths = [width(amount, sum(part[3] for part in kept)) for *_, amount, _tone in kept]
    total = sum(widths) or 1.0
    slices, start = [], 0.0
    for (label, value, share, _, tone), wide in zip(kept, widths, strict=True):
        scaled = 100 * wide / total
        slices.append(Slice(label, value, share, round(start, 3), round(scaled, 3), tone))
        start += scaled
    return slices
