"""Generated documents of structured values among decoys -> recall and precision by kind."""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.number_values import DECOYS, KINDS
from core.records import Span
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

LINES = 14
FILLERS = (
    "The visit went well.",
    "Please reply by Friday.",
    "No change since the last note.",
    "See the attached form.",
    "Thanks for the quick answer.",
)


@dataclass(frozen=True, slots=True)
class Planted:
    start: int
    end: int
    kind: str


def document(source: random.Random) -> tuple[str, list[Planted]]:
    """Values, decoys and small talk, a line each."""
    lines: list[str] = []
    planted: list[Planted] = []
    at = 0
    for _ in range(LINES):
        what = source.random()
        if what < 0.4:
            kind = source.choice(list(KINDS))
            value = KINDS[kind].make(source)
            before, _, after = source.choice(KINDS[kind].lines).partition("{}")
            line = before + value + after
            planted.append(Planted(at + len(before), at + len(before) + len(value), kind))
        else:
            line = source.choice(DECOYS)(source) if what < 0.85 else source.choice(FILLERS)
        lines.append(line)
        at += len(line) + 1
    return "\n".join(lines), planted


def overlapping(spans: list[Span], start: int, end: int) -> Iterator[Span]:
    return (span for span in spans if span.start < end and start < span.end)


def covered(value: Planted, spans: list[Span]) -> bool:
    """Found as what it is, from its first to its last character."""
    right = (KINDS[value.kind].characteristic, *KINDS[value.kind].also)
    return any(span.characteristic in right and span.start <= value.start and value.end <= span.end for span in spans)


def figures(documents: int, seed: int, show: int = 0) -> tuple[Counter[str], Counter[str], Counter[str], Counter[str]]:
    """Planted and found by kind; reported and wrong by characteristic."""
    screen = Screen(load_rules(), b"benchmark" * 4)
    source = random.Random(seed)
    watched = {name for kind in KINDS.values() for name in (kind.characteristic, *kind.also)}
    planted_of: Counter[str] = Counter()
    found_of: Counter[str] = Counter()
    reported: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for _ in range(documents):
        text, planted = document(source)
        spans = [span for span in screen.spans(text) if span.characteristic in watched]
        for value in planted:
            planted_of[value.kind] += 1
            hit = covered(value, spans)
            found_of[value.kind] += hit
            if not hit and show > 0:
                show -= 1
                print(
                    "missed",
                    value.kind,
                    repr(text[max(0, value.start - 30) : value.end + 12]),
                    [(s.characteristic, text[s.start : s.end]) for s in overlapping(spans, value.start, value.end)],
                )
        for span in spans:
            reported[span.characteristic] += 1
            values = [number for number in planted if span.start < number.end and number.start < span.end]
            if not any(
                span.characteristic in (KINDS[number.kind].characteristic, *KINDS[number.kind].also)
                for number in values
            ):
                wrong[span.characteristic] += 1
                if show > 0:
                    show -= 1
                    print(
                        "wrong",
                        span.characteristic,
                        repr(text[max(0, span.start - 30) : span.end + 12]),
                        repr(text[span.start : span.end]),
                    )
    return planted_of, found_of, reported, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--show", type=int, default=0, help="how many misses and false hits to print; all values are made up"
    )
    options = parser.parse_args()
    planted_of, found_of, reported, wrong = figures(options.documents, options.seed, options.show)
    print(f"{'kind':22s} {'planted':>8s} {'recall':>8s}")
    for kind, planted in sorted(planted_of.items()):
        print(f"{kind:22s} {planted:8d} {found_of[kind] / planted:8.4f}")
    print(f"{'all':22s} {planted_of.total():8d} {found_of.total() / planted_of.total():8.4f}\n")
    print(f"{'characteristic':28s} {'reported':>8s} {'precision':>9s}")
    for name, count in sorted(reported.items()):
        print(f"{name:28s} {count:8d} {1 - wrong[name] / count:9.4f}")
    print(f"{'all':28s} {reported.total():8d} {1 - wrong.total() / reported.total():9.4f}")


if __name__ == "__main__":
    main()
