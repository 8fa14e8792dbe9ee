"""What every format is read into: a document with the spans that somebody marked in it."""

from dataclasses import dataclass, field

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
    people: tuple[str, ...] = field(default=(), compare=False)  # the names of the annotators, in their order
