"""`leakscreen benchmark`: a corpus with marked spans -> leakscreen and other systems, measured and compared."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core.errors import LabelError, OutputError
from core.settings import load_settings
from evaluation.benchmark import all_differences, measure
from evaluation.categories import Scheme, scheme_of
from evaluation.corpus import read_corpus
from evaluation.formats.document import CorpusDocument
from evaluation.tab import published
from leakscreen.benchmarking.language_model import model_weights
from leakscreen.benchmarking.systems import Marks, predicted, presidio_here, run_leakscreen, run_presidio
from leakscreen.benchmarking.tables import as_markdown, as_plot, print_benchmark


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which documents of a corpus are measured, which systems, and how."""

    corpus: Path
    split: str | None = None
    limit: int | None = None
    systems: tuple[str, ...] = ()  # NAME=FILE
    leakscreen: bool = True
    presidio_python: str | None = None
    presidio_model: str | None = None
    categories: Scheme | None = None
    language_model: str | None = None
    language_model_python: str | None = None


def run(wanted: Wanted, flags: dict[str, Any], config: Path | None, out: Path | None, as_json: bool) -> None:
    corpus = read_corpus(wanted.corpus)
    documents = _chosen(corpus, wanted)
    measured = results(wanted, documents, _marks(wanted, corpus, documents, flags, config))
    if out:
        _write(out, measured)
    if as_json:
        print(json.dumps(measured, indent=2))
    else:
        print_benchmark(measured)


def results(wanted: Wanted, documents: Sequence[CorpusDocument], marks: Sequence[Marks]) -> dict[str, Any]:
    """All figures of the corpus and the systems; nothing of the texts themselves."""
    scheme = wanted.categories or scheme_of({span.category for document in documents for span in document.spans})
    texts = [document.text for document in documents]
    measured = {}
    for one in marks:
        weights = (
            model_weights(texts, one.spans, wanted.language_model, wanted.language_model_python)
            if wanted.language_model
            else None
        )
        measured[one.system] = measure(documents, one.spans, scheme, weights)
    characters = sum(map(len, texts))
    return {
        "corpus": wanted.corpus.name,
        "documents": len(documents),
        "characters": characters,
        "splits": sorted({document.split for document in documents} - {""}),
        "categories": scheme.value,
        "leakscreen": version("leakscreen"),
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "systems": [
            {
                "system": one.system,
                "cpu_seconds": one.cpu_seconds,
                "megabytes_per_cpu_second": characters / 1e6 / one.cpu_seconds if one.cpu_seconds else None,
                **measured[one.system].figures,
            }
            for one in marks
        ],
        "differences": all_differences(measured),
        "published": published() if any(document.annotators for document in documents) else [],
    }


def _marks(
    wanted: Wanted,
    corpus: Sequence[CorpusDocument],
    documents: Sequence[CorpusDocument],
    flags: dict[str, Any],
    config: Path | None,
) -> list[Marks]:
    files = dict(_named(each) for each in wanted.systems)
    if len(files) < len(wanted.systems):
        raise LabelError("--system: two systems have the same name")
    # Files first: a mistake in one of them shows before the slow work.
    others = [predicted(name, file, corpus, documents) for name, file in files.items()]
    texts = [document.text for document in documents]
    marks = [run_leakscreen(texts, load_settings(flags, config=config))] if wanted.leakscreen else []
    if wanted.presidio_python or (wanted.leakscreen and presidio_here()):
        marks.append(run_presidio(texts, wanted.presidio_python, wanted.presidio_model))
    taken = {one.system for one in marks} & set(files)
    if taken:
        raise LabelError(f"--system: the name {taken.pop()} is taken; choose another")
    if not marks and not others:
        raise LabelError("there is no system to measure; name one by --system NAME=FILE, or leave out --no-leakscreen")
    return marks + others


def _named(system: str) -> tuple[str, Path]:
    name, separator, file = system.partition("=")
    if not separator or not name.strip() or not file:
        raise LabelError(f"--system: expected NAME=FILE, not {system}")
    return name.strip(), Path(file)


def _chosen(documents: Sequence[CorpusDocument], wanted: Wanted) -> list[CorpusDocument]:
    chosen = [document for document in documents if wanted.split in (None, document.split)][: wanted.limit]
    if not chosen:
        there = ", ".join(sorted({document.split for document in documents} - {""})) or "none"
        raise LabelError(f"{wanted.corpus}: no document of the split {wanted.split!r}; its splits are: {there}")
    return chosen


def _write(out: Path, measured: dict[str, Any]) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "benchmark.json").write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")
        (out / "benchmark.md").write_text(as_markdown(measured), encoding="utf-8")
        (out / "benchmark.svg").write_text(as_plot(measured), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {error.strerror}") from None
