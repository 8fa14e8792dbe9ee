"""The explained verdict is the verdict, and its reasons name what decided."""

import pytest

from screening.patterns.explain import explain_matches
from screening.patterns.patterns import Patterns
from screening.ruleset.ruleset import RuleSet

TEXT = (
    "SIN: 130 692 544, order 613-555-0142, tel 613-555-0199; NHS no. 943 476 5919\n"
    "ticket 9434765919, Visa 4532 0151 1283 0366, born 03/07/1962, é DE89370400440532013000, IMEI 490154203237518\n"
)


@pytest.fixture(scope="module")
def patterns(ruleset: RuleSet) -> Patterns:
    return Patterns(ruleset)


def test_what_counts_is_what_the_screen_takes(patterns: Patterns, ruleset: RuleSet) -> None:
    texts = [TEXT, *(text for each in ruleset.detectors for text in (*each.match, *each.no_match))]
    for text in texts:
        explained = [
            (each.start, each.end, each.characteristic, each.score) for each in explain_matches(patterns, text)
        ]
        taken = [(span.start, span.end, span.characteristic, span.score) for span in patterns.candidates(text)]
        assert sorted(explained) == sorted(taken)


def test_misses_hold_all_that_counts(patterns: Patterns) -> None:
    found = {(each.start, each.end, each.detector) for each in explain_matches(patterns, TEXT)}
    everything = {(each.start, each.end, each.detector): each for each in explain_matches(patterns, TEXT, misses=True)}
    assert found <= set(everything)
    assert any(not each.counts for each in everything.values())


@pytest.mark.parametrize(
    ("text", "detector", "counts", "reason"),
    [
        ("SIN: 130 692 544", "sin-grouped", True, "raised by 'SIN'"),
        ("order 130 692 544", "sin-grouped", False, "lowered by 'order'"),
        ("130 692 545", "sin-grouped", False, "sin does not hold"),
        ("NHS no. 943 476 5919", "nhs-number", True, "the keyword 'NHS no' comes before it"),
        ("943 476 5919", "nhs-number", False, "none of its keywords"),
        ("12-130 692 544", "sin-grouped", False, "a piece of a longer"),
        ("SIN: 130 692 544", "sin-grouped", True, "reaches the threshold 0.50"),
    ],
)
def test_reasons(patterns: Patterns, text: str, detector: str, counts: bool, reason: str) -> None:
    (finding,) = [each for each in explain_matches(patterns, text, misses=True) if each.detector == detector]
    assert finding.counts is counts
    assert any(reason in stated for stated in finding.reasons)
