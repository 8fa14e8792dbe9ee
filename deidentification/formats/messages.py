"""HL7 v2 messages and X12 interchanges -> their components as runs; separators and the names of segments stay."""

import re
from collections.abc import Iterator

from deidentification.formats.text import OpenedText
from deidentification.view import Run
from extraction.readers.text.decode import decode

_HL7 = re.compile(r"(?:MSH|FHS|BHS)([^\w\s])([^\w\s]{3,5})\1")
_USUAL_HL7 = "|^~\\&"
_NAME = r"(?<![^\r\n~])[A-Z][A-Z0-9]{1,2}(?=[^\w\s])"
_PACKED = re.compile(r"(?<=Base64\^)[A-Za-z0-9+/=]{16,}", re.IGNORECASE)


def open_hl7(data: bytes, media_type: str) -> OpenedText:
    """A file within a message is dropped."""
    text = _PACKED.sub("", decode(data))
    marks = _USUAL_HL7
    if (header := _HL7.search(text)) is not None:
        marks = header.group(1) + header.group(2)
    return OpenedText(tuple(_pieces(text, marks)), marks + "\r\n", is_prose=False)


def open_x12(data: bytes, media_type: str) -> OpenedText:
    text = decode(data)
    start = text.find("ISA")
    element = text[start + 3] if start >= 0 and len(text) > start + 3 else "*"
    # ISA has a fixed length: its 105th character separates components, its 106th ends the segment.
    whole = text[start : start + 106] if start >= 0 else ""
    marks = element + (whole[104:106].strip() if len(whole) == 106 else ":~")
    return OpenedText(tuple(_pieces(text, marks + "~")), marks + "~\r\n", is_prose=False)


def _pieces(text: str, marks: str) -> Iterator[Run]:
    """Components, and as fixed runs the names of segments and what separates."""
    last = 0
    for match in re.finditer(rf"{_NAME}|([^{re.escape(marks)}\r\n]+)", text):
        if match.group(1) is not None:
            yield Run(text[last : match.start()], is_fixed=True)
            yield Run(match.group(1))
            last = match.end()
    yield Run(text[last:], is_fixed=True)
