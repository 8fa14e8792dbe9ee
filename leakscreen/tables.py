"""Summaries and rates -> tables for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from evaluation.rates import RuleRates

UNDEFINED = "–"
_WIDTH_ELSEWHERE = 120


def print_summary(summary: Mapping[str, Any], report: str) -> None:
    console = _console()
    table = Table(title=f"Scan {summary['scan_id']}", title_justify="left")
    table.add_column("")
    table.add_column("count", justify="right")
    table.add_column("of all records", justify="right")
    for status, count in summary["status"].items():
        if count:
            table.add_row(status, f"{count:,}", _share(count, summary["records"]))
    table.add_section()
    for name in ("examined", "screened_positive", "health_positive", "referred"):
        style = "bold" if name == "referred" else None
        table.add_row(name.replace("_", " "), f"{summary[name]:,}", _share(summary[name], summary["records"]), style=style)
    console.print(table)
    figures = summary["reconciliation"]
    seconds = max(summary["seconds"], 1e-9)
    console.print(
        f"{figures['walked']:,} files walked, {figures['recorded']:,} recorded, {summary['records']:,} records with members; "
        f"{summary['bytes'] / 1e6:,.1f} MB in {summary['seconds']:.1f} s ({summary['files'] / seconds:,.0f} files/s)"
    )
    unexamined = sum(summary["status"].get(status, 0) for status in ("encrypted", "unsupported", "failed", "unreadable"))
    if unexamined:
        console.print(f"[yellow]{unexamined:,} files were not examined[/]; the report says which and why")
    console.print("Report:", report, soft_wrap=True, markup=False, highlight=False)


def _console() -> Console:
    """A file or pipe has no width to fit into."""
    console = Console()
    return console if console.is_terminal else Console(width=max(console.width, _WIDTH_ELSEWHERE))


def print_rates(measured: Sequence[RuleRates], facts: Mapping[str, Any]) -> None:
    console = _console()
    table = Table(title=f"Rules measured on {facts['n']:,} examined files (with 95 % Wilson intervals)", title_justify="left", box=None)
    table.add_column("rule", no_wrap=True)
    for column in ("n+", "verified", "TDP", "", "FRP", "", "coverage"):
        table.add_column(column, justify="right", no_wrap=True)
    for rule in sorted(measured, key=lambda rule: (-(rule.tdp or 0.0), rule.frp or 0.0, rule.rule)):
        if rule.positive:
            mark = "" if rule.fully_verified else "≥"
            tdp, frp = mark + rate(rule.tdp), mark + rate(rule.frp)
            spread = (between(rule.tdp_interval), between(rule.frp_interval))
            table.add_row(rule.rule, f"{rule.positive:,}", f"{rule.verified:,}", tdp, spread[0], frp, spread[1], rate(rule.coverage))
    console.print(table)
    silent = [rule.rule for rule in measured if not rule.positive]
    if silent:
        console.print(f"Rules that fired on no file ({len(silent)}): {', '.join(silent)}", markup=False, highlight=False)
    if any(rule.positive and not rule.fully_verified for rule in measured):
        console.print("≥: not all of the rule's files were verified, so its rates are lower bounds")
    if facts["labelled_not_examined"]:
        console.print(f"{facts['labelled_not_examined']} labelled files were not examined, and do not count")


def rate(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.4f}"


def between(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f"{interval[0]:.3f}–{interval[1]:.3f}"


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else UNDEFINED
