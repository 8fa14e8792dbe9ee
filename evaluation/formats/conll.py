"""Lines of a token and its tag (CoNLL, IOB2) -> documents; the text is rebuilt with a space between tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from evaluation.formats.document import CorpusDocument
from evaluation.formats.source import Source
from evaluation.spans import Marked

_TAG = re.compile(r"([BIESLU])-(.+)")
_BOUNDARY = re.compile(r"-DOCSTART-|# newdoc\b")
_METADATA = re.compile(r"#\s*\w[\w ]*=")  # as treebanks write it: # text = ...


@dataclass(slots=True)
class _Text:
    parts: list[str] = field(default_factory=list)
    length: int = 0
    spans: list[Marked] = field(default_factory=list)
    open: bool = False  # whether the last span goes on

    def add(self, token: str, tag: str) -> None:
        if self.parts and self.parts[-1] != "\n":
            self._append(" ")
        start = self.length
        self._append(token)
        prefix, kind = _parsed(tag)
        if kind is None:
            self.open = False
            return
        last = self.spans[-1] if self.open else None
        if last and prefix in "IEL" and last.category == kind:
            self.spans[-1] = Marked(last.start, self.length, kind)
        else:
            self.spans.append(Marked(start, self.length, kind))
        self.open = prefix in "BI"

    def end_sentence(self) -> None:
        if self.parts and self.parts[-1] != "\n":
            self._append("\n")
        self.open = False

    def _append(self, part: str) -> None:
        self.parts.append(part)
        self.length += len(part)


def conll_documents(source: Source, name: str = "") -> Iterator[CorpusDocument]:
    """Documents begin at -DOCSTART- or # newdoc; without these a file that is named is one, else each sentence is."""
    content = source.characters()
    by_sentence = not name and not any(_BOUNDARY.match(line) for line in content.split("\n"))
    number, text = 1, _Text()
    for line_number, line in enumerate([*content.split("\n"), ""], 1):
        line = line.rstrip("\r")
        boundary = _BOUNDARY.match(line)
        if not line.strip():
            text.end_sentence()
        if text.parts and (boundary or (by_sentence and not line.strip())):
            yield _document(source, name, number, text)
            number, text = number + 1, _Text()
        if line.strip() and not boundary and not _is_comment(line):
            text.add(*_token(source, line_number, line))
    if text.parts:
        yield _document(source, name, number, text)


def _document(source: Source, name: str, number: int, text: _Text) -> CorpusDocument:
    id_ = str(number) if not name else name if number == 1 else f"{name}#{number}"
    return CorpusDocument(id_, source.text_of(f"document {id_}", id_, "".join(text.parts)), tuple(text.spans))


def _is_comment(line: str) -> bool:
    """Some corpora have # as a token; a comment has no tag, though the last word of a sentence may look like one."""
    return line.startswith("#") and (_METADATA.match(line) is not None or _parsed_or_none(line.split()[-1]) is None)


def _token(source: Source, number: int, line: str) -> tuple[str, str]:
    """Token and tag are the first and the last column; where tokens are numbered, the second and the third."""
    columns = line.split("\t") if "\t" in line else line.split()
    columns = [column.strip() for column in columns]
    numbered = len(columns) > 2 and columns[0].isdecimal() and _parsed_or_none(columns[2]) is not None
    token, tag = (columns[1], columns[2]) if numbered else (columns[0], columns[-1])
    if len(columns) < 2 or _parsed_or_none(tag) is None:
        source.refuse(f"line {number}", "expected a token and a tag (O, B-TYPE or I-TYPE)")
    return token or " ", tag


def _parsed(tag: str) -> tuple[str, str | None]:
    match = _TAG.fullmatch(tag)
    return (match[1], match[2]) if match else ("O", None)


def _parsed_or_none(tag: str) -> str | None:
    return tag if tag == "O" or _TAG.fullmatch(tag) else None
