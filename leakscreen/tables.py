"""Summaries and rates -> tables for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.rates import RuleRates
from rich.console import Console
from rich.table import Table

UNDEFINED = "–"


def print_summary(summary: Mapping[str, Any], report: str) -> None:
    console = Console()
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


def print_rates(measured: Sequence[RuleRates], facts: Mapping[str, Any]) -> None:
    console = Console()
    table = Table(title=f"Rules measured on scan {facts['scan_id']} (95 % Wilson intervals)", title_justify="left")
    table.add_column("rule")
    for column in ("n", "n+", "verified", "TDP", "FRP", "coverage"):
        table.add_column(column, justify="right")
    for rule in sorted(measured, key=lambda rule: (rule.positive == 0, -(rule.tdp or 0.0), rule.frp or 0.0, rule.rule)):
        if rule.positive:
            mark = "" if rule.fully_verified else "≥ "
            table.add_row(
                rule.rule,
                f"{rule.n:,}",
                f"{rule.positive:,}",
                f"{rule.verified:,}",
                mark + rate(rule.tdp, rule.tdp_interval),
                mark + rate(rule.frp, rule.frp_interval),
                rate(rule.coverage, rule.coverage_interval),
            )
    console.print(table)
    silent = [rule.rule for rule in measured if not rule.positive]
    if silent:
        console.print(f"Rules that fired on no file ({len(silent)}): {', '.join(silent)}", markup=False, highlight=False)
    if any(rule.positive and not rule.fully_verified for rule in measured):
        console.print("≥: not all of the rule's files were verified, so its rates are lower bounds")
    if facts["labelled_not_examined"]:
        console.print(f"{facts['labelled_not_examined']} labelled files were not examined, and do not count")


def rate(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None:
        return UNDEFINED
    return f"{value:.4f}" + (f" ({interval[0]:.3f}–{interval[1]:.3f})" if interval else "")


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else UNDEFINED
