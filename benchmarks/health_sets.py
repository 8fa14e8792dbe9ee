"""Training data, and sets that training never saw -> examples by side, for the benchmarks of the health stage."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from classifiers.training.corpus import EVERYDAY, GENERAL, GREY, NOTE, STRUCTURED, TALK, Example, read_corpus
from classifiers.training.own_examples import own_examples
from leakscreen.commands.read_texts import read_texts

PERSONAL = (NOTE, STRUCTURED, TALK)
KINDS = (*PERSONAL, GENERAL, EVERYDAY)


@dataclass(frozen=True, slots=True)
class Sides:
    training: list[Example]
    held_out: list[Example]
    unseen: list[Example]


def read_sides(data: Path, unseen: Path | None) -> Sides:
    examples = [example for example in [*read_corpus(data, read_texts), *own_examples()] if example.kind != GREY]
    return Sides(
        [example for example in examples if not example.is_held_out],
        [example for example in examples if example.is_held_out],
        read_unseen(unseen) if unseen else [],
    )


def read_unseen(folder: Path) -> list[Example]:
    """Sets of other origin: files named `<kind>-<name>.jsonl`, each row an object with a `text`."""
    examples: list[Example] = []
    for path in sorted(folder.glob("*.jsonl")):
        kind, _, name = path.stem.partition("-")
        if kind not in KINDS:
            raise SystemExit(f"{path}: the name must begin with one of {', '.join(KINDS)} and a hyphen")
        lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        examples += [Example(json.loads(line)["text"], kind, name, True) for line in lines]
    return examples


def of(examples: Sequence[Example], *kinds: str) -> list[str]:
    return [example.text for example in examples if example.kind in kinds]
