"""Invented lines with marked values -> how many values of each kind are found, and how much of nameless lines is."""

import argparse
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from core.records import Span
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

FORMS = Path(__file__).parent / "data" / "name_forms.txt"
_MARK = re.compile(r"\{([a-z]):([^{}]*)\}")
_NAMES = frozenset({"first_name", "last_name", "initials", "health_professional_name"})
_NUMBERS = frozenset(
    {
        "medical_record_number", "health_plan_number", "account_number", "certificate_licence_number",
        "other_unique_number", "health_card_number", "device_id", "driver_licence_number", "email",
        "national_id_number", "ssn", "sin", "phone_number",
    }
)  # fmt: skip
ACCEPTED = {
    "n": _NAMES - {"health_professional_name"},
    "p": _NAMES,
    "b": frozenset({"birth_date"}),
    "d": frozenset({"date", "birth_date"}),
    "m": frozenset({"medical_record_number"}),
    "h": frozenset({"health_plan_number", "health_card_number", "national_id_number"}),
    "s": frozenset({"ssn"}),
    "i": _NUMBERS,
    "t": frozenset({"phone_number", "fax_number"}),
    "v": frozenset({"hospital", "organization_name"}),
}


class Line(NamedTuple):
    section: str
    text: str
    values: list[tuple[int, int, str]]  # where each begins and ends, and the letter of its kind

    @property
    def judges(self) -> bool:
        return int(hashlib.sha1(self.text.encode()).hexdigest(), 16) % 3 == 0


def unmarked(section: str, marked: str) -> Line:
    text, values, at = "", [], 0
    for mark in _MARK.finditer(marked):
        text += marked[at : mark.start()]
        values.append((len(text), len(text) + len(mark[2]), mark[1]))
        text += mark[2]
        at = mark.end()
    return Line(section, text + marked[at:], values)


def lines_of(forms: Path) -> Iterator[Line]:
    section, *rest = "", forms.read_text(encoding="utf-8")
    for part in re.split(r"^== ", "".join(rest), flags=re.MULTILINE)[1:]:
        section, _, body = part.partition("\n")
        pieces = body.split("\n\n") if section == "tables" else body.splitlines()
        yield from (unmarked(section, piece.strip("\n")) for piece in pieces if piece.strip())


def is_found(line: Line, value: tuple[int, int, str], spans: list[Span]) -> bool:
    """Whether every letter and figure of the value is in spans that may hold it."""
    low, high, kind = value
    covered = bytearray(len(line.text))
    for span in spans:
        if span.characteristic in ACCEPTED[kind]:
            covered[span.start : span.end] = b"\1" * (span.end - span.start)
    return all(covered[at] for at in range(low, high) if line.text[at].isalnum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judge", action="store_true", help="the third of the lines that judges")
    parser.add_argument("--misses", action="store_true", help="print what is missed")
    arguments = parser.parse_args()
    screen = Screen(load_rules(), key=b"forms")
    found: Counter[tuple[str, str]] = Counter()
    values: Counter[tuple[str, str]] = Counter()
    masked, letters, junk, nameless = Counter[str](), Counter[str](), 0, 0
    for line in lines_of(FORMS):
        if line.judges != arguments.judge:
            continue
        spans = list(screen.spans(line.text))
        letters[line.section] += len(line.text)
        masked[line.section] += sum(span.end - span.start for span in spans)
        if line.section == "junk":
            names = [line.text[span.start : span.end] for span in spans if span.characteristic in {*_NAMES, "email"}]
            nameless += 1
            junk += bool(names)
            if names and arguments.misses:
                print("junk:", names, "in", line.text)
        for value in line.values:
            values[line.section, value[2]] += 1
            if is_found(line, value, spans):
                found[line.section, value[2]] += 1
            elif arguments.misses:
                print(f"{value[2]}: {line.text[value[0] : value[1]]!r} in {line.text!r}")
    for key, count in sorted(values.items()):
        print(f"{key[0]:10} {key[1]}  {found[key]} of {count}")
    for section, count in letters.items():
        own = [key for key in values if key[0] == section]
        total = sum(values[key] for key in own)
        print(f"{section:10} {sum(found[key] for key in own)}/{total} masked {masked[section] / count:.3f}")
    print(f"junk: names in {junk} of {nameless} lines without any")


if __name__ == "__main__":
    main()
