"""`leakscreen benchmark`: a corpus with marked spans -> leakscreen, Presidio and the published figures side by side."""

import json
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core.errors import LabelError, OutputError
from core.settings import load_settings
from evaluation.benchmark import differences, measure
from evaluation.corpus import read_corpus
from evaluation.formats.document import CorpusDocument
from evaluation.tab import published
from leakscreen.benchmarking.systems import Marks, presidio_here, run_leakscreen, run_presidio
from leakscreen.benchmarking.tables import as_markdown, as_plot, print_benchmark


def run(
    corpus: Path,
    split: str | None,
    limit: int | None,
    presidio_python: str | None,
    presidio_model: str | None,
    flags: dict[str, Any],
    config: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    settings = load_settings(flags, config=config)
    documents = _chosen(read_corpus(corpus), corpus, split, limit)
    texts = [document.text for document in documents]
    marks = [run_leakscreen(texts, settings)]
    if presidio_python or presidio_here():
        marks.append(run_presidio(texts, presidio_python, presidio_model))
    measured = results(corpus, documents, marks)
    if out:
        _write(out, measured)
    if as_json:
        print(json.dumps(measured, indent=2))
    else:
        print_benchmark(measured)


def results(corpus: Path, documents: list[CorpusDocument], marks: list[Marks]) -> dict[str, Any]:
    """All figures of the corpus and the systems; nothing of the texts themselves."""
    measured = {one.system: measure(documents, one.spans) for one in marks}
    characters = sum(len(document.text) for document in documents)
    names = list(measured)
    systems = [
        {
            "system": one.system,
            "cpu_seconds": one.cpu_seconds,
            "megabytes_per_cpu_second": characters / 1e6 / one.cpu_seconds if one.cpu_seconds else None,
            **measured[one.system].figures,
        }
        for one in marks
    ]
    return {
        "corpus": corpus.name,
        "documents": len(documents),
        "characters": characters,
        "splits": sorted({document.split for document in documents} - {""}),
        "leakscreen": version("leakscreen"),
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "systems": systems,
        "differences": {
            f"{names[0]} against {name}": differences(measured[names[0]], measured[name]) for name in names[1:]
        },
        "published": published() if any(document.annotators for document in documents) else [],
    }


def _chosen(
    documents: list[CorpusDocument], corpus: Path, split: str | None, limit: int | None
) -> list[CorpusDocument]:
    chosen = [document for document in documents if split in (None, document.split)][:limit]
    if not chosen:
        there = ", ".join(sorted({document.split for document in documents} - {""})) or "none"
        raise LabelError(f"{corpus}: no document of the split {split!r}; its splits are: {there}")
    return chosen


def _write(out: Path, measured: dict[str, Any]) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "benchmark.json").write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")
        (out / "benchmark.md").write_text(as_markdown(measured), encoding="utf-8")
        (out / "benchmark.svg").write_text(as_plot(measured), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {error.strerror}") from None
