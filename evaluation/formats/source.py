"""A file of a corpus or of predictions -> its characters, and errors that name the place but never the text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from core.errors import LabelError
from evaluation.spans import Marked


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder; `texts` are those of the corpus by document, which a prediction file need not repeat."""

    path: Path
    texts: Mapping[str, str] = field(default_factory=dict)

    def refuse(self, where: str, why: str) -> NoReturn:
        raise LabelError(f"{self.path}: {where}: {why}" if where else f"{self.path}: {why}")

    def at(self, path: Path) -> "Source":
        return Source(path, self.texts)

    def characters(self, encoding: str = "utf-8-sig") -> str:
        """Line ends stay as they are, because spans count characters."""
        try:
            return self.path.read_bytes().decode(encoding)
        except OSError as error:
            self.refuse("", f"cannot be read: {error.strerror}")
        except UnicodeDecodeError as error:
            self.refuse("", f"must be UTF-8; byte {error.start} is not")

    def text_of(self, where: str, document: str, text: object) -> str:
        """The text of a document, from the file itself or from the corpus that was read before."""
        known = self.texts.get(document)
        if isinstance(text, str):
            if self.texts and known is None:
                self.refuse(where, f"the corpus has no document {document!r}; use the ids of the corpus")
            if known is not None and known != text:
                self.refuse(where, "its text is not that of the corpus, so its offsets mean other characters")
            return text
        if known is None:
            self.refuse(where, "text is missing" + (f": the corpus has no document {document!r}" * bool(self.texts)))
        return known

    def span(self, where: str, text: str, start: Any, end: Any, kind: object, covered: str | None = None) -> Marked:
        """A span inside its text; `covered`, the text that the file gives for it, guards against shifted offsets."""
        whole = isinstance(start, int) and isinstance(end, int)
        if not whole or not 0 <= start < end <= len(text):
            self.refuse(where, f"a span lies outside of its text of {len(text):,} characters, or its end is before it")
        if covered is not None and covered.split() != text[start:end].split():
            self.refuse(where, f"span {start} to {end} is not the text that stands beside it: are its offsets shifted?")
        return Marked(start, end, str(kind))
