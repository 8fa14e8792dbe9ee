"""XML, such as clinical documents -> its texts and attributes as runs; files within it are dropped."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from lxml import etree

from deidentification.formats.html import OpenedHtml, open_html
from deidentification.formats.opened import BROKEN, ENTITIES, RefusedError
from deidentification.view import Run
from extraction.readers.xml.parse import safe_parser

_PACKED = re.compile(r"\s*[A-Za-z0-9+/\s]{60,}={0,2}\s*")
_WORD_GAPS = re.compile(r"[a-z ]{4}")


class OpenedXml:
    """Comments and processing instructions are dropped too: nobody sees them, and they may hold anything."""

    is_prose = True

    def __init__(self, root: Any) -> None:
        self._root = root
        self._slots: list[tuple[Any, str]] = []  # an element, and `text`, `tail` or the name of an attribute
        self._places: list[int] = []  # the run of each slot
        self.runs: Sequence[Run] = tuple(self._collected())

    def _collected(self) -> list[Run]:
        runs: list[Run] = []
        for event, element in etree.iterwalk(self._root, events=("start", "end")):
            if event == "end":
                self._add(runs, element, "tail", element.tail)
                continue
            for name, value in element.attrib.items():
                self._add(runs, element, f"@{name}", value)
            if element.text and _is_packed(element.text):
                element.text = ""
            self._add(runs, element, "text", element.text)
        return runs

    def _add(self, runs: list[Run], element: Any, slot: str, value: str | None) -> None:
        if value and value.strip():
            self._slots.append((element, slot))
            self._places.append(len(runs))
            runs += [Run(value), Run("\n", is_fixed=True)]

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        for (element, slot), at in zip(self._slots, self._places, strict=True):
            if at in new:
                put(element, slot, new[at])
        return bytes(etree.tostring(self._root, encoding="utf-8", xml_declaration=True))


def open_xml(data: bytes, media_type: str) -> OpenedXml | OpenedHtml:
    """What is not well formed is read tag by tag, as a web page is."""
    try:
        return OpenedXml(parsed(data))
    except RefusedError as refused:
        if str(refused) != BROKEN:
            raise
        return open_html(data, media_type)


def parsed(data: bytes) -> Any:
    if any("<!ENTITY".encode(encoding) in data for encoding in ("ascii", "utf-16-le", "utf-16-be")):
        raise RefusedError(ENTITIES)
    try:
        return etree.fromstring(data, safe_parser())
    except etree.XMLSyntaxError:
        raise RefusedError(BROKEN) from None


def put(element: Any, slot: str, text: str) -> None:
    if slot == "text":
        element.text = text
    elif slot == "tail":
        element.tail = text
    else:
        element.set(slot[1:], text)


def _is_packed(text: str) -> bool:
    return _PACKED.fullmatch(text) is not None and _WORD_GAPS.search(text.replace("\n", "")) is None


def local(name: str) -> str:
    """A name of an element or attribute without its namespace."""
    return name.rpartition("}")[2]
