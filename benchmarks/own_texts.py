"""Our own texts that no model was taught with -> leaks and look-alikes referred: `python -m benchmarks.own_texts`.

In French, Spanish and German the mistakes of the half `find` were looked at, those of `judge` never. The further texts
were written later, to see whether changes hold for texts that nobody had seen.
"""

import hashlib
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.language_sets import PARTS
from classifiers.health import HealthModel, margin_of
from classifiers.model_file import SHIPPED_MODEL
from classifiers.training.own_passages import WRITTEN_FILE
from core.records import HealthVerdict, Passages
from pipelines.stages.judge import settled
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

_ENGLISH = "en"
_FURTHER_FILE = Path(__file__).parent / "data" / "further_texts.jsonl"
_SHORT_FILE = Path(__file__).parent / "data" / "short_texts.jsonl"


def main() -> None:
    for title, rows in (
        ("texts kept out of the training", [row for row in _rows(WRITTEN_FILE) if row.get("judge")]),
        ("further texts", _rows(_FURTHER_FILE)),
        ("short texts", _rows(_SHORT_FILE)),
    ):
        print(title)
        _print_referred(rows)


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _print_referred(rows: list[dict[str, Any]]) -> None:
    referred = _referred([row["text"] for row in rows])
    texts: Counter[tuple[str, str, bool]] = Counter()
    taken: Counter[tuple[str, str, bool]] = Counter()
    for row, is_referred in zip(rows, referred, strict=True):
        for part in ("all", part_of(row["text"])):
            key = (row.get("language", _ENGLISH), part, row["phi"])
            texts[key] += 1
            taken[key] += is_referred
    for language, part in sorted({key[:2] for key in texts}):
        counts = [f"{taken[language, part, phi]:>4} of {texts[language, part, phi]:<4}" for phi in (True, False)]
        print(f"{language} {part:<6} leaks {counts[0]} look-alikes {counts[1]}")


def part_of(text: str) -> str:
    return PARTS[hashlib.sha1(text.encode(), usedforsecurity=False).digest()[0] % 2]


def _referred(texts: list[str]) -> list[bool]:
    """As a scan refers them: the strongest passage decides."""
    model = HealthModel.from_bytes(SHIPPED_MODEL.read_bytes())
    cut = Screen(load_rules(), b"k" * 32).passages_of_each(texts)
    verdicts = iter(model.classify_passages([passage for own in cut for passage in own]))
    return [_is_referred([next(verdicts) for _ in own], model) for own in cut]


def _is_referred(verdicts: list[HealthVerdict], model: HealthModel) -> bool:
    if not verdicts:
        return False
    passages = Passages(len(verdicts), sum(verdict.positive for verdict in verdicts))
    return settled(replace(max(verdicts, key=margin_of), passages=passages), model).positive


if __name__ == "__main__":
    main()
