"""Texts of many kinds, unseen in training -> recall and precision of people's names, by kind, beside Presidio."""

import argparse
import hashlib
import json
import re
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from screening.entities.runs import PERSON
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen
from screening.training.corpora import WEB_TEXTS, rows, web_texts
from screening.training.distil_gazetteer import distil
from screening.training.labelled import Labelled, Marked
from screening.training.layouts import SHIPPED_LAYOUTS, read_layouts, written
from screening.training.material import cities, everything, held_back, plain_sentences
from screening.training.people import Crowd
from screening.training.prose import nameless_sentences

HELD_OUT_LAYOUTS = Path(__file__).parent / "data" / "held_out_layouts.txt"
JUDGED_LAYOUTS = HELD_OUT_LAYOUTS.with_name("judged_layouts.txt")
_WEB_MAILS = "real: mails (web text)"
PEOPLE = frozenset({"first_name", "last_name", "initials", "health_professional_name"})
_WORD = re.compile(r"[^\W\d_]+")
_FROM = re.compile(r"^From: \S+@\S+ \(([A-Z][a-z]+(?: [A-Z]\.?)? [A-Z][a-z]+)\)$", re.MULTILINE)
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "doctor", "mister", "md", "rn", "np", "do", "m", "d"}) | {
    *(
        "mme",
        "mlle",
        "mm",
        "monsieur",
        "madame",
        "mademoiselle",
        "herr",
        "herrn",
        "frau",
        "sr",
        "sra",
        "dra",
        "señor",
        "señora",
    ),
}

Stretches = Sequence[tuple[int, int]]


@dataclass(slots=True)
class Score:
    right: int = 0
    names: int = 0
    found: int = 0

    def add(self, text: str, gold: Stretches, taken: Stretches) -> None:
        wanted, covered = _covered(text, gold), _covered(text, taken)
        for word in _WORD.finditer(text):
            if word.group().lower() in _TITLES:
                continue
            self.names += wanted[word.start()]
            self.found += covered[word.start()]
            self.right += wanted[word.start()] and covered[word.start()]

    @property
    def recall(self) -> float:
        return self.right / max(1, self.names)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.found)


def _covered(text: str, stretches: Stretches) -> bytearray:
    covered = bytearray(len(text))
    for start, end in stretches:
        covered[start:end] = b"\1" * (end - start)
    return covered


def texts_by_kind(data: Path, most: int) -> dict[str, list[Labelled]]:
    gazetteer = distil()
    found: dict[str, list[Labelled]] = defaultdict(list)
    for each in everything(data, gazetteer):
        if held_back(each):
            found[_WEB_MAILS if each.kind == "web text" else f"real: {each.kind}"].append(each)
    found[f"{_WEB_MAILS}, as tagged"] = [
        each for each in web_texts(data / WEB_TEXTS, as_tagged=True) if held_back(each)
    ]
    found["real: mail headers"] = list(_headers(data))
    crowd = Crowd(4242, gazetteer, cities())
    chat = (SHIPPED_LAYOUTS.parent / "chat.txt").read_text(encoding="utf-8").splitlines()
    pool = plain_sentences(data)
    for layout in read_layouts(HELD_OUT_LAYOUTS):
        found[f"written: {layout.kind}"] += (written(layout, crowd, pool, chat) for _ in range(25))
    return _drawn(found, most)


def texts_judged_once(data: Path, treebank: Path, most: int) -> dict[str, list[Labelled]]:
    """Mails of another file of the Treebank, and layouts filled with people and sentences that no other text has."""
    found: dict[str, list[Labelled]] = defaultdict(list)
    for name, as_tagged in ((_WEB_MAILS, False), (f"{_WEB_MAILS}, as tagged", True)):
        found[name] = [each for each in web_texts(treebank, as_tagged=as_tagged) if each.group.startswith("email")]
    gazetteer = distil()
    crowd = Crowd(8484, gazetteer, cities())
    chat = nameless_sentences(data, gazetteer, held_back=True)
    pool = plain_sentences(data, held_back=True)
    for layout in read_layouts(JUDGED_LAYOUTS):
        found[f"written: {layout.kind}"] += (written(layout, crowd, pool, chat) for _ in range(25))
    return _drawn(found, most)


def _drawn(found: Mapping[str, list[Labelled]], most: int) -> dict[str, list[Labelled]]:
    return {kind: texts[:: -(-len(texts) // most)] for kind, texts in sorted(found.items())}


def _headers(data: Path) -> Iterable[Labelled]:
    """News posts: the sender that the header names, in the header and in the signature; only recall can be told."""
    for row in rows(data / "nonhealth_20news.jsonl"):
        match = _FROM.search(row["text"])
        if match:
            text = row["text"][: match.end() + 400]
            marked = [Marked(each.start(), each.end(), PERSON) for each in re.finditer(re.escape(match.group(1)), text)]
            yield Labelled("mail headers", row["id"], text, tuple(marked))


def ours(screen: Screen, texts: Sequence[str]) -> tuple[list[Stretches], float]:
    start = time.process_time()
    found: list[Stretches] = [
        [(span.start, span.end) for span in screen.spans(text) if span.characteristic in PEOPLE] for text in texts
    ]
    return found, time.process_time() - start


def presidio(python: str, model: str, texts: Sequence[str]) -> tuple[list[Stretches], float]:
    return peer_people(python, "presidio_people.py", model, texts)


def peer_people(python: str, name: str, model: str, texts: Sequence[str]) -> tuple[list[Stretches], float]:
    """The people that a script beside this one finds in an environment of its own, and its CPU seconds."""
    script = str(Path(__file__).with_name(name))
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run([python, script, model], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return answers[:-1], float(answers[-1])


def remembered(
    file: Path | None, texts: Sequence[str], ask: Callable[[Sequence[str]], tuple[list[Stretches], float]]
) -> tuple[list[Stretches], float]:
    """The peer's answers: from `file`, by the hash of the text, or computed now and then added to the file.

    The seconds are extrapolated to all texts from those computed now or, if there are none, from those in the file.
    """
    known: dict[str, Any] = (
        json.loads(file.read_text())
        if file is not None and file.exists()
        else {"answers": {}, "letters": 0, "seconds": 0.0}
    )
    answers: dict[str, Stretches] = known["answers"]
    keys = [hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24] for text in texts]
    fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in answers}
    if fresh:
        found, known["seconds"] = ask(list(fresh.values()))
        known["letters"] = sum(map(len, fresh.values()))
        answers.update(zip(fresh, found, strict=True))
        if file is not None:
            file.write_text(json.dumps(known))
    return [answers[key] for key in keys], float(known["seconds"] * sum(map(len, texts)) / known["letters"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the training data")
    parser.add_argument("--presidio", help="python of an environment that has presidio-analyzer")
    parser.add_argument("--spacy-model", help="folder of the spaCy model for it")
    parser.add_argument("--remember", type=Path, help="file that keeps Presidio's answers for the next run")
    parser.add_argument("--most", type=int, default=150, help="texts of a kind")
    parser.add_argument(
        "--judge", type=Path, help="the Treebank's test file: measure on it and on the layouts that are judged once"
    )
    arguments = parser.parse_args()
    screen = Screen(load_rules(), b"benchmark" * 4)
    kinds = (
        texts_judged_once(arguments.data, arguments.judge, arguments.most)
        if arguments.judge
        else texts_by_kind(arguments.data, arguments.most)
    )
    variants: list[tuple[str, Callable[[str], str]]] = [
        ("", str),
        (" in small letters", str.lower),
        (" in capitals", str.upper),
    ]
    work = [
        (
            f"{kind}{name}",
            [replace(each, text=change(each.text)) for each in texts if len(change(each.text)) == len(each.text)],
        )
        for kind, texts in kinds.items()
        for name, change in variants
    ]
    everything_said = [each.text for _, texts in work for each in texts]
    systems = [("leakscreen", *ours(screen, everything_said))]
    if arguments.presidio:
        presidio_names = partial(presidio, arguments.presidio, arguments.spacy_model)
        systems.append(("Presidio", *remembered(arguments.remember, everything_said, presidio_names)))
    size = sum(len(text.encode("utf-8", "replace")) for text in everything_said) / 1e6
    print(" | ".join(f"{name}: {size / seconds:.3f} MB per CPU s" for name, _, seconds in systems))
    at = 0
    for kind, texts in work:
        figures = []
        for _, answers, _ in systems:
            score = Score()
            for each, taken in zip(texts, answers[at : at + len(texts)], strict=True):
                score.add(each.text, [(mark.start, mark.end) for mark in each.marked if mark.label == PERSON], taken)
            figures.append(f"R {score.recall:.3f} P {score.precision:.3f}")
        at += len(texts)
        print(f"{kind:52s} {score.names:6d}  " + "  |  ".join(figures))


if __name__ == "__main__":
    main()
