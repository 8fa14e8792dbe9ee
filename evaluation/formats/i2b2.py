"""XML of the i2b2 challenges (2006: marks inside the text; 2014: text and tags apart) -> documents."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from evaluation.formats.document import CorpusDocument
from evaluation.formats.source import Source
from evaluation.spans import Marked

_OPENED = re.compile(r"tag mismatch: \w+ line (\d+) and")


def i2b2_documents(source: Source, name: str) -> Iterator[CorpusDocument]:
    """`name` is the document's where a file is one document, as in 2014."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    try:
        root = etree.fromstring(source.characters().encode(), parser)
    except etree.XMLSyntaxError as error:
        opened = _OPENED.search(error.msg or "")
        if opened is None:
            source.refuse(f"line {error.lineno}", "not well-formed XML")
        source.refuse(
            f"line {opened[1]}",
            "a tag is opened here and not closed, so this is not well-formed XML; close it (in the training file of"
            " 2006, as first published, it is the second of two tags around one date)",
        )
    if root.find("TEXT") is not None or root.find("TAGS") is not None:
        yield _of_2014(source, name, root)
        return
    records = list(root.iter("RECORD"))
    if not records:
        source.refuse("", "XML of another kind: expected RECORD elements (i2b2 2006), or TEXT and TAGS (i2b2 2014)")
    for record in records:
        yield _of_2006(source, record)


def _of_2006(source: Source, record: Any) -> CorpusDocument:
    where, name, body = f"line {record.sourceline}", record.get("ID"), record.find("TEXT")
    if name is None or body is None:
        source.refuse(where, "a RECORD needs the attribute ID and a TEXT")
    parts: list[str] = []
    spans: list[Marked] = []
    _collect(source, body, parts, spans)
    text = source.text_of(where, name, "".join(parts))
    return CorpusDocument(name, text, tuple(spans))


def _collect(source: Source, element: Any, parts: list[str], spans: list[Marked]) -> None:
    parts.append(element.text or "")
    for child in element:
        start = sum(map(len, parts))
        if isinstance(child.tag, str):  # not a comment
            _collect(source, child, parts, spans)
        end = sum(map(len, parts))
        if child.tag == "PHI" and end > start:
            if not child.get("TYPE"):
                source.refuse(f"line {child.sourceline}", "a PHI element needs the attribute TYPE")
            spans.append(Marked(start, end, child.get("TYPE")))
        parts.append(child.tail or "")


def _of_2014(source: Source, name: str, root: Any) -> CorpusDocument:
    body = root.find("TEXT")
    text = source.text_of("", name, None if body is None else "".join(body.itertext()))
    spans = []
    for tag in root.find("TAGS") if root.find("TAGS") is not None else ():
        if not isinstance(tag.tag, str):
            continue
        where = f"line {tag.sourceline}"
        try:
            start, end = int(tag.get("start", "")), int(tag.get("end", ""))
        except ValueError:
            source.refuse(where, "a tag needs whole numbers as start and end")
        spans.append(source.span(where, text, start, end, tag.get("TYPE") or tag.tag, tag.get("text") or None))
    return CorpusDocument(name, text, tuple(spans))
