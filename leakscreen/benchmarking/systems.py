"""Texts -> the spans that a system marks in them: leakscreen's own screen, Presidio, or what a prediction file says."""

import importlib.util
import os
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.records import Role, Span
from core.settings import Settings
from evaluation.corpus import read_predictions
from evaluation.formats.document import CorpusDocument
from evaluation.joining import joined
from evaluation.spans import Marked
from leakscreen.benchmarking.other_python import ask

_SCRIPT = Path(__file__).with_name("presidio_spans.py")
_NAME_PARTS = ("first_name", "last_name", "initials")


@dataclass(frozen=True, slots=True)
class Marks:
    """The spans that a system marked in each text, under its own names, and the CPU time that it took, if known."""

    system: str
    spans: list[tuple[Marked, ...]]
    cpu_seconds: float | None


def run_leakscreen(texts: Sequence[str], settings: Settings) -> Marks:
    from screening.ruleset.ruleset import rules_of
    from screening.screen import Screen

    rules = rules_of(settings.rules)
    screen = Screen(rules, os.urandom(32), evidence=0)  # no keyed value leaves this process, so any key works
    before = time.process_time()
    marked = [screen.spans(text) for text in texts]
    seconds = time.process_time() - before
    return Marks("leakscreen", [tuple(_by_role(*pair)) for pair in zip(texts, marked, strict=True)], seconds)


def _by_role(text: str, spans: Sequence[Span]) -> Iterator[Marked]:
    """People are patients or doctors, by the words beside their names."""
    from screening.people.roles import standing_of

    parts = [Marked(span.start, span.end, "person") for span in spans if span.characteristic in _NAME_PARTS]
    whole = joined(text, parts)
    starts = [name.start for name in whole]
    roles = [standing_of(text, name.start, name.end).role for name in whole]
    for part in parts:
        role = roles[bisect_right(starts, part.start) - 1]
        yield Marked(part.start, part.end, "doctor" if role in (Role.PROFESSIONAL, Role.AUTHOR) else "patient")
    for span in spans:
        if span.characteristic not in _NAME_PARTS:
            yield Marked(span.start, span.end, span.characteristic)


def presidio_here() -> bool:
    return importlib.util.find_spec("presidio_analyzer") is not None


def run_presidio(texts: Sequence[str], python: str | None, model: str | None) -> Marks:
    failed = "Presidio failed ({}); is presidio-analyzer installed there, and a spaCy model?"
    *answers, last = ask(python, _SCRIPT, [model] if model else [], list(texts), failed)
    marked = [tuple(Marked(start, end, kind) for start, end, kind in spans) for spans in answers]
    return Marks("Presidio", marked, last["cpu_seconds"])


def predicted(name: str, file: Path, corpus: Sequence[CorpusDocument], chosen: Sequence[CorpusDocument]) -> Marks:
    """What a file says of the chosen documents of a corpus."""
    marked = read_predictions(file, corpus)
    return Marks(name, [marked[document.id] for document in chosen], None)
