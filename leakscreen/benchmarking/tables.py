"""The results of a benchmark -> tables for a terminal, a page of Markdown, and a plot."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from rich.table import Table

from leakscreen.benchmarking.dot_plot import Dot, dot_plot
from leakscreen.console.summary import UNDEFINED, console_for

Results = Mapping[str, Any]
Row = tuple[str, list[str]]
Section = tuple[str, list[str], list[Row]]

DIFFERENT = "*"

_TAB = (
    ("R", "recall"),
    ("ER_di", "er_direct"),
    ("ER_qi", "er_quasi"),
    ("P", "precision"),
    ("WP", "weighted_precision"),
)
_SCORES = (("P", "precision"), ("R", "recall"), ("F", "f"))


def sections(results: Results) -> list[Section]:
    """Title, columns and rows of each table, the systems side by side."""
    systems = results["systems"]
    names = [system["system"] for system in systems]
    made = [
        *_tab(results),
        ("By token (any category)", *_per_system(results, lambda system: system["tokens"])),
        ("By token (category right)", *_per_system(results, lambda system: system["tokens_right_category"])),
        ("By instance (category and extent right)", *_per_system(results, lambda system: system["instances"])),
        *_pairs(results),
    ]
    for system in systems:
        made += _of_system(system)
    made.append(("Recall by the corpus's own types", names, _type_rows(systems)))
    made.append(("By document: what stays readable", names, _document_rows(systems)))
    if any(system["cpu_seconds"] for system in systems):
        made.append(("Speed", ["CPU s", "MB a CPU s"], [_speed(system) for system in systems]))
    return made


def _tab(results: Results) -> list[Section]:
    """What was measured here, apart from what was published for another part of the corpus."""
    if not results["published"]:
        return []
    columns = [name for name, _ in _TAB]
    systems = results["systems"]
    splits = ", ".join(results["splits"]) or "no split named"
    origin = systems[0]["tab"]["weighted_by"]
    here = [(system["system"], [figure(system["tab"][key]) for _, key in _TAB]) for system in systems]
    there = [(row["system"], [figure(row[key]) for _, key in _TAB]) for row in results["published"]]
    return [
        (f"Text Anonymization Benchmark, measured here ({splits}; WP by {origin})", columns, here),
        ("Text Anonymization Benchmark, published for the test set (WP by BERT)", columns, there),
    ]


def _pairs(results: Results) -> list[Section]:
    """As in Uzuner et al.: for each pair of systems, in what they do not differ; then the figures behind it."""
    made: list[Section] = []
    names = [system["system"] for system in results["systems"]]
    if len(names) < 2:
        return made
    for level in ("token", "instance"):
        rows: list[Row] = [
            (first, [_same(results, level, first, second) if first != second else "" for second in names[1:]])
            for first in names[:-1]
        ]
        title = f"By {level}: P, R, F in which a pair does not differ (s > 0.1; {DIFFERENT}: all three differ)"
        made.append((title, names[1:], rows))
    for first, second in combinations(names, 2):
        tested = results["differences"][f"{first} against {second}"]
        rows = [
            (name, [figure(one["first"]), figure(one["second"]), figure(one["p"]), _verdict(one["significant"])])
            for name, one in tested.items()
        ]
        made.append((f"{first} against {second} (approximate randomization)", [first, second, "s", "s <= 0.1"], rows))
    return made


def _same(results: Results, level: str, first: str, second: str) -> str:
    tested = results["differences"].get(f"{first} against {second}")
    if tested is None:
        return ""
    named = (("P", "precision"), ("R", "recall"), ("F", "F"))
    return " ".join(letter for letter, name in named if not tested[f"{level} {name}"]["significant"]) or DIFFERENT


def _of_system(system: Any) -> list[Section]:
    name = system["system"]
    columns = [short for short, _ in _SCORES]
    tokens, instances = system["tokens_by_category"], system["instances_by_category"]
    by_category: list[Row] = [
        (category, [figure(part.get(category, {}).get(key)) for part in (tokens, instances) for _, key in _SCORES])
        for category in sorted({*tokens, *instances})
    ]
    hard: list[Row] = [
        (
            kind.replace("_", " "),
            [f"{one['true_positive'] + one['false_negative']:,}", *(figure(one[key]) for _, key in _SCORES)],
        )
        for kind, one in system["hard_tokens"].items()
    ]
    categories = sorted({category for counts in system["mistakes"].values() for category in counts})
    mistakes: list[Row] = [
        (kind, [str(sum(counts.values())), *(str(counts.get(category, 0)) for category in categories)])
        for kind, counts in system["mistakes"].items()
    ]
    marked = sorted({found for counts in system["mixed_up"].values() for found in counts})
    mixed: list[Row] = [
        (gold, [f"{counts.get(found, 0):,}" for found in marked]) for gold, counts in system["mixed_up"].items()
    ]
    both = [f"token {column}" for column in columns] + [f"instance {column}" for column in columns]
    return [
        (f"{name}: by category", both, by_category),
        (f"{name}: hard tokens", ["tokens", *columns], hard),
        (f"{name}: mistakes by instance", ["all", *categories], mistakes),
        (f"{name}: tokens by category of the corpus (rows) and of the system ({UNDEFINED}: not marked)", marked, mixed),
    ]


def _type_rows(systems: list[Any]) -> list[Row]:
    kinds = sorted({kind for system in systems for kind in system["recall_by_type"]})
    return [
        (kind, [figure(system["recall_by_type"].get(kind, {}).get("recall")) for system in systems]) for kind in kinds
    ]


def _per_system(results: Results, part: Callable[[Any], Any]) -> tuple[list[str], list[Row]]:
    return [name for name, _ in _SCORES], [
        (system["system"], [figure(part(system)[key]) for _, key in _SCORES]) for system in results["systems"]
    ]


def _document_rows(systems: list[Any]) -> list[Row]:
    rows: list[Row] = [
        (name, [figure(system["documents"][key]) for system in systems])
        for name, key in (("EMR", "emr"), ("LF", "lf"), ("HL", "hl"), ("OE", "oe"))
    ]
    rows.append(("documents with a location (OE)", [f"{system['documents']['with_top']:,}" for system in systems]))
    rows.append(("documents without a label", [f"{system['documents']['without_labels']:,}" for system in systems]))
    levels = ("high", "medium", "low", "none")
    return rows + [
        (f"risk {level}", [f"{system['documents']['risk'][level]:,}" for system in systems]) for level in levels
    ]


def _speed(system: Any) -> Row:
    seconds = system["cpu_seconds"]
    return system["system"], [
        UNDEFINED if seconds is None else f"{seconds:.2f}",
        figure(system["megabytes_per_cpu_second"]),
    ]


def _corpus(results: Results) -> str:
    number = results["documents"]
    return f"{results['corpus']}: {number:,} {'document' if number == 1 else 'documents'}"


def print_benchmark(results: Results) -> None:
    console = console_for()
    console.print(
        f"{_corpus(results)}, {results['characters']:,} characters",
        markup=False,
        highlight=False,
    )
    for title, columns, rows in sections(results):
        console.print(f"\n{title}", style="italic", markup=False, highlight=False)
        table = Table(box=None)
        table.add_column("", no_wrap=True)
        for column in columns:
            table.add_column(column, justify="right", no_wrap=True)
        for name, values in rows:
            table.add_row(name, *values)
        console.print(table)
    if len(results["systems"]) == 1:
        console.print(
            "To compare with other systems, name what they marked by --system NAME=FILE, or a Python that has Presidio"
            " by --presidio-python"
        )


def as_markdown(results: Results) -> str:
    lines = [
        f"# {_corpus(results)}",
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
    """What was measured; published figures are of other documents and stay out."""
    dots = []
    for system in results["systems"]:
        figures = {f"token {name}": system["tokens"][key] for name, key in _SCORES}
        figures |= {f"instance {name}": system["instances"][key] for name, key in _SCORES}
        if "tab" in system:
            figures |= {f"TAB {name}": system["tab"][key] for name, key in _TAB}
        dots += [Dot(name, value, group=system["system"]) for name, value in figures.items() if value is not None]
    return dot_plot(_corpus(results), dots, (0.0, 1.0), (0, 0.2, 0.4, 0.6, 0.8, 1.0))


def figure(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.4f}"


def _verdict(significant: bool | None) -> str:
    return UNDEFINED if significant is None else "yes" if significant else "no"
