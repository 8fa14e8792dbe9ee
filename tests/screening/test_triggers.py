"""All shipped detectors find by their triggers what a plain search of the whole text finds."""

import random

import pytest

from screening.patterns.explain import explain_matches
from screening.patterns.patterns import Patterns
from screening.ruleset.ruleset import RuleSet

FILLING = ("lorem", "é", "Ipsum", "of", "12", "3", "2019", "a", "x", "Dr.", "–", "and", "Zoë", ":", "#")
MARKS = (" ", "\n", ", ", "; ", ": ", " (", ") ", "/")
ELSEWHERE = "email-international"  # for addresses beyond ASCII: its trigger leaves all others to another detector


@pytest.fixture(scope="module")
def patterns(ruleset: RuleSet) -> Patterns:
    return Patterns(ruleset, every_language=True)


def mixture(ruleset: RuleSet, chance: random.Random) -> str:
    """Examples, words that announce numbers, and words between them."""
    examples = [example for detector in ruleset.detectors for example in detector.match]
    keywords = [word for detector in ruleset.detectors for word in detector.keywords]
    kinds = (
        lambda: chance.choice(examples),
        lambda: chance.choice(keywords),
        lambda: " ".join(chance.choices(FILLING, k=chance.randrange(1, 14))),
    )
    return "".join(chance.choice(kinds)() + chance.choice(MARKS) for _ in range(10))


@pytest.mark.parametrize("seed", range(8))
def test_triggers_lead_to_all_that_a_plain_search_finds(seed: int, ruleset: RuleSet, patterns: Patterns) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        text = mixture(ruleset, chance)
        triggered = {(found.detector, text[found.start : found.end]) for found in explain_matches(patterns, text)}
        plain = {
            (found.detector, text[found.start : found.end])
            for found in explain_matches(patterns, text, misses=True)
            if found.counts
        }
        assert triggered == {found for found in plain if found[0] != ELSEWHERE or found in triggered}


def test_examples_amid_a_long_text_are_found(ruleset: RuleSet, patterns: Patterns) -> None:
    filling = "a word like others\n" * 20
    for detector in ruleset.detectors:
        for example in detector.match:
            found = {finding.detector for finding in explain_matches(patterns, filling + example + "\n" + filling)}
            assert detector.id in found, example
