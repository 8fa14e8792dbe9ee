"""Rows with spans, as presidio-research writes them or Presidio's analyzer answers -> documents."""

from collections.abc import Iterator
from typing import Any

from evaluation.formats.document import CorpusDocument
from evaluation.formats.source import Source
from evaluation.spans import Marked

_EXPECTED = "expected text (or full_text) with spans, entities with a doc_id, or annotations"


def is_result(row: Any) -> bool:
    return isinstance(row, dict) and "entity_type" in row and "start" in row and "end" in row


def span_document(source: Source, where: str, number: int, row: Any) -> CorpusDocument:
    """A row of its own, or, in a prediction file, a bare list: what was found in the document of that number."""
    if isinstance(row, list) and source.texts:
        names = list(source.texts)
        if number > len(names):
            source.refuse(where, f"the corpus has only {len(names):,} documents")
        row = {"id": names[number - 1], "spans": row}
    if not isinstance(row, dict):
        source.refuse(where, _EXPECTED)
    name = str(row.get("id", row.get("doc_id", number)))
    text = source.text_of(where, name, row.get("text", row.get("full_text")))
    if not isinstance(row.get("spans"), list):
        source.refuse(where, f"neither spans nor entities: {_EXPECTED}")
    return CorpusDocument(name, text, tuple(_spans(source, where, text, row["spans"])))


def _spans(source: Source, where: str, text: str, spans: list[Any]) -> Iterator[Marked]:
    for span in spans:
        if isinstance(span, dict):
            start, end = (
                span.get(key, span.get(f"{key}_position", span.get(f"{key}_offset"))) for key in ("start", "end")
            )
            kind = span.get("entity_type", span.get("label", span.get("characteristic", "other")))
            covered = span.get("entity_value", span.get("value"))
        elif isinstance(span, list) and len(span) == 3:
            start, end, kind = span
            covered = None
        else:
            source.refuse(where, "a span is neither an object nor [start, end, type]")
        yield source.span(where, text, start, end, kind, covered if isinstance(covered, str) else None)
