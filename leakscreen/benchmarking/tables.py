"""The results of a benchmark -> tables for a terminal, a page of Markdown, and a plot."""

from collections.abc import Callable, Mapping
from typing import Any

from rich.table import Table

from leakscreen.benchmarking.dot_plot import Dot, dot_plot
from leakscreen.console.summary import UNDEFINED, console_for

Results = Mapping[str, Any]
Row = tuple[str, list[str]]

_TAB = (
    ("R", "recall"),
    ("ER_di", "er_direct"),
    ("ER_qi", "er_quasi"),
    ("P", "precision"),
    ("WP", "weighted_precision"),
)
_SCORES = (("P", "precision"), ("R", "recall"), ("F", "f"))


def sections(results: Results) -> list[tuple[str, list[str], list[Row]]]:
    """Title, columns and rows of each table, the systems side by side."""
    systems = results["systems"]
    names = [system["system"] for system in systems]
    made = [
        ("By token (any category)", *_per_system(results, lambda system: system["tokens"])),
        ("By instance (category and extent right)", *_per_system(results, lambda system: system["instances"])),
    ]
    if results["published"]:
        rows = [(system["system"], [figure(system["tab"][key]) for _, key in _TAB]) for system in systems]
        rows += [(row["system"] + ", test set", [figure(row[key]) for _, key in _TAB]) for row in results["published"]]
        made.insert(0, ("Text Anonymization Benchmark", [name for name, _ in _TAB], rows))
    for title, key, part in (
        ("F by category, by token", "tokens_by_category", "f"),
        ("Recall by the corpus's own types", "recall_by_type", "recall"),
        ("Recall on hard tokens", "hard_tokens", "recall"),
    ):
        kinds = sorted({kind for system in systems for kind in system[key]})
        made.append(
            (
                title,
                names,
                [(kind, [figure(system[key].get(kind, {}).get(part)) for system in systems]) for kind in kinds],
            )
        )
    made.append(("By document: what stays readable", names, _document_rows(systems)))
    for pair, tested in results["differences"].items():
        rows = [
            (name, [figure(one["first"]), figure(one["second"]), figure(one["p"]), _verdict(one["significant"])])
            for name, one in tested.items()
        ]
        made.append((f"{pair} (approximate randomization)", [*names[:2], "s", "s <= 0.1"], rows))
    made.append(("Speed", ["CPU s", "MB a CPU s"], [_speed(system) for system in systems]))
    return made


def _per_system(results: Results, part: Callable[[Any], Any]) -> tuple[list[str], list[Row]]:
    return [name for name, _ in _SCORES], [
        (system["system"], [figure(part(system)[key]) for _, key in _SCORES]) for system in results["systems"]
    ]


def _document_rows(systems: list[Any]) -> list[Row]:
    rows: list[Row] = [
        (name, [figure(system["documents"][key]) for system in systems])
        for name, key in (("EMR", "emr"), ("LF", "lf"), ("HL", "hl"), ("OE", "oe"))
    ]
    levels = ("high", "medium", "low", "none")
    return rows + [
        (f"risk {level}", [f"{system['documents']['risk'][level]:,}" for system in systems]) for level in levels
    ]


def _speed(system: Any) -> Row:
    return system["system"], [f"{system['cpu_seconds']:.2f}", figure(system["megabytes_per_cpu_second"])]


def print_benchmark(results: Results) -> None:
    console = console_for()
    console.print(
        f"{results['corpus']}: {results['documents']:,} documents, {results['characters']:,} characters",
        markup=False,
        highlight=False,
    )
    for title, columns, rows in sections(results):
        table = Table(title=title, title_justify="left", box=None)
        table.add_column("", no_wrap=True)
        for column in columns:
            table.add_column(column, justify="right", no_wrap=True)
        for name, values in rows:
            table.add_row(name, *values)
        console.print(table)
    if len(results["systems"]) == 1:
        console.print(
            "Presidio is not installed here; to compare with it, name a Python that has it by --presidio-python"
        )


def as_markdown(results: Results) -> str:
    lines = [
        f"# {results['corpus']}: {results['documents']:,} documents",
        "",
        f"leakscreen {results['leakscreen']}, measured {results['measured']}.",
        "",
    ]
    for title, columns, rows in sections(results):
        lines += [f"## {title}", "", f"| | {' | '.join(columns)} |", "|---|" + "---|" * len(columns)]
        lines += [f"| {name} | {' | '.join(values)} |" for name, values in rows]
        lines.append("")
    return "\n".join(lines)


def as_plot(results: Results) -> str:
    dots = []
    for system in results["systems"]:
        figures = {f"token {name}": system["tokens"][key] for name, key in _SCORES}
        figures |= {f"instance {name}": system["instances"][key] for name, key in _SCORES}
        if "tab" in system:
            figures |= {f"TAB {name}": system["tab"][key] for name, key in _TAB}
        dots += [Dot(name, value, group=system["system"]) for name, value in figures.items() if value is not None]
    for row in results["published"]:
        dots += [
            Dot(f"TAB {name}", row[key], group=row["system"].partition(" (")[0] + ", published") for name, key in _TAB
        ]
    return dot_plot(
        f"{results['corpus']}: {results['documents']:,} documents", dots, (0.0, 1.0), (0, 0.2, 0.4, 0.6, 0.8, 1.0)
    )


def figure(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.4f}"


def _verdict(significant: bool | None) -> str:
    return UNDEFINED if significant is None else "yes" if significant else "no"
