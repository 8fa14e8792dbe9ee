"""Plain text and tables of delimited cells -> runs; what separates cells stays as it is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from deidentification.view import Run
from extraction.readers.text.decode import decode

_DATA_URI = re.compile(r"(data:[\w.+/-]{0,80}(?:;[\w=.-]{1,60}){0,4};base64,)[A-Za-z0-9+/=\s]{16,}")
_BREAKS = "\r\n"
_DELIMITERS = ",;\t|"
_LOOK = 20  # lines


@dataclass(frozen=True, slots=True)
class OpenedText:
    """`forbidden` are the characters that a new text may not have, since they separate cells or fields."""

    runs: Sequence[Run]
    forbidden: str = ""
    is_prose: bool = True

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        texts = [self._allowed(new[at]) if at in new else run.text for at, run in enumerate(self.runs)]
        return "".join(texts).encode("utf-8", "replace")

    def _allowed(self, text: str) -> str:
        return text.translate({ord(one): "x" if one in "*^~&" else " " for one in self.forbidden})


def open_text(data: bytes, media_type: str) -> OpenedText:
    """Files that are written into the text, as web pages do with pictures, are dropped."""
    return OpenedText(tuple(without_files(decode(data))))


def open_table(data: bytes, media_type: str) -> OpenedText:
    text = decode(data)
    delimiter = delimiter_of(text)
    cell = re.compile(rf'"(?:[^"]|"")*"|[^{re.escape(delimiter)}\r\n]+')
    return OpenedText(tuple(split(text, cell)), delimiter + _BREAKS + '"')


def without_files(text: str) -> Iterator[Run]:
    last = 0
    for match in _DATA_URI.finditer(text):
        yield Run(text[last : match.end(1)])
        last = match.end()
    yield Run(text[last:])


def split(text: str, cell: re.Pattern[str]) -> Iterator[Run]:
    """Cells, and as fixed runs what is between them."""
    last = 0
    for match in cell.finditer(text):
        start, end = match.span()
        if end - start > 1 and text[start] == '"' == text[end - 1]:
            start, end = start + 1, end - 1
        if start > last:
            yield Run(text[last:start], is_fixed=True)
        if end > start:
            yield Run(text[start:end])
        last = end
    if last < len(text):
        yield Run(text[last:], is_fixed=True)


def delimiter_of(text: str) -> str:
    """The one that occurs equally often in most of the first lines."""
    lines = [line for line in text.split("\n", _LOOK)[:_LOOK] if line.strip()]

    def steadiness(delimiter: str) -> tuple[int, int]:
        counts = [line.count(delimiter) for line in lines]
        usual = max(set(counts), key=counts.count) if counts else 0
        return (counts.count(usual) if usual else 0, usual)

    return max(_DELIMITERS, key=steadiness)
