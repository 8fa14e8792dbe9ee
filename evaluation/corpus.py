"""A corpus or prediction file, in any format that shared tasks use -> documents with their spans."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from core.errors import LabelError
from evaluation.formats.brat import brat_documents
from evaluation.formats.conll import conll_documents
from evaluation.formats.document import CorpusDocument
from evaluation.formats.i2b2 import i2b2_documents
from evaluation.formats.json_rows import json_rows
from evaluation.formats.presidio import is_result, span_document
from evaluation.formats.source import Source
from evaluation.formats.tab import is_tab, masked_documents, tab_documents
from evaluation.spans import Marked

_JSON, _CONLL = (".json", ".jsonl"), (".conll", ".iob2", ".iob", ".bio", ".tsv")
FORMATS = "i2b2 XML (2006 or 2014), JSON of TAB or Presidio, JSON lines with spans, BRAT (.txt and .ann) or CoNLL"


def read_corpus(path: Path) -> list[CorpusDocument]:
    """Documents in the order of the file, or of the names in a folder; errors name the place, never the text."""
    return _read(Source(path))


def read_predictions(
    path: Path, documents: Sequence[CorpusDocument], all_of_them: bool = True
) -> dict[str, tuple[Marked, ...]]:
    """What a system, or another annotator, marked in the documents of a corpus; texts need not be repeated."""
    texts = {document.id: document.text for document in documents}
    marked = {document.id: document.spans for document in _read(Source(path, texts))}
    missing = [name for name in texts if name not in marked]
    if missing and all_of_them:
        others = f" and {len(missing) - 1:,} others" if len(missing) > 1 else ""
        raise LabelError(
            f"{path}: nothing is said of document {missing[0]!r}{others}; "
            "give an empty list of spans where nothing was marked"
        )
    return marked


def _read(source: Source) -> list[CorpusDocument]:
    documents = list(_documents(source))
    if not documents:
        source.refuse("", "there is no document in it")
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            source.refuse("", f"document {document.id!r} is in it twice")
        seen.add(document.id)
    return documents


def _documents(source: Source) -> Iterator[CorpusDocument]:
    if source.path.is_dir():
        yield from _of_folder(source)
    elif source.path.suffix == ".ann":
        yield from brat_documents(source)
    else:
        start = source.characters().lstrip()[:1]
        if start == "<":
            yield from i2b2_documents(source, source.path.stem)
        elif start in ("{", "["):
            yield from _of_json(source)
        elif start:
            yield from conll_documents(source)


def _of_folder(source: Source) -> Iterator[CorpusDocument]:
    """All files of one format; each is a document named after its file, where the format names none."""
    files = sorted(path for path in source.path.rglob("*") if path.is_file() and not path.name.startswith("."))
    kinds: Mapping[str, list[Path]] = {
        kind: chosen
        for kind, endings in (("brat", (".ann",)), ("i2b2", (".xml",)), ("conll", _CONLL), ("json", _JSON))
        if (chosen := [path for path in files if path.suffix.lower() in endings])
    }
    if len(kinds) != 1:
        several = f"files of several formats are in it ({', '.join(kinds)})" if kinds else "no annotated file is in it"
        source.refuse("", f"{several}; expected one of: {FORMATS}")
    ((kind, chosen),) = kinds.items()
    if kind == "brat":
        yield from brat_documents(source)
    for path in chosen if kind != "brat" else ():
        name = str(path.relative_to(source.path).with_suffix(""))
        if kind == "i2b2":
            yield from i2b2_documents(source.at(path), name)
        elif kind == "conll":
            yield from conll_documents(source.at(path), name)
        else:
            yield from _of_json(source.at(path))


def _of_json(source: Source) -> Iterator[CorpusDocument]:
    rows = list(json_rows(source, source.characters()))
    if len(rows) == 1 and source.texts and isinstance(rows[0][1], dict) and set(rows[0][1]) <= set(source.texts):
        yield from masked_documents(source, rows[0][1])
        return
    if source.texts and all(is_result(row) for _, row in rows):  # what Presidio's analyzer answered for one text
        rows = [("document 1", [row for _, row in rows])]
    tab = [(where, row) for where, row in rows if is_tab(row)]
    others = ((number, where, row) for number, (where, row) in enumerate(rows, 1) if not is_tab(row))
    yield from chain(
        (span_document(source, where, number, row) for number, where, row in others), tab_documents(source, tab)
    )
