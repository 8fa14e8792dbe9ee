"""Figures of people -> tables for a terminal."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from leakscreen.console.summary import console_for

_HEADINGS = {
    "by_source": "source",
    "by_folder": "folder",
    "by_characteristic": "known of them",
    "by_jurisdiction": "country and region",
}


def print_people(figures: Mapping[str, Any]) -> None:
    console = console_for()
    people = figures["people"]
    console.print(
        f"{people['count']:,} different people in {figures['files']:,} files "
        f"(surely {people['surely_distinct']:,}, at most {people['at_most']:,}), "
        f"{figures['with_health']:,} of them with health information"
        + (f", {figures['known']:,} of the organisation's own list" if figures["known"] else ""),
        markup=False,
        highlight=False,
    )
    for name, heading in _HEADINGS.items():
        _print_counts(console, heading, figures[name])
    _print_counts(console, "file", {one["uri"]: one["people"] for one in figures["by_file"]})
    if figures["overlap"]:
        _print_counts(console, "in both", {" and ".join(one["sources"]): one["people"] for one in figures["overlap"]})
    if figures["most_exposed"]:
        table = Table("most exposed: first in", "files", "health", "known of them", box=None)
        for one in figures["most_exposed"]:
            health = "yes" if one["health"] else ""
            table.add_row(one["first_in"], f"{one['files']:,}", health, ", ".join(one["characteristics"]))
        console.print(table)


def _print_counts(console: Any, heading: str, counts: Mapping[str, int]) -> None:
    if not counts:
        return
    table = Table(box=None)
    table.add_column(heading, overflow="fold")
    table.add_column("people", justify="right")
    for name, count in counts.items():
        table.add_row(name, f"{count:,}")
    console.print(table)
