"""Proposed prototypes, by radius, beside the present rules -> a table and sentences for a terminal."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from leakscreen.console.summary import console_for, rate


def print_choices(
    present: Any, choices: Sequence[Any], chosen: Any, unchanged: Sequence[str], adopted: str | None
) -> None:
    console = console_for()
    title = f"What prototypes learned from the reviews would do, on {present.n:,} examined files"
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("rules", no_wrap=True)
    for column in ("prototypes", "screened", "not verified", "TDP", "FRP", "found by others"):
        table.add_column(column, justify="right", no_wrap=True)
    unverified = f"{present.positive - present.verified:,}"
    table.add_row("present rules", "", f"{present.positive:,}", unverified, rate(present.tdp), rate(present.frp), "")
    for choice in choices:
        both, proposal = choice.beside, choice.proposal
        mark = " ←" if choice is chosen else ""
        table.add_row(
            f"and learned, radius {proposal.radius}{mark}",
            f"{len(proposal.prototypes):,}",
            f"{both.positive:,}",
            f"{both.positive - both.verified:,}",
            rate(both.tdp),
            rate(both.frp),
            f"{proposal.found_by_others:,} of {both.phi:,}",
        )
    console.print(table)
    console.print(
        "Found by others: verified PHI files near a prototype that comes from another file."
        " TDP and FRP count only verified files.",
        highlight=False,
    )
    if unchanged:
        console.print(
            "The learned rule compares whole files: all that one file holds, whoever it belongs to."
            f" Rules about one person stay as they are: {', '.join(unchanged)}.",
            markup=False,
            highlight=False,
        )
    if chosen.unseen:
        console.print(
            f"Radius {chosen.proposal.radius} would screen in {chosen.unseen:,} files that nobody has reviewed.",
            highlight=False,
        )
    console.print(
        f"Adopted as {adopted}; `leakscreen train prototypes --rollback` undoes it."
        if adopted
        else "Nothing was changed: --adopt uses the marked radius, --radius another one.",
        markup=False,
        highlight=False,
    )
