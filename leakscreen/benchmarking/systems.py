"""Texts -> the spans that a system marks in them: leakscreen's own screen, and Presidio where it is installed."""

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import SourceError
from core.settings import Settings
from evaluation.categories import category_of
from evaluation.spans import Marked

_SCRIPT = Path(__file__).with_name("presidio_spans.py")
_LAST_WORDS = 300


@dataclass(frozen=True, slots=True)
class Marks:
    """The spans that a system marked in each text, and the CPU time that it took."""

    system: str
    spans: list[tuple[Marked, ...]]
    cpu_seconds: float


def run_leakscreen(texts: Sequence[str], settings: Settings) -> Marks:
    from screening.ruleset.ruleset import rules_of
    from screening.screen import Screen

    rules = rules_of(settings.rules)
    screen = Screen(rules, os.urandom(32), evidence=0)  # no keyed value leaves this process, so any key works
    before = time.process_time()
    marked = [
        tuple(Marked(span.start, span.end, category_of(span.characteristic)) for span in screen.spans(text))
        for text in texts
    ]
    return Marks("leakscreen", marked, time.process_time() - before)


def presidio_here() -> bool:
    return importlib.util.find_spec("presidio_analyzer") is not None


def run_presidio(texts: Sequence[str], python: str | None, model: str | None) -> Marks:
    """Runs Presidio in its own process; the texts go through a pipe and never touch a disk."""
    command = [python or sys.executable, str(_SCRIPT), *([model] if model else [])]
    try:
        done = subprocess.run(
            command, input="\n".join(map(json.dumps, texts)), capture_output=True, text=True, encoding="utf-8"
        )
    except OSError as error:
        raise SourceError(f"{command[0]}: cannot be run: {error.strerror}") from None
    lines: list[Any] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(("[", "{"))]
    if done.returncode or len(lines) != len(texts) + 1:
        # Its own messages may quote the text; only the class of the error is safe to show.
        said = done.stderr.strip().rpartition("\n")[2].partition(":")[0][:_LAST_WORDS]
        raise SourceError(
            f"{command[0]}: Presidio failed ({said}); is presidio-analyzer installed there, and a spaCy model?"
        )
    marked = [tuple(Marked(start, end, category_of(kind)) for start, end, kind in spans) for spans in lines[:-1]]
    return Marks("Presidio", marked, lines[-1]["cpu_seconds"])
