"""Texts whose entities are marked: what the readers of training data give and the trainer takes."""

from dataclasses import dataclass

ORGANIZATION = "ORG"
PLACE = "LOC"
ADDRESS = "ADDR"
OWN_TEXT = "own text"  # the kind of texts that the users of this program marked


@dataclass(frozen=True, slots=True)
class Marked:
    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Labelled:
    kind: str
    group: str  # what is held out together: a document, a template
    text: str
    marked: tuple[Marked, ...]
