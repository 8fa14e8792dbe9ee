"""Documents with entities -> files as TAB, the i2b2 challenge of 2014 and BRAT keep them; the readers beside read them.

These files hold whole texts: whoever writes them answers for where they are kept.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree

from evaluation.formats.document import CorpusDocument, Entity, Mention

FORMATS = ("tab", "i2b2", "brat")
Written = Iterator[tuple[str, bytes]]  # name and content of each file


def write_corpus(documents: Iterable[CorpusDocument], form: str) -> Written:
    if form == "tab":
        rows = [_tab_row(document) for document in documents]
        yield "corpus.json", (json.dumps(rows, indent=1) + "\n").encode()
        return
    for document in documents:
        if form == "i2b2":
            yield f"{document.id}.xml", _i2b2(document)
        else:
            yield f"{document.id}.txt", document.text.encode()
            yield f"{document.id}.ann", _brat(document).encode()


def _tab_row(document: CorpusDocument) -> dict[str, Any]:
    names = document.people or tuple(f"annotator{number}" for number, _ in enumerate(document.annotators, 1))
    return {
        "doc_id": document.id,
        "text": document.text,
        "dataset_type": document.split,
        "annotations": {
            name: {"entity_mentions": list(_mentions(document, entities))}
            for name, entities in zip(names, document.annotators, strict=True)
        },
    }


def _mentions(document: CorpusDocument, entities: Iterable[Entity]) -> Iterator[dict[str, Any]]:
    number = 0
    for place, entity in enumerate(entities, 1):
        for mention in entity.mentions:
            number += 1
            yield {
                "entity_type": entity.kind,
                "entity_mention_id": f"{document.id}_m{number}",
                "start_offset": mention.start,
                "end_offset": mention.end,
                "span_text": document.text[mention.start : mention.end],
                "edit_type": "correct",
                "identifier_type": entity.identifier,
                "entity_id": f"{document.id}_e{place}",
            }


def _i2b2(document: CorpusDocument) -> bytes:
    """Characters that XML cannot hold become spaces, so that places stay."""
    root = etree.Element("deIdi2b2")
    etree.SubElement(root, "TEXT").text = _for_xml(document.text)
    tags = etree.SubElement(root, "TAGS")
    for number, (entity, mention) in enumerate(_in_order(document)):
        covered = _for_xml(document.text[mention.start : mention.end])
        places = {"id": f"P{number}", "start": str(mention.start), "end": str(mention.end)}
        etree.SubElement(tags, "PHI", {**places, "text": covered, "TYPE": entity.kind})
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def _for_xml(text: str) -> str:
    return "".join(each if each in "\t\n\r" or (each >= " " and each not in "\ufffe\uffff") else " " for each in text)


def _brat(document: CorpusDocument) -> str:
    """A span over several lines is written in pieces, because an .ann file has a line for each span."""
    lines = []
    for number, (entity, mention) in enumerate(_in_order(document), 1):
        pieces = list(_pieces(document.text, mention))
        places = ";".join(f"{start} {end}" for start, end in pieces)
        covered = " ".join(document.text[start:end] for start, end in pieces)
        lines.append(f"T{number}\t{entity.kind} {places}\t{covered}\n")
    return "".join(lines)


def _pieces(text: str, mention: Mention) -> Iterator[tuple[int, int]]:
    at = mention.start
    for line in text[mention.start : mention.end].splitlines(keepends=True):
        content = line.splitlines()[0]
        if content:
            yield at, at + len(content)
        at += len(line)


def _in_order(document: CorpusDocument) -> list[tuple[Entity, Mention]]:
    """What the first annotator wants masked, by place: i2b2 and BRAT know one annotator."""
    pairs = [
        (entity, mention)
        for entity in (document.annotators[0] if document.annotators else ())
        for mention in entity.mentions
        if mention.masked
    ]
    return sorted(pairs, key=lambda pair: (pair[1].start, pair[1].end))
