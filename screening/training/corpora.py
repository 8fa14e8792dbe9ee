"""The files of a data folder -> labelled texts of one shape; each reader knows one source."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from screening.entities.runs import PERSON
from screening.training.labelled import ADDRESS, ORGANIZATION, PLACE, Labelled, Marked

WEB_TEXTS = Path("ner") / "en_ewt-ud-dev.iob2"
_TAB_LABELS = {
    "PERSON": PERSON,
    "ORG": ORGANIZATION,
    "LOC": PLACE,
    "DEM": "DEM",
    "DATETIME": "DATE",
    "QUANTITY": "QUANT",
    "MISC": "MISC",
    "CODE": "CODE",
}
_SENTENCE_LABELS = {
    "PER": PERSON,
    "person": PERSON,
    "Person": PERSON,
    "ORG": ORGANIZATION,
    "corporation": ORGANIZATION,
    "group": ORGANIZATION,
    "Organisation": ORGANIZATION,
    "LOC": PLACE,
    "location": PLACE,
    "Location": PLACE,
}
_GENERATED_LABELS = {"PERSON": PERSON, "ORGANIZATION": ORGANIZATION, "LOCATION": PLACE, "ADDRESS": ADDRESS}
_NO_SPACE_BEFORE = re.compile(r"^(?:[.,;:!?%)\]}’”]|'s|'S|n't|'[a-z]{1,2}$)")
_PRONOUNS = frozenset(
    [
        "he",
        "she",
        "it",
        "they",
        "we",
        "i",
        "you",
        "him",
        "her",
        "them",
        "his",
        "its",
        "their",
        "our",
        "my",
        "your",
        "who",
        "me",
        "us",
    ]
)
_HANDLE = re.compile(r"^[@#]")
_ADDRESS_IN_NAME = re.compile(r"@.*|^(?:https?:|www\.).*|^.+\.(?:com|org|net|edu|gov)(?:[/:].*)?$", re.IGNORECASE)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def court_cases(data: Path, part: str) -> Iterator[Labelled]:
    """The Text Anonymization Benchmark; what needs no mask has a label of its own."""
    for row in rows(data / "tab_train92_dev21.jsonl"):
        if row["dataset_type"] == part:
            marked = tuple(
                Marked(
                    each["start_offset"],
                    each["end_offset"],
                    _TAB_LABELS[each["entity_type"]] + ("_N" if each["identifier_type"] == "NO_MASK" else ""),
                )
                for each in row["entities"]
            )
            yield Labelled("court case", row["doc_id"], row["text"], marked)


def more_court_cases(data: Path) -> Iterator[Labelled]:
    """Other documents of that benchmark, those that the fewest people annotated: the more did, the more is masked."""
    more = sorted(rows(data / "tab_dev106_rebuilt.jsonl"), key=lambda row: (row["annotators_joined"], row["doc_id"]))
    for row in more[: len(more) // 2]:
        marked = tuple(
            Marked(
                each["start_offset"],
                each["end_offset"],
                _TAB_LABELS[each["entity_type"]] + ("" if each["masked_by_any"] else "_N"),
            )
            for each in row["mentions"]
        )
        yield Labelled("court case", row["doc_id"], row["text"], marked)


def generated_sentences(data: Path) -> Iterator[Labelled]:
    """Sentences with generated values; the group is their template."""
    titles = re.compile(r"^(?:mr|mrs|ms|miss|dr|prof)\.?$", re.IGNORECASE)
    for row in rows(data / "pii_presidio_generated_large.jsonl"):
        marked = tuple(
            Marked(each["start"], each["end"], _GENERATED_LABELS[each["entity_type"]])
            for each in row["spans"]
            if each["entity_type"] in _GENERATED_LABELS and not titles.match(each["value"])
        )
        yield Labelled("generated PII", f"template {row['template_id']}", row["text"], marked)


def sentences(path: Path, kind: str, *, word: int, label: int, as_tagged: bool = False) -> Iterator[Labelled]:
    """A file with one word a line, its label in column `label`, and an empty line behind each sentence.

    Of words tagged as a person, what follows an @ (`Warner@ENRON`) and web addresses are no names, unless `as_tagged`.
    """
    group = kind
    words: list[tuple[str, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# newdoc id"):
            group = line.partition("=")[2].strip()
        if line.startswith(("#", "-DOCSTART-")) and ("\t" not in line):
            continue
        fields = line.split("\t") if "\t" in line else line.split(" ")
        if len(fields) <= label or not fields[word].strip():
            if words:
                yield joined(words, _SENTENCE_LABELS, kind, group, as_tagged=as_tagged)
            words = []
        else:
            words.append((fields[word], fields[label]))
    if words:
        yield joined(words, _SENTENCE_LABELS, kind, group, as_tagged=as_tagged)


def joined(
    words: Sequence[tuple[str, str]], labels: Mapping[str, str], kind: str, group: str, *, as_tagged: bool = False
) -> Labelled:
    """Words with tags (`B-PER`) as a sentence; `labels` say what the tags mean."""
    text = ""
    marked: list[Marked] = []
    for word, label in words:
        glued = not text or _NO_SPACE_BEFORE.match(word) or text[-1] in "([{“@#"
        text += word if glued else f" {word}"
        mark, _, name = label.partition("-")
        wanted = labels.get(name)
        start = len(text) - len(word)
        if wanted is None or word.lower() in _PRONOUNS or _HANDLE.match(word) or text[start - 1 : start] in ("@", "#"):
            continue
        end = start + len(word if as_tagged or wanted != PERSON else _ADDRESS_IN_NAME.sub("", word))
        if end == start:
            continue
        if mark == "I" and marked and marked[-1].label == wanted and text[marked[-1].end : start].strip() == "":
            marked[-1] = Marked(marked[-1].start, end, wanted)
        else:
            marked.append(Marked(start, end, wanted))
    return Labelled(kind, group, text, tuple(marked))


def open_sentences(data: Path) -> Iterator[Labelled]:
    """Tweets, web text, filings and reports with marked persons, organizations and places."""
    folder = data / "ner"
    for path in sorted(folder.glob("btc_*.conll")):
        yield from sentences(path, f"tweets {path.stem}", word=0, label=1)
    yield from sentences(folder / "wnut17train.conll", "tweets wnut train", word=0, label=1)
    yield from sentences(folder / "emerging.dev.conll", "tweets wnut dev", word=0, label=1)
    yield from web_texts(data / WEB_TEXTS)
    yield from sentences(folder / "sec_FIN5.txt", "filings 5", word=0, label=3)
    yield from sentences(folder / "sec_FIN3.txt", "filings 3", word=0, label=3)


def web_texts(path: Path, *, as_tagged: bool = False) -> Iterator[Labelled]:
    """Whole documents of a file of the English Web Treebank."""
    tagged = sentences(path, "web text", word=1, label=2, as_tagged=as_tagged)
    yield from (concatenated(list(parts), "\n") for _, parts in groupby(tagged, key=lambda sentence: sentence.group))


def concatenated(parts: list[Labelled], between: str) -> Labelled:
    text = ""
    marked: list[Marked] = []
    for part in parts:
        if text:
            text += between
        marked += (Marked(mark.start + len(text), mark.end + len(text), mark.label) for mark in part.marked)
        text += part.text
    return Labelled(parts[0].kind, parts[0].group, text, tuple(marked))
