"""Columns and rows -> a plot that is at once a drawing, a table and a CSV file."""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from core.csv_cells import safe_cell
from review.templatetags.wording import reason_words, rule_words
from review.translation import gettext, gettext_lazy, localised_size, number

UNDEFINED = "–"
WORST_CASES = "worst cases"  # what the limits of a rate are where no label speaks for some of its files
_NAMING = ("label", "rule", "series")  # columns that say what a row is about


@dataclass(frozen=True, slots=True)
class Column:
    """`how` says how a value is written for people: text, name (of a source, which no language
    changes), rule, reason, count, rate, percent, ratio, seconds, bytes or day."""

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
    empty: str = gettext_lazy("There is nothing to draw yet.")
    options: dict[str, Any] = field(default_factory=dict)
    table_first: bool = False
    links: Sequence[str] = ()  # an address for each row, where a row leads on

    @property
    def data(self) -> dict[str, Any]:
        keys = [column.key for column in self.columns]
        rows = [dict(zip(keys, row, strict=True)) for row in self.rows]
        for row, link in zip(rows, self.links, strict=False):
            row["link"] = link
        for row in rows:
            for column in self.columns:
                if column.key in _NAMING and isinstance(row[column.key], str):
                    row["said"] = written(row[column.key], column.how)  # the word itself names the colour
        return {"kind": self.kind, "title": self.title, "rows": rows, **self.options}

    @property
    def data_id(self) -> str:
        return f"data-{self.name}"

    @property
    def written(self) -> list[list[tuple[str, str, str]]]:
        """Each cell as (text, how, link): only the first cell of a row leads on."""
        lines = []
        for place, row in enumerate(self.rows):
            link = self.links[place] if place < len(self.links) else ""
            lines.append(
                [
                    (written(value, column.how), column.how, "" if cell else link)
                    for cell, (value, column) in _cells(self, row)
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
        return number(value, 0 if float(value).is_integer() else 1)
    if how == "rate":
        if 0 < value < 0.00005:
            return f"< {number(0.0001, 4)}"
        return number(value, 4 if abs(value) < 0.01 and value else 3)
    if how == "percent":
        return f"{number(100 * value, 1)} %"
    if how == "ratio":
        return number(value, 2)
    if how == "seconds":
        return _duration(float(value))
    if how == "bytes":
        return localised_size(float(value))
    if how == "rule":
        return str(rule_words(value))
    if how == "reason":
        return str(reason_words(value))
    return str(value) if how == "name" else _said(str(value))


def _said(text: str) -> str:
    """Words of ours, such as a status, in the reader's language; names of rules and sources as they are."""
    return gettext(text) if text else text


def _duration(seconds: float) -> str:
    if 0 < seconds < 0.1:
        return f"{number(max(1, seconds * 1000))} ms"
    if seconds < 120:
        places = max(0, 1 - math.floor(math.log10(seconds))) if 0 < seconds < 10 else 0
        return f"{number(seconds, places)} s"
    minutes = seconds / 60
    if minutes < 120:
        return f"{number(minutes)} min"
    days = minutes / 1_440
    return f"{number(minutes / 60, 1)} h" if minutes < 2_880 else gettext("%s days") % number(days)
