"""A corpus file (TAB's JSON, TAB as JSON lines, or JSON lines with spans) -> documents with their annotated spans."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from core.errors import LabelError
from evaluation.spans import Marked

DIRECT, QUASI, NO_MASK = "DIRECT", "QUASI", "NO_MASK"


@dataclass(frozen=True, slots=True)
class Mention:
    start: int
    end: int
    masked: bool


@dataclass(frozen=True, slots=True)
class Entity:
    """All mentions of one thing, as one annotator saw it; direct or quasi-identifier, or in no need of a mask."""

    kind: str
    identifier: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True, repr=False)
class CorpusDocument:
    """A text with the spans to be found in it; `annotators` only if the corpus has entities in the form of TAB."""

    id: str
    text: str
    spans: tuple[Marked, ...]
    annotators: tuple[tuple[Entity, ...], ...] = ()
    split: str = ""


def read_corpus(path: Path) -> list[CorpusDocument]:
    """Documents in the order of the file; whatever is not one is named with its place, never with its text."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise LabelError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise LabelError(f"{path}: must be UTF-8; byte {error.start} is not") from None
    documents = list(_tab_documents(path, text) if text.lstrip().startswith("[") else _line_documents(path, text))
    if not documents:
        raise LabelError(f"{path}: there is no document in it")
    return documents


def _tab_documents(path: Path, text: str) -> Iterator[CorpusDocument]:
    try:
        rows = json.loads(text)
    except ValueError:
        raise LabelError(f"{path}: not JSON") from None
    for number, row in enumerate(rows, 1):
        where = f"document {number}"
        content = _text(path, where, row)
        annotations = row.get("annotations")
        if not isinstance(annotations, dict):
            _refuse(path, where, "annotations are missing")
        mentions = [annotation.get("entity_mentions", ()) for annotation in annotations.values()]
        yield _tab_document(path, where, row, content, mentions)


def _line_documents(path: Path, text: str) -> Iterator[CorpusDocument]:
    """Rows with entities and the same doc_id are one document, marked by several annotators."""
    annotated: dict[str, tuple[str, Mapping[str, Any], list[Any]]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            row = json.loads(line)
        except ValueError:
            _refuse(path, where, "not a JSON object")
        content = _text(path, where, row)
        if "entities" in row and "doc_id" in row:
            annotated.setdefault(str(row["doc_id"]), (where, row, []))[2].append(row["entities"])
        elif "spans" in row:
            yield CorpusDocument(str(row.get("id", number)), content, tuple(_spans(path, where, content, row["spans"])))
        else:
            _refuse(path, where, "neither spans nor entities with a doc_id")
    for where, row, given in annotated.values():
        yield _tab_document(path, where, row, row["text"], given)


def _tab_document(path: Path, where: str, row: Mapping[str, Any], text: str, given: Iterable[Any]) -> CorpusDocument:
    annotators = tuple(entities for mentions in given if (entities := tuple(_entities(path, where, text, mentions))))
    spans = {
        Marked(mention.start, mention.end, entity.kind)
        for entities in annotators
        for entity in entities
        for mention in entity.mentions
        if mention.masked
    }
    return CorpusDocument(
        str(row.get("doc_id", where)), text, tuple(sorted(spans)), annotators, str(row.get("dataset_type", ""))
    )


def _entities(path: Path, where: str, text: str, mentions: Iterable[Mapping[str, Any]]) -> Iterator[Entity]:
    grouped: dict[str, list[Mapping[str, Any]]] = {}
    for mention in mentions:
        if not all(key in mention for key in ("entity_id", "identifier_type", "start_offset", "end_offset")):
            _refuse(path, where, "a mention lacks entity_id, identifier_type, start_offset or end_offset")
        if mention["identifier_type"] not in (DIRECT, QUASI, NO_MASK):
            _refuse(path, where, "identifier_type must be DIRECT, QUASI or NO_MASK")
        _check(path, where, text, mention["start_offset"], mention["end_offset"])
        grouped.setdefault(str(mention["entity_id"]), []).append(mention)
    for group in grouped.values():
        listed = tuple(
            Mention(one["start_offset"], one["end_offset"], one["identifier_type"] != NO_MASK) for one in group
        )
        kinds = [one["identifier_type"] for one in group]
        # As in TAB's own evaluation: the first mention decides if the entity is direct, and any masked mention
        # makes it one to mask.
        identifier = DIRECT if kinds[0] == DIRECT else QUASI if set(kinds) != {NO_MASK} else NO_MASK
        yield Entity(str(group[0].get("entity_type", "MISC")), identifier, listed)


def _spans(path: Path, where: str, text: str, spans: Iterable[Any]) -> Iterator[Marked]:
    for span in spans:
        if isinstance(span, dict):
            start, end = (
                span.get(key, span.get(f"{key}_position", span.get(f"{key}_offset"))) for key in ("start", "end")
            )
            kind = span.get("entity_type", span.get("label", span.get("characteristic", "other")))
        elif isinstance(span, list | tuple) and len(span) == 3:
            start, end, kind = span
        else:
            _refuse(path, where, "a span is neither an object nor [start, end, type]")
        yield Marked(*_check(path, where, text, start, end), str(kind))


def _check(path: Path, where: str, text: str, start: object, end: object) -> tuple[int, int]:
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)):
        _refuse(path, where, "a span lies outside of its text")
    return start, end


def _text(path: Path, where: str, row: Any) -> str:
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        _refuse(path, where, "text is missing")
    content: str = row["text"]
    return content


def _refuse(path: Path, where: str, why: str) -> NoReturn:
    raise LabelError(f"{path}: {where}: {why}")
