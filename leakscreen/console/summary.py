"""Summaries -> tables for a terminal."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.table import Table

from core.in_words import counted

UNDEFINED = "–"
_WIDTH_ELSEWHERE = 120


def print_summary(summary: Mapping[str, Any], report: str) -> None:
    console = console_for()
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
        table.add_row(
            name.replace("_", " "), f"{summary[name]:,}", _share(summary[name], summary["records"]), style=style
        )
    console.print(table)
    figures = summary["reconciliation"]
    seconds = max(summary["seconds"], 1e-9)
    console.print(
        f"{counted(figures['walked'], 'file')} walked, {figures['recorded']:,} recorded,"
        f" {counted(summary['records'], 'record')} with members; "
        f"{summary['bytes'] / 1e6:,.1f} MB in {summary['seconds']:.1f} s ({summary['files'] / seconds:,.0f} files/s)"
    )
    _print_what_was_not_read(console, summary)
    unexamined = sum(
        summary["status"].get(status, 0) for status in ("encrypted", "unsupported", "failed", "unreadable")
    )
    if unexamined:
        were = "was" if unexamined == 1 else "were"
        console.print(f"[yellow]{counted(unexamined, 'file')} {were} not examined[/]; the report shows which and why")
    if not_judged := summary.get("not_judged", 0):
        files = "1 file was" if not_judged == 1 else f"{not_judged:,} files were"
        console.print(f"[yellow]{files} read but not judged[/]: no model knows the language")
    console.print("Report:", report, soft_wrap=True, markup=False, highlight=False)


def _print_what_was_not_read(console: Console, summary: Mapping[str, Any]) -> None:
    carried, sample = summary.get("carried") or {}, summary.get("sample")
    if carried.get("files"):
        console.print(
            f"{counted(carried['files'], 'file')} unchanged since scan {carried['from']}, with records carried over"
        )
    if summary.get("duplicates"):
        copies = summary["duplicates"]
        have = "file has" if copies == 1 else "files have"
        console.print(f"{copies:,} {have} the same content as another one, which was examined once")
    if sample:
        estimate = sample["estimates"]["referred"]
        share = float(Fraction(sample["probability"]))
        console.print(
            f"[yellow]A sample[/]: {sample['drawn']:,} of {sample['walked']:,} files"
            f" ({share:.2%}, seed {sample['seed']}) were scanned, the others were not; in the whole source about"
            f" {estimate['files']:,.0f} files would be referred ({estimate['low']:,.0f} to {estimate['high']:,.0f})"
            f"{_and_unclear(sample['estimates'])}"
        )


def _and_unclear(estimates: Mapping[str, Any]) -> str:
    said = [
        f"about {estimates[name]['files']:,.0f} would be {words}"
        for name, words in (("not_examined", "not examined"), ("not_judged", "read but not judged"))
        if estimates.get(name, {}).get("drawn_files")
    ]
    return "".join(f", {one}" for one in said)


def console_for() -> Console:
    """A console as wide as the terminal; files and pipes have no width, so they get a generous one."""
    console = Console()
    return console if console.is_terminal else Console(width=max(console.width, _WIDTH_ELSEWHERE))


def rate(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.4f}"


def between(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f"{interval[0]:.3f}–{interval[1]:.3f}"


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else UNDEFINED
