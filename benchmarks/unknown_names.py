"""Lines of leaks filled with names that few lists have -> how many words of them are found."""

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

FILE = Path(__file__).parent / "data" / "unknown_names.txt"
PEOPLE = frozenset({"first_name", "last_name", "initials", "health_professional_name"})
SEED = 5
COPIES = 6  # fillings of a line
_BLANK = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_INITIALS = ("I", "M")


class Filled(NamedTuple):
    line: str  # with its blanks
    text: str
    names: list[tuple[int, int]]  # initials are not counted


def filled_lines() -> Iterator[Filled]:
    _, people, lines = re.split(r"^== \w+\n", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    chance = random.Random(SEED)
    known = [person.split(" ") for person in people.splitlines()]
    for line in lines.splitlines():
        for _ in range(COPIES):
            yield filled(line, chance.sample(known, 2), chance.choice("ABCDGHJKLMNPRT"))


def filled(line: str, people: Sequence[Sequence[str]], middle: str) -> Filled:
    values = {"I": people[0][0][0], "M": middle}
    for number, (first, last) in zip(("", "2"), people, strict=True):
        values |= {f"F{number}": first, f"L{number}": last, f"f{number}": first.lower(), f"l{number}": last.lower()}
        values |= {f"U{number}": first.upper(), f"V{number}": last.upper()}
    text, at, names = "", 0, []
    for blank in _BLANK.finditer(line):
        text += line[at : blank.start()]
        value = values[blank[1]] if blank[1] else blank.group()[0]
        if blank[1] and blank[1] not in _INITIALS:
            names.append((len(text), len(text) + len(value)))
        text += value
        at = blank.end()
    return Filled(line, text + line[at:], names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="print the lines whose names are missed")
    arguments = parser.parse_args()
    screen = Screen(load_rules(), key=b"unknown")
    found, names = Counter[str](), Counter[str]()
    for each in filled_lines():
        spans = [span for span in screen.spans(each.text) if span.characteristic in PEOPLE]
        names[each.line] += len(each.names)
        found[each.line] += sum(
            any(span.start <= start and end <= span.end for span in spans) for start, end in each.names
        )
    if arguments.misses:
        for line, count in names.items():
            if found[line] < count:
                print(f"{found[line]} of {count}: {line}")
    print(f"{sum(found.values())} of {sum(names.values())} words of names")


if __name__ == "__main__":
    main()
