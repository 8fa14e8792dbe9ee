"""Annotated texts in other languages -> texts with marked values, in a part to learn from and one to judge.

Spanish clinical cases (MEDDOCAN): `find` is train, `judge` is dev. German clinical letters (GraSCCo): halves by the
hash of the file's name. French sentences (eds-pseudo): every fourth block judges. Sets of names of another origin than
the training: every second page of a CoNLL file is of `judge`; each page of a JSON lines file says its part.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PARTS = ("find", "judge")
PERSON = "PER"
_SPANISH_PATIENT = "NOMBRE_SUJETO_ASISTENCIA"
_SPANISH_NAMES = (_SPANISH_PATIENT, "NOMBRE_PERSONAL_SANITARIO")
_GERMAN_PATIENT = "NAME_PATIENT"
_GERMAN_NAMES = (_GERMAN_PATIENT, "NAME_DOCTOR", "NAME_EXT")
_GERMAN_UNCOUNTED = ("NAME_TITLE", "None")  # `Herr` and `Dr.` identify nobody
_TEMPLATE = re.compile(r"\[([^\][]*)\]\(([A-Z_]+)\)")
_BLOCK = 8  # lines
_PAGE = 400  # words
_PERSON_TAGS = ("PER", "PERS", "RR", "AN")
_NO_BLANK_BEFORE = frozenset(".,;:!?)]}»%")
_NO_BLANK_BEHIND = frozenset("([{«")


@dataclass(frozen=True, slots=True)
class Value:
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text of one language with its marked values."""

    name: str
    language: str
    text: str
    values: tuple[Value, ...]
    people: frozenset[str]  # kinds of people's names
    patients: frozenset[str] = frozenset()

    def names(self) -> list[tuple[int, int]]:
        return [(value.start, value.end) for value in self.values if value.kind in self.people]


def part_of(name: str) -> str:
    digest = hashlib.sha1(name.encode(), usedforsecurity=False).digest()
    return PARTS[int.from_bytes(digest) % 2]


def spanish_cases(data: Path, part: str) -> Iterator[Annotated]:
    folder = data / "languages" / "es_meddocan" / ("dev" if part == "judge" else "train") / "brat"
    for path in sorted(folder.glob("*.txt")):
        values = []
        for line in path.with_suffix(".ann").read_text(encoding="utf-8").split("\n"):
            fields = line.split("\t")
            kind, *places = fields[1].split() if len(fields) > 1 else ("",)
            if len(places) == 2:
                values.append(Value(int(places[0]), int(places[1]), kind))
        text = path.read_text(encoding="utf-8")
        yield Annotated(path.stem, "es", text, tuple(values), frozenset(_SPANISH_NAMES), frozenset({_SPANISH_PATIENT}))


def german_letters(data: Path, part: str) -> Iterator[Annotated]:
    for path in sorted((data / "languages" / "de_grascco_phi").glob("*.json")):
        if part_of(path.name) != part:
            continue
        structures = json.loads(path.read_text(encoding="utf-8"))["%FEATURE_STRUCTURES"]
        text = next(one["sofaString"] for one in structures if "sofaString" in one)
        values = [
            Value(one["begin"], one["end"], str(one.get("kind")))
            for one in structures
            if one["%TYPE"] == "webanno.custom.PHI" and str(one.get("kind")) not in _GERMAN_UNCOUNTED
        ]
        names = frozenset(_GERMAN_NAMES)
        yield Annotated(path.stem, "de", text, tuple(values), names, frozenset({_GERMAN_PATIENT}))


def french_sentences(data: Path, part: str) -> Iterator[Annotated]:
    """Sentences of French hospitals, in pages; those kept from the training of the model of names judge."""
    path = data / "languages" / "eds_pseudo_templates_fr.txt"
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    blocks = [lines[at : at + _BLOCK] for at in range(0, len(lines), _BLOCK)]
    for number, block in enumerate(blocks):
        if (number % 4 == 0) == (part == "judge"):
            text, values = "", []
            for line in block:
                at = 0
                for match in _TEMPLATE.finditer(line):
                    text += line[at : match.start()]
                    values.append(Value(len(text), len(text) + len(match[1]), match[2]))
                    text += match[1]
                    at = match.end()
                text += line[at:] + "\n"
            names = frozenset({"NOM", "PRENOM"})
            yield Annotated(f"{path.stem}-{number}", "fr", text, tuple(values), names, names)


def named_pages(path: Path, part: str, language: str) -> Iterator[Annotated]:
    """Pages of a CoNLL file, one word and its tag a line; `part` is `find`, `judge` or `all`."""
    for number, page in enumerate(_pages(path)):
        if part in ("all", PARTS[number % 2]):
            text, values = _joined(page)
            yield Annotated(f"{path.stem}-{number}", language, text, tuple(values), frozenset({PERSON}))


def marked_pages(path: Path, part: str, language: str) -> Iterator[Annotated]:
    """Pages as they stand, a line each: `{"name": .., "part": "judge", "text": .., "marks": [[start, end, "PER"]]}`."""
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if part in ("all", row["part"]):
            values = tuple(Value(*mark) for mark in row["marks"])
            yield Annotated(row["name"], language, row["text"], values, frozenset({PERSON}))


def _pages(path: Path) -> Iterator[list[tuple[str, str]]]:
    page: list[tuple[str, str]] = []
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        fields = line.split("\t") if "\t" in line else line.split()
        if line.startswith("#"):
            continue
        if len(fields) < 2:
            page.append(("\n", "O"))
        elif fields[0].isdecimal() and len(fields) > 3:  # numbered words: the tag is the third column
            page.append((fields[1], fields[2]))
        else:
            page.append((fields[0], fields[-1]))
        if len(page) >= _PAGE and page[-1][0] in (".", "\n") and page[-1][1] == "O":
            yield page
            page = []
    if page:
        yield page


def _joined(page: Sequence[tuple[str, str]]) -> tuple[str, list[Value]]:
    text, values = "", []
    for word, tag in page:
        glued = word[:1] in _NO_BLANK_BEFORE or text[-1:] in _NO_BLANK_BEHIND or text[-1:] in "'’\n" or word == "\n"
        text += word if glued or not text else f" {word}"
        if tag.rpartition("-")[2] in _PERSON_TAGS:
            values.append(Value(len(text) - len(word), len(text), PERSON))
    return text, values
