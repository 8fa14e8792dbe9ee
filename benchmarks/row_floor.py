"""A table of patients -> CPU microseconds a row that no screen of it can save, next to those that this screen takes.

A path that judges the columns of a table once would still have to search each row for numbers, score its words, and
make its records: spans, persons with keyed hashes, and a candidate every few rows. The last is measured by a loop that
knows beforehand what every cell holds, and judges nothing.
"""

import argparse
import random
import re
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from faker import Faker

from benchmarks.screening_speed import KEY, screened
from benchmarks.share_texts import patients_of
from core.records import Candidate, Passage, PersonKeys, PersonSeen, Role, Span
from pipelines.runners.garbage import look_seldom
from screening.entities.model import shipped_model
from screening.patterns.patterns import Patterns
from screening.privacy.person_keys import Keyed
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

_ROW = re.compile(r"([^,\n]+) ([^,\n ]+),([^,\n]*),([^,\n]*),([^,\n]*),([^,\n]*)\n")
_KINDS = ("first_name", "last_name", "birth_date", "ssn", "", "phone_number")
_ROWS_TOGETHER = 6
_span = partial(tuple.__new__, Span)


def records_of(text: str, keyed: Keyed) -> tuple[list[Span], list[PersonSeen], list[Candidate]]:
    """What the screen hands on, of the right number and kinds, by cells whose meaning is known."""
    spans: list[Span] = []
    people: list[PersonSeen] = []
    candidates: list[Candidate] = []
    replaced: list[tuple[int, int, str]] = []
    of, fresh = keyed.of, keyed.fresh
    for number, row in enumerate(_ROW.finditer(text)):
        regs = row.regs
        own = [_span((*regs[at + 1], kind, 0.9)) for at, kind in enumerate(_KINDS) if kind]
        spans += own
        given, surname, born, ssn, _, phone = row.groups()
        keys = PersonKeys(
            *(of("given", given), of("given_sound", given), of("given_initial", given[:1])),
            *(of("surname", surname), of("surname_sound", surname), of("head", surname[:3]), of("tail", surname[-3:])),
            *(fresh("birth", born), of("birth_year", born[:4]), of("birth_day", born[5:])),
            national_numbers=(fresh("ssn", ssn),),
            phones=(fresh("phones", phone),),
        )
        identity = fresh("identity", f"{surname}\0{given}\0{ssn}")
        people.append(PersonSeen(identity, Role.SUBJECT, 63, f"row {number:,}", (row.start(),), keys, "US", "NY"))
        replaced += ((start, end, kind) for start, end, kind, _ in own)
        if number % _ROWS_TOGETHER == _ROWS_TOGETHER - 1:
            passage = Passage(row.start(), row.end(), f"row {number:,}", ((0, 30),))
            candidates.append(Candidate(passage, Role.SUBJECT, row.start(), 63, tuple(replaced)))
            replaced = []
    return spans, people, candidates


def scored(text: str) -> object:
    """The words of a text with what the model of names says of them, before any name is made of it."""
    reading = shipped_model().read([text])
    return shipped_model().decided(reading, np.asarray(reading.needy))


def microseconds(work: Callable[[], object], rows: int, rounds: int) -> float:
    """Of the best of several rounds."""
    best = float("inf")
    for _ in range(rounds + 1):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return 1e6 * best / rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    faker = Faker("en_US")
    faker.seed_instance(5)
    text = patients_of(random.Random(5), faker)
    rows, ruleset = text.count("\n"), load_rules()
    screen, patterns = Screen(ruleset, KEY), Patterns(ruleset)
    look_seldom()
    parts: dict[str, Callable[[], object]] = {
        "whole screen": partial(screened, screen, [text]),
        "numbers searched and validated": partial(patterns.candidates, text),
        "words scored by the model": partial(scored, text),
        "records made, nothing judged": lambda: records_of(text, Keyed(KEY)),
    }
    taken = {name: microseconds(work, rows, options.rounds) for name, work in parts.items()}
    for name, each in taken.items():
        print(f"{name:32s} {each:6.1f} µs a row", flush=True)
    least = sum(list(taken.values())[1:])
    size = len(text.encode()) / rows
    print(f"{'the last three together':32s} {least:6.1f} µs a row, {size / least:.2f} MB per CPU second")


if __name__ == "__main__":
    main()
