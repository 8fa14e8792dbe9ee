"""Court cases with marked identifiers -> how many direct and quasi-identifiers the screen covers, and how much of what it masks is right.

The measures of the Text Anonymization Benchmark: an entity is found only if every mention of it is covered; precision is over words.
"""

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.records import Span
from screening.ruleset import load_rules
from screening.screen import Screen

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    entities: dict[str, list[tuple[int, int, str]]]  # entity -> its mentions with what they are: DIRECT, QUASI, NO_MASK


@dataclass(slots=True)
class Tally:
    direct: int = 0
    direct_found: int = 0
    quasi: int = 0
    quasi_found: int = 0
    mentions: int = 0
    mentions_found: int = 0
    masked: int = 0
    masked_rightly: int = 0

    def line(self) -> str:
        return (
            f"R {self.mentions_found / self.mentions:.3f}  ER_di {self.direct_found / self.direct:.3f}  "
            f"ER_qi {self.quasi_found / self.quasi:.3f}  P {self.masked_rightly / max(1, self.masked):.3f}"
        )


def cases(path: Path, part: str) -> Iterator[Case]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            if row["dataset_type"] != part:
                continue
            entities: dict[str, list[tuple[int, int, str]]] = {}
            for each in row["entities"]:
                entities.setdefault(each["entity_id"], []).append((each["start_offset"], each["end_offset"], each["identifier_type"]))
            yield Case(row["text"], entities)


def tally(case: Case, spans: Sequence[Span], into: Tally) -> None:
    covered = bytearray(len(case.text))
    for span in spans:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    wanted = bytearray(len(case.text))
    for mentions in case.entities.values():
        kinds = {kind for _, _, kind in mentions}
        found = True
        for start, end, kind in mentions:
            if kind == "NO_MASK":
                continue
            wanted[start:end] = b"\1" * (end - start)
            whole = all(covered[at] for at in range(start, end) if case.text[at].isalnum())
            found = found and whole
            into.mentions += 1
            into.mentions_found += whole
        if "DIRECT" in kinds:
            into.direct += 1
            into.direct_found += found
        elif "QUASI" in kinds:
            into.quasi += 1
            into.quasi_found += found
    for word in _WORD.finditer(case.text):
        if covered[word.start()]:
            into.masked += 1
            into.masked_rightly += wanted[word.start()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with tab_train92_dev21.jsonl")
    parser.add_argument("--part", default="dev", choices=("train", "dev"))
    arguments = parser.parse_args()
    screen = Screen(load_rules(), b"benchmark" * 4)
    found = [(case, screen.spans(case.text)) for case in cases(arguments.data / "tab_train92_dev21.jsonl", arguments.part)]
    for threshold in (0.5, 0.6, 0.7, 0.8):
        total = Tally()
        for case, spans in found:
            tally(case, [span for span in spans if span.score >= threshold], total)
        print(f"score at least {threshold:.2f}: {total.line()}")


if __name__ == "__main__":
    main()
