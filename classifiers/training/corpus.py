"""The folder of training data -> labelled texts, part of them held out by a fixed seed."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import SourceError

SEED = "leakscreen-health-1"
HELD_OUT = 0.3
SHORTEST_RECORD = 100  # words; the C-CDA set has many fragments that say next to nothing about a person

NOTE, STRUCTURED, TALK, GENERAL, GREY, EVERYDAY = "note", "structured", "talk", "general", "grey", "everyday"

FURTHER = "further:"  # begins the names of sets that are not part of the training data
_PASSAGES_ALONE = ".passages"  # ends the names of those that teach passages and no documents

_JSON_LINES = {
    "health_mtsamples.jsonl": NOTE,
    "health_aci_bench.jsonl": NOTE,
    "healthgeneral_medquad.jsonl": GENERAL,
    "grey_20news_scimed.jsonl": GREY,
    "nonhealth_20news.jsonl": EVERYDAY,
    "nonhealth_moviereviews.jsonl": EVERYDAY,
    "nonhealth_speeches.jsonl": EVERYDAY,
    "tab_train92_dev21.jsonl": EVERYDAY,
    "pii_presidio_generated_large.jsonl": EVERYDAY,
}
_STRUCTURED_FOLDER = "health_files"
_STRUCTURED_TYPES = frozenset({".hl7", ".json", ".xml"})

Reader = Callable[[Sequence[Path]], Sequence[str]]  # files -> their texts as a scan would see them


@dataclass(frozen=True, slots=True, repr=False)
class Example:
    """A text, the kind that it is an example of, and the set that it comes from."""

    text: str
    kind: str
    source: str
    is_held_out: bool


def read_corpus(data: Path, read: Reader) -> list[Example]:
    """Reads every set; a missing one is named, as a model of half the data would look like a whole one."""
    examples = [example for name, kind in _JSON_LINES.items() for example in _read_json_lines(data / name, kind)]
    return examples + list(_read_structured(data / _STRUCTURED_FOLDER, read))


def read_sets(folder: Path) -> list[Example]:
    """Further sets: files named `<kind>-<name>.jsonl`, each row an object with a `text`.

    Those named `<kind>-<name>.passages.jsonl` teach passages alone.
    """
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise SourceError(f"{folder}: has no file <kind>-<name>.jsonl")
    examples: list[Example] = []
    for path in files:
        kind, _, name = path.stem.partition("-")
        if kind not in (NOTE, STRUCTURED, TALK, GENERAL, EVERYDAY) or not name:
            raise SourceError(f"{path}: the name must begin with note-, structured-, talk-, general- or everyday-")
        for number, line in enumerate(_lines(path)):
            try:
                text = json.loads(line)["text"]
            except (ValueError, KeyError, TypeError):
                raise SourceError(f"{path}: line {number + 1} is not a JSON object with a text") from None
            examples.append(Example(text, kind, f"{FURTHER}{name}", held_out(f"{name}:{number}")))
    return examples


def teaches_documents(example: Example) -> bool:
    """Many small sets for passages would crowd the classes of whole documents."""
    return not (example.source.startswith(FURTHER) and example.source.endswith(_PASSAGES_ALONE))


def read_plainly(paths: Sequence[Path]) -> list[str]:
    """Files as they are, for want of an extractor."""
    return [path.read_text(encoding="utf-8", errors="replace") for path in paths]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")  # a text may hold other line ends
    except OSError as error:
        raise SourceError(f"{path}: training data cannot be read: {error.strerror}") from None


def _read_json_lines(path: Path, kind: str) -> Iterator[Example]:
    for number, line in enumerate(_lines(path), start=1):
        try:
            row = json.loads(line)
            text, group = row["text"], _group(row)
        except (ValueError, KeyError, TypeError):
            raise SourceError(f"{path}: line {number} is not a JSON object with a text and an id") from None
        yield Example(
            text, TALK if row.get("kind") == "dialogue" else kind, path.stem, held_out(f"{path.stem}:{group}")
        )


def _group(row: dict[str, Any]) -> str:
    """Rows of one origin share a side of the split: a visit's note and dialogue, sentences of one template."""
    for key in ("template_id", "doc_id"):
        if key in row:
            return str(row[key])
    return re.sub(r"-(note|dialogue)$", "", str(row["id"]))


def _read_structured(folder: Path, read: Reader) -> Iterator[Example]:
    paths = sorted(path for path in folder.rglob("*") if path.suffix in _STRUCTURED_TYPES)
    if not paths:
        raise SourceError(f"{folder}: no HL7, C-CDA or FHIR file is there")
    for path, text in zip(paths, read(paths), strict=True):
        if len(text.split()) >= SHORTEST_RECORD:
            collection, *deeper = path.relative_to(folder).parts
            yield Example(
                text,
                STRUCTURED,
                collection if deeper else folder.name,
                held_out(f"{_STRUCTURED_FOLDER}:{path.name.split('.')[0]}"),
            )


def held_out(key: str) -> bool:
    """Which side of the split a group of examples is on: the same on every machine."""
    digest = hashlib.sha256(f"{SEED}:{key}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < HELD_OUT * 2**64
