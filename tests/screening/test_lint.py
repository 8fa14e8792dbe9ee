from dataclasses import replace

import pytest

from core.errors import RuleError
from screening.lint import check_rules
from screening.ruleset.definitions import Detector
from screening.ruleset.ruleset import RuleSet
from screening.screen import Screen

GOOD = Detector(
    file="own.toml",
    id="badge",
    characteristic="other_unique_number",
    description="A badge",
    pattern=r"\bB-\d{4}\b",
    trigger="",
    lead=-1,
    lead_words=0,
    lead_characters="",
    ignore_case=False,
    standalone=True,
    joined=False,
    score=0.9,
    keywords=(),
    near=40,
    raised_by=(),
    lowered_by=(),
    validator="",
    country="",
    match=("B-1234",),
    no_match=("B-12",),
)


def test_the_shipped_rules_are_clean(ruleset: RuleSet) -> None:
    assert check_rules(ruleset) == []


@pytest.mark.parametrize(
    ("detector", "message"),
    [
        (replace(GOOD, pattern="("), "not a regular expression"),
        (replace(GOOD, pattern="(?<=x)B-1234"), "Hyperscan refuses"),
        (replace(GOOD, pattern=r"(B)-\d{4}\1"), "Hyperscan refuses"),
        (replace(GOOD, pattern=r"B-\d+"), "more than"),
        (replace(GOOD, pattern=r"(?:B-\d{4})?"), "empty text"),
        (replace(GOOD, validator="lune"), "unknown validator 'lune'"),
        (replace(GOOD, pattern=r"B-(?:\d{1,20}){1,18}x", match=("B-1x",)), "backtracks"),
        (replace(GOOD, pattern=r"B(?:-|-1|1){1,190}x", match=("B-1x",)), "backtracks"),
        (replace(GOOD, match=()), "no examples.match"),
        (replace(GOOD, no_match=()), "no examples.no_match"),
        (replace(GOOD, match=("C-1234",)), "'C-1234' is not found"),
        (replace(GOOD, no_match=("B-1234",)), "'B-1234' is found"),
        (replace(GOOD, score=0.3), "'B-1234' is not found"),
        (replace(GOOD, trigger="Z"), "'B-1234' is not found"),
    ],
)
def test_a_problem_is_told_with_file_and_id(ruleset: RuleSet, detector: Detector, message: str) -> None:
    problems = check_rules(replace(ruleset, detectors=(detector,), disabled=("x",)))
    assert [(problem.file, problem.id) for problem in problems] == [("own.toml", "badge")]
    assert message in problems[0].message


def test_a_characteristic_that_nothing_sets_is_told(ruleset: RuleSet) -> None:
    problems = {problem.id for problem in check_rules(replace(ruleset, detectors=(GOOD,)))}
    assert {"iban", "email"} <= problems
    assert not problems & {"badge", "other_unique_number", "first_name"}


@pytest.mark.parametrize("pattern", ["(", "(?=x)B", r"B\d*"])
def test_a_screen_is_not_made_of_patterns_that_fail(ruleset: RuleSet, pattern: str) -> None:
    bad = replace(ruleset, detectors=(GOOD, replace(GOOD, id="bad", pattern=pattern)))
    with pytest.raises(RuleError, match=r"own\.toml: detector 'bad'"):
        Screen(bad, b"k" * 32)
