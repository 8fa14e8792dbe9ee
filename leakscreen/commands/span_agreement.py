"""`leakscreen agreement --spans`: what several people marked in the same texts -> how well they agree."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from core.errors import LabelError
from evaluation.corpus import read_corpus, read_predictions
from evaluation.span_agreement import Annotated, SpanAgreement, annotated, by_category, by_pair, span_agreement
from leakscreen.console.summary import console_for, rate


def run(files: Sequence[str], as_json: bool) -> None:
    documents = read_annotated(files)
    parts: dict[str, Mapping[str, SpanAgreement]] = {
        "all": {"all": span_agreement(documents)},
        "pair": by_pair(documents),
        "category": by_category(documents),
    }
    if not parts["all"]["all"].documents:
        raise LabelError("no document was annotated by two people; name one file for each of them")
    if as_json:
        print(
            json.dumps(
                {part: {name: asdict(group) for name, group in groups.items()} for part, groups in parts.items()},
                indent=2,
            )
        )
        return
    for part, groups in parts.items():
        if part != "pair" or len(groups) > 1:
            _print(part, groups)


def read_annotated(files: Sequence[str]) -> list[Annotated]:
    """One file, or folder, for each person, the first with the texts; or one of TAB with several annotators."""
    named = [_named(file) for file in files]
    people = [name for name, _ in named]
    if len(set(people)) < len(people):
        raise LabelError(f"two annotators are called {max(people, key=people.count)}; name them: NAME=FILE")
    first, *others = named
    documents = read_corpus(first[1])
    if not others:
        return [annotated(document) for document in documents]
    marked = {name: read_predictions(path, documents, all_of_them=False) for name, path in others}
    return [
        Annotated(
            document.text,
            {first[0]: document.spans}
            | {name: spans[document.id] for name, spans in marked.items() if document.id in spans},
        )
        for document in documents
    ]


def _named(file: str) -> tuple[str, Path]:
    name, separator, path = file.partition("=")
    return (name, Path(path)) if separator and not Path(file).exists() else (Path(file).stem, Path(file))


def _print(part: str, groups: Mapping[str, SpanAgreement]) -> None:
    title = {"all": "Agreement on marked spans"}.get(part, f"By {part}")
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("", no_wrap=True)
    for column in ("documents", "people", "entities", "", "F", "kappa", "Fleiss", "alpha"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, group in groups.items():
        counts = [f"{group.documents:,}", str(group.people), f"{group.entities:,}"]
        for kind, figures in (("exact", group.exact), ("partial", group.partial)):
            values = [rate(value) for value in (figures.entity_f, figures.kappa, figures.fleiss, figures.alpha)]
            table.add_row(*((name, *counts) if kind == "exact" else ("", "", "", "")), kind, *values)
    console_for().print(table)
