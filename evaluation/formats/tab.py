"""Rows of the Text Anonymization Benchmark -> documents with entities by annotator; masks of TAB's own program."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaluation.formats.document import DIRECT, NO_MASK, QUASI, CorpusDocument, Entity, Mention
from evaluation.formats.source import Source
from evaluation.spans import Marked


def is_tab(row: Any) -> bool:
    return isinstance(row, dict) and ("annotations" in row or ("entities" in row and "doc_id" in row))


def tab_documents(source: Source, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[CorpusDocument]:
    """Annotations by person in one row, or a row with entities for each person who annotated a document."""
    annotated: dict[str, tuple[str, Mapping[str, Any], dict[str, Any]]] = {}
    for where, row in rows:
        _, _, people = annotated.setdefault(str(row.get("doc_id", where)), (where, row, {}))
        if "entities" in row:
            people[str(row.get("annotator", len(people) + 1))] = row["entities"]
        elif isinstance(row["annotations"], dict):
            people |= {name: _mentions(source, where, given) for name, given in row["annotations"].items()}
        else:
            source.refuse(where, "annotations must be an object with one entry for each annotator")
    for document, (where, row, people) in annotated.items():
        yield _document(source, where, document, row, people)


def masked_documents(source: Source, masks: Mapping[str, Any]) -> Iterator[CorpusDocument]:
    """What TAB's own program reads of a system: document -> [start, end] pairs."""
    for document, pairs in masks.items():
        text = source.text_of(f"document {document!r}", document, None)
        if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            source.refuse(f"document {document!r}", "expected a list of [start, end] pairs")
        spans = [source.span(f"document {document!r}", text, start, end, "other") for start, end in pairs]
        yield CorpusDocument(document, text, tuple(spans))


def _mentions(source: Source, where: str, annotation: Any) -> Any:
    if not isinstance(annotation, dict) or not isinstance(annotation.get("entity_mentions", []), list):
        source.refuse(where, "an annotation must be an object with a list of entity_mentions")
    return annotation.get("entity_mentions", [])


def _document(
    source: Source, where: str, document: str, row: Mapping[str, Any], people: Mapping[str, Any]
) -> CorpusDocument:
    """A person who marked nothing is an annotator too: whatever a system masks there was masked wrongly."""
    text = source.text_of(where, document, row.get("text"))
    annotators = tuple(tuple(_entities(source, where, text, mentions)) for mentions in people.values()) or ((),)
    spans = {
        Marked(mention.start, mention.end, entity.kind)
        for entities in annotators
        for entity in entities
        for mention in entity.mentions
        if mention.masked
    }
    split = str(row.get("dataset_type", ""))
    return CorpusDocument(document, text, tuple(sorted(spans)), annotators, split, tuple(people))


def _entities(source: Source, where: str, text: str, mentions: Iterable[Mapping[str, Any]]) -> Iterator[Entity]:
    grouped: dict[str, list[Mapping[str, Any]]] = {}
    for mention in mentions:
        if not all(key in mention for key in ("entity_id", "identifier_type", "start_offset", "end_offset")):
            source.refuse(where, "a mention lacks entity_id, identifier_type, start_offset or end_offset")
        if mention["identifier_type"] not in (DIRECT, QUASI, NO_MASK):
            source.refuse(where, "identifier_type must be DIRECT, QUASI or NO_MASK")
        covered = mention.get("span_text")
        place = (mention["start_offset"], mention["end_offset"])
        source.span(where, text, *place, "", covered if isinstance(covered, str) else None)
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
