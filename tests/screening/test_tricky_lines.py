"""The share of tricky stretches that are covered, and of reported spans that belong to nobody."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from screening.ruleset.ruleset import RuleSet, load_rules
from screening.screen import Screen

_SPEC = importlib.util.spec_from_file_location("tricky_lines", Path(__file__).with_name("tricky_lines.py"))
assert _SPEC is not None and _SPEC.loader is not None
TABLE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(TABLE)

NARROWING = frozenset(each.id for each in load_rules().characteristics if each.group == "none")
LEAST_COVERED = 0.95
MOST_FALSE = 0.03
LINES: tuple[tuple[str, tuple[str, ...]], ...] = (*TABLE.NUMBERS, *TABLE.NAMES, *((text, ()) for text in TABLE.CLEAR))


def places(text: str, stretches: tuple[str, ...]) -> list[range]:
    found = []
    for stretch in stretches:
        at = text.index(stretch)
        found.append(range(at, at + len(stretch)))
    return found


def judged(screen: Screen, text: str, stretches: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """What stays readable, and what is reported wrongly; places and times that belong to nobody do not count."""
    spans = [span for span in screen.spans(text) if span.characteristic not in NARROWING]
    covered = {at for span in spans for at in range(span.start, span.end)}
    wanted = places(text, stretches)
    missed = [
        stretch
        for stretch, place in zip(stretches, wanted, strict=True)
        if any(text[at].isalnum() and at not in covered for at in place)
    ]
    false = [
        text[span.start : span.end]
        for span in spans
        if not any(place.start < span.end and span.start < place.stop for place in wanted)
    ]
    return missed, false


@pytest.fixture(scope="module")
def numbers_alone(ruleset: RuleSet) -> Screen:
    return Screen(replace(ruleset, names=None), b"a key for tests, 32 bytes long..")


def test_there_are_enough_of_them() -> None:
    assert len(TABLE.NUMBERS) + len(TABLE.NAMES) >= 60


@pytest.mark.parametrize(("text", "stretches"), TABLE.NUMBERS)
def test_numbers_are_covered_and_nothing_else(numbers_alone: Screen, text: str, stretches: tuple[str, ...]) -> None:
    assert judged(numbers_alone, text, stretches) == ([], [])


@pytest.mark.parametrize("text", TABLE.CLEAR)
def test_patterns_leave_clear_lines_alone(numbers_alone: Screen, text: str) -> None:
    assert judged(numbers_alone, text, ()) == ([], [])


def test_most_stretches_are_covered_and_little_else(screen: Screen) -> None:
    stretches = missed = false = reported = 0
    for text, wanted in LINES:
        left, extra = judged(screen, text, wanted)
        stretches += len(wanted)
        missed += len(left)
        false += len(extra)
        reported += len(wanted) - len(left) + len(extra)
    assert 1 - missed / stretches >= LEAST_COVERED
    assert false / reported <= MOST_FALSE
