"""Columns and rows -> a plot that is at once a drawing, a table and a CSV file."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from core.csv_cells import safe_cell
from core.in_words import spoken_size

UNDEFINED = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """`how` says how a value is written for people: text, count, rate, percent, ratio, seconds, bytes or day."""

    key: str
    label: str
    how: str = "text"


@dataclass(frozen=True, slots=True)
class Plot:
    """`kind` names the drawing of dashboard.js; `empty` is said where there is nothing to draw."""

    name: str
    kind: str
    title: str
    note: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    empty: str = "There is nothing to draw yet."
    options: dict[str, Any] = field(default_factory=dict)
    table_first: bool = False
    links: Sequence[str] = ()  # an address for each row, where a row leads on

    @property
    def data(self) -> dict[str, Any]:
        keys = [column.key for column in self.columns]
        rows = [dict(zip(keys, row, strict=True)) for row in self.rows]
        for row, link in zip(rows, self.links, strict=False):
            row["link"] = link
        return {"kind": self.kind, "title": self.title, "rows": rows, **self.options}

    @property
    def data_id(self) -> str:
        return f"data-{self.name}"

    @property
    def written(self) -> list[list[tuple[str, str, str]]]:
        """Each cell as (text, how, link): only the first cell of a row leads on."""
        lines = []
        for number, row in enumerate(self.rows):
            link = self.links[number] if number < len(self.links) else ""
            lines.append(
                [
                    (written(value, column.how), column.how, "" if place else link)
                    for place, (value, column) in _cells(self, row)
                ]
            )
        return lines

    def as_csv(self) -> str:
        sheet = io.StringIO()
        writer = csv.writer(sheet, lineterminator="\n")
        writer.writerow([column.key for column in self.columns])
        writer.writerows([["" if value is None else safe_cell(value) for value in row] for row in self.rows])
        return sheet.getvalue()


def _cells(plot: Plot, row: Sequence[Any]) -> Any:
    return enumerate(zip(row, plot.columns, strict=True))


def written(value: Any, how: str) -> str:
    if value is None or value == "":
        return UNDEFINED
    if how == "count":
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
    if how == "rate":
        if 0 < value < 0.00005:
            return "< 0.0001"
        return f"{value:.4f}" if abs(value) < 0.01 and value else f"{value:.3f}"
    if how == "percent":
        return f"{100 * value:.1f} %"
    if how == "ratio":
        return f"{value:.2f}"
    if how == "seconds":
        return _duration(float(value))
    if how == "bytes":
        return spoken_size(float(value))
    return str(value)


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = seconds / 60
    if minutes < 120:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h" if minutes < 2_880 else f"{minutes / 1_440:.0f} days"
