"""The bytes of a copy -> what of the original is still in it: read in the sandbox as any file, and screened."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from core.records import EXAMINED, Document, FileRef, Span, Status
from deidentification.finding import Finder
from deidentification.values import TITLES, Place, Value, Values, is_filler, plain
from deidentification.ways import Ways
from extraction.sandbox import Question, Sandbox

_WORD = re.compile(r"[^\W_]+")
_NAME_PARTS = frozenset({"first_name", "last_name", "initials"})
_SPECK = 3  # letters
_READ = EXAMINED | {Status.CONTAINER}


class Remaining(NamedTuple):
    """A value that is still there, for the next attempt, and for people where it is."""

    value: Value
    place: str


class UnreadableError(Exception):
    """Why the text of a file is not known in full."""


class Reader:
    """Bytes -> documents, in the sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def documents(self, data: bytes, name: str) -> list[Document]:
        descriptor = os.memfd_create("leakscreen", os.MFD_CLOEXEC)
        try:
            with os.fdopen(os.dup(descriptor), "wb") as file:
                file.write(data)
            ref = FileRef(uri=name, path=os.fsencode(name), size=len(data), mtime_ns=0)
            return list(self._sandbox.answers(Question(ref, descriptor, len(data))))
        finally:
            os.close(descriptor)

    def examined(self, data: bytes, name: str, *, whole: bool) -> list[Document]:
        """Raises UnreadableError where a part was not read; of an original, that may be what the copy leaves out."""
        documents = self.documents(data, name)
        for document in documents:
            is_read = document.status in (Status.COMPLETE, Status.CONTAINER) if whole else document.status in _READ
            if not is_read and (whole or document.container_uri is None):
                raise UnreadableError(f"{document.status.value}: {document.reason or 'no reason'}")
        return documents


class Ours:
    """What replacements put into a copy."""

    def __init__(self, replacements: Iterable[str], lists: Mapping[str, int]) -> None:
        self._lists = lists
        self._whole = Values(lists)
        self._words: set[str] = set()
        for text in replacements:
            self._whole.add(Value("", text))
            self._words.update(plain(word) for word in _WORD.findall(text))

    def places(self, text: str) -> list[Place]:
        return list(self._whole.places(text))

    def explains(self, text: str, span: Span, places: Sequence[Place]) -> bool:
        """Whether every word of it is one that we wrote, or fills the gap between two of ours."""
        rest = list(text[span.start : span.end])
        touched = [one for one in places if one.start < span.end and span.start < one.end]
        for one in touched:
            for at in range(max(one.start, span.start), min(one.end, span.end)):
                rest[at - span.start] = " "
        return all(
            plain(word) in self._words or (touched and (word.casefold() in TITLES or is_filler(word, self._lists)))
            for word in _WORD.findall("".join(rest))
        )


def remaining(
    documents: Sequence[Document], values: Values, ours: Ours, finder: Finder, ways: Ways, *, from_picture: bool
) -> Iterator[Remaining]:
    """Values of the original anywhere, and whatever the screen finds that no replacement explains.

    Of what was read from pictures, names of up to three letters that are no values are specks beside a box.
    """
    for document in documents:
        text = document.text
        places = ours.places(text)
        for place in values.places(text):
            if not _is_within(place.start, place.end, places):
                yield Remaining(place.value, _where(document, place.start))
        for span in finder.spans(text, document.media_type):
            if ways.keeps(span.characteristic) or ours.explains(text, span, places):
                continue
            if span.characteristic in _NAME_PARTS and span.end - span.start <= _SPECK and from_picture:
                continue
            yield Remaining(Value(span.characteristic, text[span.start : span.end]), _where(document, span.start))


def _is_within(start: int, end: int, ours: Sequence[Place]) -> bool:
    return any(one.start <= start and end <= one.end for one in ours)


def _where(document: Document, at: int) -> str:
    """The part of the file, and the line in it."""
    line = document.text.count("\n", 0, at) + 1
    offset = 0
    place = ""
    for segment in document.segments:
        if offset <= at:
            place = segment.where
        offset += len(segment.text) + 1
    member = document.uri.partition("!")[2] if document.container_uri is not None else ""
    return ", ".join(filter(None, ("a file within it" if member else "", place, f"line {line}")))
