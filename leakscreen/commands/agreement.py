"""`leakscreen agreement`: decisions of several people -> kappa, F and alpha, over time, by category and by rule."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path

from rich.table import Table

from evaluation.agreement import Agreement, Decision, agreement, by_group, over_time
from evaluation.decisions import read_decisions
from leakscreen.console.summary import console_for, rate

PERIODS = {"year": 4, "month": 7, "day": 10}


def run(file: Path, scan: str | None, period: str, as_json: bool) -> None:
    decisions = read_decisions(file)
    parts: dict[str, Mapping[str, Agreement]] = {"all": {"all": agreement(_item_per_category(decisions))}}
    if any(decision.when for decision in decisions):
        parts["time"] = over_time(_item_per_category(decisions), PERIODS[period])
    if any(decision.group for decision in decisions):
        parts["category"] = by_group(decisions)
    if scan:
        parts["rule"] = by_group(_per_rule(decisions, scan))
    if as_json:
        print(
            json.dumps(
                {part: {name: asdict(figures) for name, figures in groups.items()} for part, groups in parts.items()},
                indent=2,
            )
        )
        return
    by_category = any(decision.group for decision in decisions)
    for part, groups in parts.items():
        _print(part, groups, "items" if by_category and part != "category" else "files")
    if by_category:
        console_for().print("items: a file counts once for each category that decisions about it name")


def _item_per_category(decisions: list[Decision]) -> Iterator[Decision]:
    """A file with decisions per category becomes one item per category."""
    for decision in decisions:
        yield replace(decision, item=f"{decision.item}\0{decision.group}")


def _per_rule(decisions: list[Decision], scan: str) -> Iterator[Decision]:
    from pipelines.results.folder import open_scan

    decided = {decision.item for decision in decisions}
    fired = {
        row["uri"]: {hit["rule"] for hit in row["rules"]}
        for row in open_scan(scan).rows(("uri", "rules"))
        if row["uri"] in decided
    }
    for decision in decisions:
        for rule in fired.get(decision.item, ()):
            yield replace(decision, item=f"{decision.item}\0{decision.group}", group=rule)


def _print(part: str, groups: Mapping[str, Agreement], counted: str) -> None:
    table = Table(title="Agreement" if part == "all" else f"By {part}", title_justify="left", box=None)
    table.add_column("", no_wrap=True)
    for column in (counted, "decided twice", "people", "agreed", "kappa", "F", "Fleiss", "alpha"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, group in groups.items():
        figures = [rate(value) for value in (group.observed, group.kappa, group.f, group.fleiss, group.alpha)]
        table.add_row(name, f"{group.items:,}", f"{group.decided_twice:,}", str(group.people), *figures)
    console_for().print(table)
