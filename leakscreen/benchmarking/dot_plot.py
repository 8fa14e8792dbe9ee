"""Labelled values with intervals -> a dot plot as SVG, drawn without any library."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

_LEFT, _RIGHT, _TOP, _ROW, _BOTTOM = 330, 40, 64, 22, 46
_WIDTH = 860
_COLOURS = (
    "#1b6ca8",
    "#d1495b",
    "#2e8b57",
    "#8d5fa8",
    "#b8860b",
    "#555555",
    "#12a3a3",
    "#e07b39",
    "#1b1b8f",
    "#d16ba5",
)


@dataclass(frozen=True, slots=True)
class Dot:
    """One value in a row of the plot; rows of one group share a colour."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    group: str = ""


def dot_plot(
    title: str,
    dots: Sequence[Dot],
    limits: tuple[float, float],
    ticks: Sequence[float],
    band: tuple[float, float] | None = None,
) -> str:
    """Dots with the same label share a row; `band`, the range of desired values, is shaded."""
    labels = list(dict.fromkeys(dot.label for dot in dots))
    groups = list(dict.fromkeys(dot.group for dot in dots))
    height = _TOP + _ROW * len(labels) + _BOTTOM

    def x(value: float) -> float:
        inside = min(max(value, limits[0]), limits[1])
        return round(_LEFT + (inside - limits[0]) / (limits[1] - limits[0]) * (_WIDTH - _LEFT - _RIGHT), 1)

    bottom = height - _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
        f'<text x="12" y="24" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    if band:
        parts.append(
            f'<rect x="{x(band[0])}" y="{_TOP - 8}" width="{x(band[1]) - x(band[0])}" height="{bottom - _TOP + 8}" '
            'fill="#e6f2e6"/>'
        )
    for tick in ticks:
        parts.append(f'<line x1="{x(tick)}" x2="{x(tick)}" y1="{_TOP - 8}" y2="{bottom}" stroke="#dddddd"/>')
        parts.append(f'<text x="{x(tick)}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>')
    for row, label in enumerate(labels):
        parts.append(f'<text x="{_LEFT - 12}" y="{_TOP + _ROW * row + 15}" text-anchor="end">{escape(label)}</text>')
    for dot in dots:
        offset = (groups.index(dot.group) - (len(groups) - 1) / 2) * 4
        parts += _marks(
            dot,
            x,
            round(_TOP + _ROW * labels.index(dot.label) + 11 + offset, 1),
            _COLOURS[groups.index(dot.group) % len(_COLOURS)],
        )
    parts += _legend(groups)
    return "\n".join([*parts, "</svg>", ""])


def _marks(dot: Dot, x: Callable[[float], float], y: float, colour: str) -> list[str]:
    marks = []
    if dot.low is not None and dot.high is not None:
        marks.append(
            f'<line x1="{x(dot.low)}" x2="{x(dot.high)}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="1.5"/>'
        )
    return [*marks, f'<circle cx="{x(dot.value)}" cy="{y}" r="4" fill="{colour}"/>']


def _legend(groups: Sequence[str]) -> list[str]:
    parts, left = [], _LEFT
    for number, group in enumerate(groups):
        if group:
            parts.append(f'<circle cx="{left}" cy="42" r="4" fill="{_COLOURS[number % len(_COLOURS)]}"/>')
            parts.append(f'<text x="{left + 9}" y="46">{escape(group)}</text>')
            left += 30 + 7 * len(group)
    return parts
