"""Our own texts that no model was taught with -> leaks and look-alikes referred: `python -m benchmarks.own_texts`.

The mistakes of the half `find` were looked at, those of `judge` never. The further texts and the English ones in forms
as users meet them were written later, to see whether changes hold for texts that nobody had seen.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.language_sets import PARTS
from classifiers.health import HealthModel
from classifiers.model_file import SHIPPED_MODEL
from classifiers.training.own_passages import WRITTEN_FILE
from core.records import Document, FileRef, Segment, Status
from pipelines.stages.asides import judged_text
from pipelines.stages.file_name import with_name
from pipelines.stages.judge import judge_candidates, settled
from pipelines.stages.screen import SCREENED_TOGETHER
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

_ENGLISH = "en"
_NAME = "/share/a.txt"
_DATA = Path(__file__).parent / "data"
_FURTHER_FILE = _DATA / "further_texts.jsonl"
_ENGLISH_FILE = _DATA / "english_texts.jsonl"
_SHORT_FILE = _DATA / "short_texts.jsonl"


def main() -> None:
    for title, rows in texts_kept_apart().items():
        print(title)
        _print_referred(rows)


def texts_kept_apart() -> dict[str, list[dict[str, Any]]]:
    return {
        "texts kept out of the training": [row for row in _rows(WRITTEN_FILE) if row.get("judge")],
        "further texts": _rows(_FURTHER_FILE),
        "English texts in forms as users meet them": _rows(_ENGLISH_FILE),
        "short texts": _rows(_SHORT_FILE),
    }


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _print_referred(rows: list[dict[str, Any]]) -> None:
    are_referred = referred([(Segment("", row["text"]),) for row in rows])
    texts: Counter[tuple[str, str, bool]] = Counter()
    taken: Counter[tuple[str, str, bool]] = Counter()
    for row, is_referred in zip(rows, are_referred, strict=True):
        for part in ("all", part_of(row["text"])):
            key = (row.get("language", _ENGLISH), part, row["phi"])
            texts[key] += 1
            taken[key] += is_referred
    for language, part in sorted({key[:2] for key in texts}):
        counts = [f"{taken[language, part, phi]:>4} of {texts[language, part, phi]:<4}" for phi in (True, False)]
        print(f"{language} {part:<6} leaks {counts[0]} look-alikes {counts[1]}")


def part_of(text: str) -> str:
    return PARTS[hashlib.sha1(text.encode(), usedforsecurity=False).digest()[0] % 2]


def referred(texts: Sequence[tuple[Segment, ...]]) -> list[bool]:
    """As a scan refers them."""
    model = HealthModel.from_bytes(SHIPPED_MODEL.read_bytes())
    screen = Screen(load_rules(), b"k" * 32)
    documents = [
        Document(FileRef(_NAME, b"", 0, 0), _NAME, None, 0, None, "text/plain", Status.COMPLETE, segments=segments)
        for segments in texts
    ]
    found: list[bool] = []
    for start in range(0, len(documents), SCREENED_TOGETHER):
        batch = documents[start : start + SCREENED_TOGETHER]
        screenings = screen.screen_each([(with_name(document), document.uri) for document in batch])
        for document, screening in zip(batch, screenings, strict=True):
            (judged,) = judge_candidates([judged_text(document)], [screening.candidates], model)
            found.append(screening.positive and settled(judged.verdict, model).positive)
    return found


if __name__ == "__main__":
    main()
